"""Clock and cache verdicts of the article's stored runs, as every page of BenchDB gives them: one finding a test."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from benchdb.runs.cells.clock_and_cache import caches, clocks
from benchdb.runs.models import Run
from benchdb.runs.queries import measured

from .finding import CACHE, CLOCK, Finding

_COARSE = ("unusable", "coarse")
_IN_MEMORY = ("cached", "mixed")


def verdicts(runs: Iterable[Run]) -> Iterator[Finding]:
    """`clock:TEST` and `cache:TEST` for each test that a verdict is known of. Runs with their context."""
    of = {run.id: run for run in runs}
    clock: dict[str, list[Any]] = defaultdict(list)
    cache: dict[str, list[Any]] = defaultdict(list)
    results = list(measured(list(of)))
    for run in of.values():
        own = [result for result in results if result.run_id == run.id]
        for result, ticks, memory in zip(own, clocks(own, of), caches(own, of), strict=True):
            if ticks["verdict"] != "unknown":
                clock[result.test].append(ticks)
            if memory["verdict"] != "unknown" and result.metric in ("throughput", "rate"):
                cache[result.test].append(memory)
    yield from (_finding(CLOCK, test, judged, _COARSE) for test, judged in clock.items())
    yield from (_finding(CACHE, test, judged, _IN_MEMORY) for test, judged in cache.items())


def _finding(check: str, test: str, judged: list[Any], bad: tuple[str, ...]) -> Finding:
    """How many cells of a test have which verdict; the sentence is that of the worst."""
    counts = Counter(each["verdict"] for each in judged)
    found = next((verdict for verdict in bad if counts[verdict]), None)
    said = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
    worst = next((each for each in judged if each["verdict"] == found), judged[0])
    return Finding(check, f"{check}:{test}", f"{test}: {said}. {worst['text']}", found is None)
