"""fsload's JSON lines: a header, one line a repetition, an end. agents/engine/README.md describes them."""

from __future__ import annotations

import json
import math
import shlex
from typing import Any

from benchagent.formats.collect import Collector, Key
from benchagent.formats.model import FAILED, FormatError, Parsed
from benchagent.formats.text import split_lines

TOOL = "fsload"

_NANOSECONDS = 1e9
_LATENCIES = ("mean", "p50", "p90", "p99", "p999", "max")


def recognises(text: str) -> bool:
    return '"fsload/1"' in text


def parse(text: str, parser_version: str) -> Parsed:
    """Read the lines of one fsload run; each repetition is one value."""
    collector = Collector()
    header: dict[str, Any] = {}
    ended = False
    for number, line in enumerate(split_lines(text), start=1):
        record = _record(line)
        kind = record.get("type") if record else None
        if record and kind == "header":
            header = record
        elif record and kind == "result":
            _keep(collector, record, number)
        elif record and kind == "end":
            ended = True
        elif line.strip():
            collector.unread(number, line)
    if header.get("schema") != "fsload/1":
        raise FormatError("no header line with the schema fsload/1 is there")
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


def _keep(collector: Collector, record: dict[str, Any], line: int) -> None:
    test = _text(record.get("test"))
    if not test:
        raise FormatError("a result without a test", line)
    file_size, record_size, threads = (_count(record, name, line) for name in ("file_size", "record_size", "threads"))

    def key(metric: str) -> Key:
        return Key(test, metric, file_size, record_size, threads)

    if record.get("status") == "failed":
        collector.no_value(key("throughput"), line, _words(record.get("error")), FAILED)
        return
    elapsed = _count(record, "elapsed_ns", line)
    moved = _count(record, "bytes", line)
    if not elapsed:
        collector.no_value(key("throughput"), line, "took less than one tick of the clock")
        return
    user, system = _count(record, "user_ns", line), _count(record, "system_ns", line)
    values = {
        "throughput": moved * _NANOSECONDS / elapsed,
        "elapsed": elapsed / _NANOSECONDS,
        "user_time": user / _NANOSECONDS,
        "system_time": system / _NANOSECONDS,
        "cpu_of_one_core": (user + system) / elapsed,
    }
    latencies = record.get("latency_ns")
    if isinstance(latencies, dict):
        values.update({f"latency_{n}": _count(latencies, n, line) / _NANOSECONDS for n in _LATENCIES if n in latencies})
    for metric, value in values.items():
        collector.value(key(metric), value, line)


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
