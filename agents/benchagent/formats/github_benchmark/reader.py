"""github-action-benchmark's JSON: its lists of custom benchmarks, and the history that it keeps in `data.js`.

A benchmark is `{name, unit, value, range, extra}`. Its unit decides the metric; numbers of units that are unknown, or
may be powers of 1000 or of 1024 (`MB/s`), are listed as not read. In a history each commit is a run with its id as
`version`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchagent.formats.model import Parsed
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.json_objects import LocatedObject, at, number_at, text_at
from benchagent.formats.reading.located_json import Leaf, Node, Object
from benchagent.formats.reading.parsed_runs import parsed_objects
from benchagent.formats.reading.runs import RunValue, ToolRun, printed_value

TOOL = "github_benchmark"
_TEST = "benchmark"
_HISTORY = "window.BENCHMARK_DATA"
_ELEMENT = re.compile(r'\s*\[\s*\{[^{}]{0,3000}"unit"\s*:\s*"[^"\n]{1,60}"[^{}]{0,3000}\}')
_TIMES = {"ns": 10**9, "us": 10**6, "µs": 10**6, "μs": 10**6, "ms": 1000, "s": 1, "sec": 1, "seconds": 1}
_TIMES |= {"nanoseconds": 10**9, "microseconds": 10**6, "milliseconds": 1000}
_PER_OPERATION = re.compile(r"(\S{1,12})/(?:iter|op|ops|iteration|operation|request)")
_RATES = {"ops/sec", "ops/s", "op/s", "iter/sec", "iter/s", "iops", "requests/sec", "req/s", "files/s"}
_SPEEDS = {"bytes/s": 1, "kib/s": 1024, "mib/s": 1024**2, "gib/s": 1024**3}


def recognises(text: str) -> bool:
    return True if _HISTORY in text[:2000] else bool(_ELEMENT.match(text)) and '"value"' in text and '"name"' in text


def parse(text: str, parser_version: str) -> Parsed:
    """Read every benchmark. Raises FormatError if none has a unit that is known, or if the JSON is cut off."""
    return parsed_objects(
        TOOL,
        text,
        _runs,
        lacking="no benchmark has a unit that is known, such as ns/iter, ms, ops/sec or MiB/s",
        parser_version=parser_version,
        is_known=lambda line: _HISTORY in line or line.strip() == ";",
    )


def _runs(found: LocatedObject, collector: Collector) -> Iterator[ToolRun]:
    for version, bench in _benches(found.root):
        yield from _run(version, bench, collector)


def _benches(root: Object) -> Iterator[tuple[str, Node]]:
    """(commit, benchmark) of a history; the benchmark itself, without a commit, of an element of a list."""
    entries = at(root, "entries")
    if not isinstance(entries, dict):
        yield "", root
        return
    for commits in entries.values():
        for commit in commits if isinstance(commits, list) else ():
            benches = at(commit, "benches")
            for bench in benches if isinstance(benches, list) else ():
                yield text_at(commit, "commit", "id")[:12], bench


def _run(version: str, bench: Node, collector: Collector) -> list[ToolRun]:
    name, unit, leaf = text_at(bench, "name"), text_at(bench, "unit"), number_at(bench, "value")
    if leaf is None:
        return []
    cell = _value(unit, leaf)
    if cell is None:
        collector.unread(leaf.line, f"{name}: {leaf.text} {unit}"[:200])
        return []
    run = ToolRun(leaf.line, {"benchmark": name or "-"}, [cell], ended=True)
    if version:
        run.facts["version"] = version
    return [run]


def _value(unit: str, leaf: Leaf) -> RunValue | None:
    """The number under the metric of its unit; None if the unit is unknown."""
    word = unit.strip().lower()
    each = _PER_OPERATION.fullmatch(word)
    error = f"{leaf.text} is no measurement"
    if each and each[1] in _TIMES:
        return printed_value(_TEST, "latency_mean", leaf.text, leaf.line, over=_TIMES[each[1]], error=error)
    if word in _TIMES:
        return printed_value(_TEST, "elapsed", leaf.text, leaf.line, over=_TIMES[word], error=error)
    if word in _RATES:
        return printed_value(_TEST, "rate", leaf.text, leaf.line, error=error)
    if unit.strip() == "B/s":  # b/s may be bits
        return printed_value(_TEST, "throughput", leaf.text, leaf.line, error=error)
    if word in _SPEEDS:
        return printed_value(_TEST, "throughput", leaf.text, leaf.line, times=_SPEEDS[word], error=error)
    return None
