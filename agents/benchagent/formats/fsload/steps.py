"""The series of a result line: the work of a test over time."""

from __future__ import annotations

from benchagent.formats.model import FormatError, ToolSeries
from benchagent.formats.sampled import MOST_POINTS

from .result_line import JsonLine, count

_NANOSECONDS = 1e9


def series_of(record: JsonLine, test: str, line: int) -> ToolSeries | None:
    """The series of a line, under this name of its test; None if it has none."""
    given = record.get("series")
    if given is None:
        return None
    steps = given.get("steps") if isinstance(given, dict) else None
    if not isinstance(given, dict) or not isinstance(steps, list) or not all(map(_is_step, steps)):
        raise FormatError("a series whose steps are not three numbers each", line)
    if not 1 <= len(steps) <= MOST_POINTS or not count(given, "step_ns", line):
        raise FormatError(f"a series of {len(steps)} steps; it has 1 to {MOST_POINTS}, of more than no time", line)
    start, step = (count(given, name, line) / _NANOSECONDS for name in ("start_ns", "step_ns"))
    operations, moved, longest = zip(*steps)
    return ToolSeries(test, start, step, operations, moved, longest)


def steady_state_of(record: JsonLine, line: int) -> float | None:
    """The seconds until the rate was steady; None if it never was."""
    return None if record["steady_state_ns"] is None else count(record, "steady_state_ns", line) / _NANOSECONDS


def _is_step(step: object) -> bool:
    return isinstance(step, list) and len(step) == 3 and all(type(each) is int and 0 <= each < 2**53 for each in step)
