"""fsload's JSON lines: a header, one line a repetition, an end. agents/engine/README.md describes them."""

from __future__ import annotations

import json
import math
import shlex
from typing import Any, NamedTuple

from benchagent.formats.collect import Collector, Key
from benchagent.formats.model import FAILED, FormatError, Parsed
from benchagent.formats.text import split_lines

TOOL = "fsload"

_NANOSECONDS = 1e9
# Linux splits CPU time into user and system by sampling, at least 100 and at most 1000 times a second: below this
# there are too few samples for the parts to mean anything. The total is exact.
_MIN_SPLIT_NS = 100_000_000
_LATENCIES = ("mean", "p50", "p90", "p99", "p999", "max")


class Cell(NamedTuple):
    """What the repetitions of one measurement have in common. Sizes in bytes."""

    test: str
    file_size: int
    record_size: int
    threads: int


def recognises(text: str) -> bool:
    return '"fsload/1"' in text


def parse(text: str, parser_version: str) -> Parsed:
    """Read the lines of one fsload run; each repetition is one value."""
    collector = Collector()
    header: dict[str, Any] = {}
    cells: dict[Cell, list[tuple[int, dict[str, Any]]]] = {}
    ended = False
    for number, line in enumerate(split_lines(text), start=1):
        record = _record(line)
        kind = record.get("type") if record else None
        if record and kind == "header":
            header = record
        elif record and kind == "result":
            cells.setdefault(_cell(record, number), []).append((number, record))
        elif record and kind == "end":
            ended = True
            if record.get("signal") is not None:
                collector.warn("a signal ended the measurement early", number)
        elif line.strip():
            collector.unread(number, line)
    if header.get("schema") != "fsload/1":
        raise FormatError("no header line with the schema fsload/1 is there")
    for cell, repetitions in cells.items():
        _keep(collector, cell, repetitions)
    if not ended:
        collector.warn("the output is not complete: its end line is missing")
    return Parsed(
        tool=TOOL,
        tool_version=_text(header.get("version")),
        command=_command(header.get("command")),
        results=collector.results(),
        warnings=collector.warnings(),
        parser_version=parser_version,
        clock_resolution=_resolution(header.get("clock")),
    )


def _record(line: str) -> dict[str, Any] | None:
    """A line's JSON object; None for anything else, such as a line that was cut short."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _keep(collector: Collector, cell: Cell, repetitions: list[tuple[int, dict[str, Any]]]) -> None:
    """Hand a cell's repetitions to the collector, each metric's values in step with the repetitions."""
    measured = [_values(record, line) for line, record in repetitions]
    metrics = max((tuple(values) for values in measured), key=len) or ("throughput",)
    for (line, record), values in zip(repetitions, measured):
        for metric in metrics:
            key = Key(cell.test, metric, cell.file_size, cell.record_size, cell.threads)
            if metric in values:
                collector.value(key, values[metric], line)
            elif record.get("status") == "failed":
                collector.no_value(key, line, _words(record.get("error")), FAILED)
            else:
                collector.no_value(key, line, "too short to be measured")


def _cell(record: dict[str, Any], line: int) -> Cell:
    test = _text(record.get("test"))
    if not test:
        raise FormatError("a result without a test", line)
    return Cell(test, *(_count(record, name, line) for name in ("file_size", "record_size", "threads")))


def _values(record: dict[str, Any], line: int) -> dict[str, float]:
    """One repetition's numbers in base units; none where it failed or was too fast."""
    if record.get("status") == "failed":
        return {}
    elapsed, moved = _count(record, "elapsed_ns", line), _count(record, "bytes", line)
    cpu, user, system = (_count(record, name, line) for name in ("cpu_ns", "user_ns", "system_ns"))
    if not elapsed:
        return {}
    latencies = record.get("latency_ns")
    if not isinstance(latencies, dict):
        raise FormatError("a result without latencies", line)
    return {
        "throughput": moved * _NANOSECONDS / elapsed,
        "elapsed": elapsed / _NANOSECONDS,
        "cpu_of_one_core": cpu / elapsed,
        **({"user_time": user / _NANOSECONDS, "system_time": system / _NANOSECONDS} if cpu >= _MIN_SPLIT_NS else {}),
        **{f"latency_{name}": _count(latencies, name, line) / _NANOSECONDS for name in _LATENCIES},
    }


def _count(record: dict[str, Any], name: str, line: int) -> int:
    """A whole number ≥ 0 that a double holds exactly."""
    value = record.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**53:
        raise FormatError(f"{name} is {value!r}, not a whole number", line)
    return value


def _words(error: object) -> str:
    """A failed system call in one sentence: what, why, on which file, where in it."""
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
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        return shlex.join(value)
    return None


def _resolution(clock: object) -> float | None:
    value = clock.get("resolution_ns") if isinstance(clock, dict) else None
    if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) and value > 0:
        return value / _NANOSECONDS
    return None
