"""Check that user and system time together are no longer than all processors had in the elapsed time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from benchdb.publications.data_files import Article, ArticleFigure, merged

from .finding import CPU_TIMES, ArticleFinding, say


def cpu_times(article: Article) -> Iterator[ArticleFinding]:
    """A finding for each run with cells of elapsed, user and system time, if the number of its processors is known."""
    for key in article.facts.get("runs", {}):
        cells: dict[tuple[str, str, str], dict[str, ArticleFigure]] = {}
        for figure in article.of_run(key):
            cells.setdefault((figure.table, figure.row, figure.column), {})[figure.metric] = figure
        timed = {
            place: times for place, times in cells.items() if {"elapsed", "user_time", "system_time"} <= set(times)
        }
        processors = _processors(article, key)
        if timed and processors:
            shares = {place: _share(times) / processors for place, times in timed.items()}
            (table, row, column), most = max(shares.items(), key=lambda share: share[1])
            text = (
                f"{key}: user and system time are at most {say(100 * most)} % of what {processors} processors have in "
                f"the elapsed time ({table}, {row}, {column})."
            )
            yield ArticleFinding(CPU_TIMES, f"CPU time of {key}", text, most <= 1)


def _share(times: Mapping[str, ArticleFigure]) -> float:
    """CPU time ÷ elapsed time; a clock of one tick counts as two, because it was anything up to that."""
    elapsed = times["elapsed"].printed
    busy = sum(times[metric].printed.mean - times[metric].printed.step / 2 for metric in ("user_time", "system_time"))
    return float(max(busy, 0) / (elapsed.mean + elapsed.step / 2))


def _processors(article: Article, key: str) -> int | None:
    """Threads, else cores, of the run's machine."""
    environment = merged(article.facts.get("environment", {}), article.facts["runs"][key].get("environment", {}))
    cpu = cast(Mapping[str, int], environment.get("cpu", {}))
    return cpu.get("threads") or cpu.get("cores")
