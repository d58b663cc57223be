"""Check figures against figures: two copies of a table, and times against speeds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal

from benchdb.publications.article_facts import FigureResult
from benchdb.publications.data_files import Article, ArticleFigure

from .finding import FIGURES, SIZES, ArticleFinding, say


def twice_printed(article: Article, results: Mapping[str, Sequence[FigureResult]]) -> Iterator[ArticleFinding]:
    """Whether figures of a table equal those of the printed output, rounded or cut off at the printed digits.

    `same` in the data file pairs the runs of both; `results` are those of every run's document, by its key.
    """
    for coarse, fine in article.facts.get("same", []):
        exact = {
            (result["test"], result["metric"]): result["summary"]["mean"]
            for result in results[fine]
            if "summary" in result
        }
        for figure in article.of_run(coarse):
            mean = exact.get((figure.test, figure.metric))
            if mean is not None:
                yield _rounded(figure, coarse, Decimal(repr(mean)))


def _rounded(figure: ArticleFigure, run: str, exact: Decimal) -> ArticleFinding:
    fine = (exact / figure.printed.step).normalize()
    steps, cut = (fine.quantize(Decimal(1), rounding) for rounding in (ROUND_HALF_UP, ROUND_DOWN))
    printed = figure.printed.mean / figure.printed.step
    agrees = printed in (steps, cut)
    rounded = "" if printed == steps else f", which rounds to {say(steps)}"
    text = f"{run}, {figure.test}: the table has {figure.printed.text}, the line it was taken from {fine:f}{rounded}."
    compared = (f"{figure.printed.text}, {figure.table}, {figure.row}, {figure.column}", f"{fine:f}, printed output")
    return ArticleFinding(FIGURES, f"figures:{run}:{figure.test}", text, agrees, compared)


def time_of_run(article: Article) -> Iterator[ArticleFinding]:
    """Whether the tests of a run, at the printed speeds, take no longer than the printed time of the run."""
    for run in article.facts["runs"]:
        figures = article.of_run(run)
        whole = next((figure for figure in figures if (figure.test, figure.metric) == ("run", "elapsed")), None)
        moved = [figure for figure in figures if figure.metric == "throughput" and figure.file_size]
        if whole is None or not moved:
            continue
        total = sum((Decimal(figure.file_size or 0) / figure.printed.mean for figure in moved), Decimal(0))
        share = total / whole.printed.mean
        text = (
            f"{run}: {len(moved)} tests at the speeds printed take {say(total)} s, "
            f"{100 * share:.0f} % of the {whole.printed.text} s of the run."
        )
        yield ArticleFinding(SIZES, f"time:{run}", text, share <= 1)
