"""Reads fsload's JSON lines: a header, one line per repetition, an end. agents/engine/README.md describes them."""

from __future__ import annotations

import json
import shlex

from benchagent.formats.model import FAILED, FormatError, Parsed, ResultKey, ToolSeries
from benchagent.formats.packing.histogram import WITH_HISTOGRAM
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.text import split_lines
from benchagent.formats.sampled import MOST_POINTS

from .result_line import (
    JsonLine,
    Measurement,
    cell_of,
    count,
    evidence_of,
    histogram_of,
    layout_of,
    overload_of,
    values_of,
    why_no_value,
)
from .work import Works

TOOL = "fsload"
KEPT_RAW = ("aging", "distribution")  # how well an aging matched its profile: never compared
SCHEMAS = ("fsload/1", "fsload/2")  # the first is that of version 0.1.0, which had one command only


def recognises(text: str) -> bool:
    return any(f'"{schema}"' in text for schema in SCHEMAS)


def parse(text: str, parser_version: str) -> Parsed:
    """Read the lines of one fsload run; each repetition is one value."""
    collector = Collector()
    header: JsonLine = {}
    cells: dict[Measurement, list[tuple[int, JsonLine]]] = {}
    layouts: list[tuple[JsonLine, int]] = []
    ended = False
    for number, line in enumerate(split_lines(text), start=1):
        record = _record(line)
        kind = record.get("type") if record else None
        if record and kind == "header":
            header = record
        elif record and kind == "result":
            cells.setdefault(cell_of(record, number), []).append((number, record))
        elif record and kind == "layout":
            layouts.append((record, number))
        elif record and kind == "end":
            ended = True
            if record.get("signal") is not None:
                collector.warn("a signal ended the measurement early", number)
        elif line.strip() and kind not in KEPT_RAW:
            collector.unread(number, line)
    if header.get("schema") not in SCHEMAS:
        raise FormatError(f"no header line with the schema {' or '.join(SCHEMAS)} is there")
    cpus = count(header, "cpus", 1) if "cpus" in header else None
    given = header.get("parameters")
    works = Works(given if isinstance(given, dict) else {})
    series = list[ToolSeries]()
    for cell, repetitions in cells.items():
        if (measured_as := works.of(cell)) is not None:
            _keep(collector, cell, measured_as, repetitions, cpus)
            _keep_steady_state(collector, measured_as, repetitions)
            series += filter(None, (series_of(record, measured_as.test, line) for line, record in repetitions))
    for record, number in layouts:
        _keep_layout(collector, record, works, number)
    if not ended:
        collector.warn("the output is not complete: its end line is missing")
    return Parsed(
        tool=TOOL,
        tool_version=_text(header.get("version")),
        command=_command(header.get("command")),
        results=collector.results(),
        warnings=collector.warnings(),
        unread=collector.unread_lines(),
        parser_version=parser_version,
        clock_resolution=_resolution(header.get("clock")),
        complete=ended,
        series=tuple(series),
    )


def _record(line: str) -> JsonLine | None:
    """A line's JSON object; None for anything else, such as a line that was cut short."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _keep(
    collector: Collector,
    cell: Measurement,
    measured_as: Measurement,
    repetitions: list[tuple[int, JsonLine]],
    cpus: int | None,
) -> None:
    """Hand a cell's repetitions to the collector, each metric's values in step with the repetitions.

    `cell` is the measurement as its lines describe it, `measured_as` has the sizes and params of the work too.
    """
    measured = [values_of(cell, record, line, cpus) for line, record in repetitions]
    metrics = max((tuple(values) for values in measured), key=len) or (cell.main_metric,)
    if overload := overload_of(cell, repetitions):
        collector.warn(*overload)
    for (line, record), values in zip(repetitions, measured):
        for metric in metrics:
            key = _key(measured_as, metric)
            if metric in values:
                collector.value(key, values[metric], line, evidence_of(record, line))
                if metric == WITH_HISTOGRAM and (packed := histogram_of(record, line)):
                    collector.histogram(key, packed, line)
            elif record.get("status") == "failed":
                collector.no_value(key, line, _words(record.get("error")), FAILED)
            else:
                collector.no_value(key, line, why_no_value(record, line))


def _keep_steady_state(collector: Collector, measured_as: Measurement, repetitions: list[tuple[int, JsonLine]]) -> None:
    """Keep how long the rate took to be steady, if fsload was to end then."""
    params = tuple(sorted({**dict(measured_as.params), "during": measured_as.test}.items()))
    key = _key(measured_as._replace(test="steady_state", params=params), "elapsed")
    for line, record in repetitions:
        if "steady_state_ns" not in record:
            continue
        if (seconds := steady_state_of(record, line)) is None:
            collector.no_value(key, line, "not steady in this time")
        else:
            collector.value(key, seconds, line)


def _key(cell: Measurement, metric: str) -> ResultKey:
    return ResultKey(cell.test, metric, cell.file_size, cell.record_size, cell.threads, cell.params)


def _keep_layout(collector: Collector, record: JsonLine, works: Works, line: int) -> None:
    test, values = layout_of(record, line)
    params = works.params(test)
    for metric, value in values.items():
        collector.value(ResultKey(test, metric, params=params), value, line)


def _words(error: object) -> str:
    """A failed system call in one sentence: call, error, file and offset."""
    if not isinstance(error, dict):
        return "failed"
    words = f"{_text(error.get('call')) or 'a call'}: {_text(error.get('message')) or 'failed'}"
    if file := _text(error.get("file")):
        words += f" ({file}"
        offset = error.get("offset")
        words += f", offset {offset})" if isinstance(offset, int) else ")"
    return words


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _command(value: object) -> str | None:
    return shlex.join(value) if isinstance(value, list) and all(isinstance(word, str) for word in value) else None


def _resolution(clock: object) -> float | None:
    value = clock.get("resolution_ns") if isinstance(clock, dict) else None
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < 2**53:  # not so for NaN
        return value / 1e9
    return None


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
