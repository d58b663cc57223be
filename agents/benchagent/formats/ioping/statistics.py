"""ioping's JSON (`-json`), and the tests of a run's numbers."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from benchagent.formats.model import Param
from benchagent.formats.reading.json_objects import LocatedObject, at, count_at, number_at, text_at
from benchagent.formats.reading.places import directory, joined
from benchagent.formats.reading.runs import RunValue, ToolRun, printed_value

OBJECT = re.compile(r'\{\s{0,20}"timestamp": ?[0-9.]{1,30},\s{0,20}"localtime"')
# ioping's name, the metric, the base units in one of ioping's, the params.
_NUMBERS: tuple[tuple[str, str, int, dict[str, Param]], ...] = (
    ("iops", "rate", 1, {}),
    ("bps", "throughput", 1, {}),
    ("min", "latency_min", 10**9, {}),
    ("avg", "latency_mean", 10**9, {}),
    ("max", "latency_max", 10**9, {}),
    ("mdev", "latency_mean", 10**9, {"view": "sd"}),
)


def has_json(text: str) -> bool:
    return '"localtime"' in text and bool(OBJECT.search(text))


def json_runs(text: str, objects: Sequence[LocatedObject]) -> Iterator[ToolRun]:
    """The runs of a text's JSON, one for each array. Its last statistics are of the whole run, others of a `part`."""
    ways: set[str] = set()
    statistics: list[LocatedObject] = []
    for index, found in enumerate(objects):
        ways.add(text_at(found.root, "io", "operation"))
        if at(found.root, "stat") is not None:
            statistics.append(found)
        end = objects[index + 1].start if index + 1 < len(objects) else len(text)
        if "]" in text[found.document.end : end] or end == len(text):
            if statistics:
                yield _run(statistics, ways - {""})
            ways, statistics = set(), []


def _run(statistics: Sequence[LocatedObject], ways: Collection[str]) -> ToolRun:
    whole = statistics[-1]
    target = [text_at(whole.root, "target", name) for name in ("path", "fstype", "device")]
    place = place_of(target[0], " ".join(target[1:]))
    run = ToolRun(statistics[0].line, ended=whole.document.whole, place=place)
    for part, found in enumerate(statistics, start=1):
        which: dict[str, Param] = {} if found is whole else {"part": part}
        for name, metric, over, params in _NUMBERS:
            if leaf := number_at(found.root, "stat", name):
                error = f"ioping printed {leaf.text}"
                params = {**which, **params}
                run.cells.append(printed_value("", metric, leaf.text, leaf.line, params, over=over, error=error))
    count, size = count_at(whole.root, "stat", "count"), count_at(whole.root, "stat", "size")
    set_test(run.cells, ways, None, size // count if count and size and not size % count else None)
    return run


def place_of(target: str, of: str) -> str:
    """The place of a target and what ioping prints of it: `block device 1 TiB`, or file system and device."""
    return target if of.startswith("block device") else joined((directory(target), *of.split()[1:2]))


def set_test(cells: Sequence[RunValue], ways: Collection[str], linear: bool | None, size: int | None) -> None:
    """Set the test and the size of a request.

    ``ways`` are `read`, `write` or both; empty if unknown. ``linear``: whether requests follow one another in the file;
    None if the text does not show it.
    """
    way = "mix" if len(ways) > 1 else next(iter(ways), "request")
    for cell in cells:
        cell.test = f"random_{way}" if linear is False and way in ("read", "write") else way
        cell.record_size, cell.threads = size, 1
        if linear is None:
            cell.params = {**cell.params, "order": "unknown"}
        elif not linear and way == "mix":
            cell.params = {**cell.params, "order": "random"}
