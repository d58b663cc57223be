"""Figures against figures: the same measured in two places, and times against the speeds that they were."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from benchdb.publications.reading import Article, Facts, Figure

from .finding import FIGURES, SIZES, Finding, say


def twice_printed(article: Article, results: dict[str, list[Facts]]) -> Iterator[Finding]:
    """Whether figures of a table are those of the output they were taken from, rounded to the digits printed.

    `same` of the data file pairs the runs of both; `results` are those of every run's document, by its key.
    """
    for coarse, fine in article.facts.get("same", []):
        exact = {_key(result): result for result in results[fine] if "summary" in result}
        for figure in article.of_run(coarse):
            other = exact.get(_figure_key(figure))
            if other is not None:
                yield _rounded(figure, coarse, Decimal(repr(other["summary"]["mean"])))


def _rounded(figure: Figure, run: str, exact: Decimal) -> Finding:
    steps = (exact / figure.printed.step).quantize(Decimal(1), ROUND_HALF_UP)
    agrees = steps * figure.printed.step == figure.printed.mean
    rounded = "" if agrees else f", which rounds to {say(steps)}"
    fine = (exact / figure.printed.step).normalize()
    text = f"{run}, {figure.test}: the table has {figure.printed.text}, the line it was taken from {fine:f}{rounded}."
    return Finding(FIGURES, f"figures:{run}:{figure.test}", text, agrees)


def _figure_key(figure: Figure) -> tuple[Any, ...]:
    return (figure.test, figure.metric)


def _key(result: Facts) -> tuple[Any, ...]:
    return (result["test"], result["metric"])


def time_of_run(article: Article) -> Iterator[Finding]:
    """Whether what a run's tests moved, at the speeds printed, takes no longer than the run is said to have taken."""
    for run in article.facts["runs"]:
        figures = article.of_run(run)
        whole = next((each for each in figures if (each.test, each.metric) == ("run", "elapsed")), None)
        moved = [each for each in figures if each.metric == "throughput" and each.file_size]
        if whole is None or not moved:
            continue
        total = sum((Decimal(each.file_size or 0) / each.printed.mean for each in moved), Decimal(0))
        share = total / whole.printed.mean
        text = (
            f"{run}: {len(moved)} tests at the speeds printed take {say(total)} s, "
            f"{100 * share:.0f} % of the {whole.printed.text} s of the run."
        )
        yield Finding(SIZES, f"time:{run}", text, share <= 1)
