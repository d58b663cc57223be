"""Clock and cache verdicts of the article's stored runs, one finding for each test."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from benchdb.runs.cells.clock_and_cache import CellCache, CellClock, caches, clocks
from benchdb.runs.models import Run
from benchdb.runs.queries import measured

from .finding import CACHE, CLOCK, ArticleFinding

_COARSE = ("unusable", "coarse")
_IN_MEMORY = ("cached", "mixed")


def verdicts(runs: Iterable[Run]) -> Iterator[ArticleFinding]:
    """Findings `clock:TEST` and `cache:TEST` for each test with a verdict. `runs` need their context."""
    by_id = {run.id: run for run in runs}
    clock: dict[str, list[CellClock]] = defaultdict(list)
    cache: dict[str, list[CellCache]] = defaultdict(list)
    results = list(measured(list(by_id)))
    for run in by_id.values():
        of_run = [result for result in results if result.run_id == run.id]
        for result, ticks, memory in zip(of_run, clocks(of_run, by_id), caches(of_run, by_id), strict=True):
            if ticks.verdict != "unknown":
                clock[result.test].append(ticks)
            if memory.verdict != "unknown" and result.metric in ("throughput", "rate"):
                cache[result.test].append(memory)
    yield from (_finding(CLOCK, test, judged, _COARSE) for test, judged in clock.items())
    yield from (_finding(CACHE, test, judged, _IN_MEMORY) for test, judged in cache.items())


def _finding(check: str, test: str, judged: Sequence[CellClock | CellCache], bad: tuple[str, ...]) -> ArticleFinding:
    """The number of cells of a test with each verdict, and the sentence of the worst."""
    counts = Counter(cell.verdict for cell in judged)
    worst_verdict = next((verdict for verdict in bad if counts[verdict]), None)
    tally = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
    worst = next((cell for cell in judged if cell.verdict == worst_verdict), judged[0])
    return ArticleFinding(check, f"{check}:{test}", f"{test}: {tally}. {worst.text}", worst_verdict is None)
