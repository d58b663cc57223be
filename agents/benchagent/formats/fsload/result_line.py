"""One result line of fsload's output: its measurement, and its numbers in base units."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import NamedTuple

from benchagent.formats.model import FormatError, Param
from benchagent.formats.packing.histogram import as_packed_histogram
from benchagent.formats.reading.latency_figures import SHARES, has_enough_beyond
from benchagent.formats.vocabulary import IOZONE_TESTS

_NANOSECONDS = 1e9
# Linux splits CPU time into user and system by sampling, at least 100 and at most 1000 times a second: below this
# there are too few samples for the parts to mean anything. The total is exact.
_MIN_SPLIT_NS = 100_000_000
_LATENCIES = ("mean", "p50", "p90", "p99", "p999", "p9999", "max")
_TEST = re.compile(r"[a-z][a-z0-9_]{0,63}")
# Metrics of a layout line, by the names of its fields.
_LAYOUT = {
    "layout_score": "layout_score",
    "extents_per_file": "extents_per_file",
    "mean_free_bytes": "free_extent_size",
}
# Limits of the contract.
MOST_PARAMS, _LONGEST_PARAM, _LONGEST_PARAMS = 64, 200, 500

JsonLine = dict[str, object]


class Measurement(NamedTuple):
    """The part that all repetitions of a measurement share. Sizes are bytes, or None if there is no such size."""

    test: str
    file_size: int | None
    record_size: int | None
    threads: int
    params: tuple[tuple[str, Param], ...] = ()

    @property
    def is_interactive(self) -> bool:
        return self.test.startswith("interactive_")

    @property
    def main_metric(self) -> str:
        """Bytes per second for iozone's tests on files of one size; operations per second for everything else.

        For interactive jobs the number is given, and the waiting time is measured.
        """
        if self.is_interactive:
            return "latency_max"
        sized = self.file_size is not None and self.record_size is not None
        return "throughput" if sized and self.test in IOZONE_TESTS else "rate"


def cell_of(record: JsonLine, line: int) -> Measurement:
    """The measurement of a result line."""
    test = record.get("test")
    if not isinstance(test, str) or not _TEST.fullmatch(test):
        raise FormatError(f"a result of the test {test!r}, which is no test's name", line)
    file_size, record_size = (
        count(record, name, line) if name in record else None for name in ("file_size", "record_size")
    )
    return Measurement(test, file_size, record_size, count(record, "threads", line), _params(record, line))


def layout_of(record: JsonLine, line: int) -> tuple[str, dict[str, float]]:
    """The test of a layout line, and its numbers, without those that the file system does not provide."""
    when = record.get("when")
    test = "layout" if when is None else f"layout_{when}"
    if not _TEST.fullmatch(test):
        raise FormatError(f"the layout of {when!r}, which is no word", line)
    known = {metric: name for name, metric in _LAYOUT.items() if record.get(name) is not None}
    return test, {metric: _number(record, name, line) for metric, name in known.items()}


def values_of(cell: Measurement, record: JsonLine, line: int, cpus: int | None) -> dict[str, float]:
    """One repetition's numbers by metric, the main one first; none if it failed, was too fast, or did nothing.

    A line for one kind of operation out of several has no CPU time of its own, and its elapsed time is that of all.
    `cpus` is the machine's number of CPUs, if the header has it.
    """
    elapsed = 0 if record.get("status") == "failed" else count(record, "elapsed_ns", line)
    if not elapsed:
        return {}
    if cell.is_interactive:
        return _latencies(record, line)
    speeds = _speeds(cell, record, elapsed, line)
    alone = record.get("cpu_ns") is not None
    times = {"elapsed": elapsed / _NANOSECONDS, **_cpu(record, elapsed, line, cpus)} if alone else {}
    return {**speeds, **times, **_latencies(record, line)} if speeds else {}


def why_no_value(record: JsonLine, line: int) -> str:
    """The reason why a line that did not fail has no number."""
    return "too short to be measured" if not count(record, "elapsed_ns", line) else "not once in this time"


# The last operation of a test may begin so long after it arrived: a share of the test's time, and nanoseconds.
_LATE_SHARE, _LATE_NS = 0.05, 100_000_000


def overload_of(cell: Measurement, repetitions: list[tuple[int, JsonLine]]) -> tuple[str, int] | None:
    """A sentence with the line of the worst repetition if operations arrived faster than they were done; else None."""
    late = [
        (count(record, "behind_ns", line), line, record) for line, record in repetitions if _fell_behind(record, line)
    ]
    if not late:
        return None
    behind, line, record = max(late, key=lambda each: each[:2])
    due, done, elapsed = (count(record, name, line) for name in ("due", "operations", "elapsed_ns"))
    rounds = f" in {len(late)} of {len(repetitions)} repetitions" if len(repetitions) > 1 else ""
    worst = f"{rounds}; at worst, " if rounds else ": "
    return (
        f"{cell.test}: the device did not keep up with the rate{worst}{done} of {due} operations that arrived were "
        f"done, {done * _NANOSECONDS / elapsed:.0f} per second, and the last one began {behind / _NANOSECONDS:.3g} s "
        "late; the latencies are those of a growing queue",
        line,
    )


def _fell_behind(record: JsonLine, line: int) -> bool:
    """Whether operations that arrived at a rate waited ever longer."""
    if "due" not in record or record.get("status") == "failed" or not count(record, "elapsed_ns", line):
        return False
    limit = max(_LATE_SHARE * count(record, "elapsed_ns", line), _LATE_NS)
    return record.get("ended_by") == "overload" or count(record, "behind_ns", line) > limit


def evidence_of(record: JsonLine, line: int) -> dict[str, int]:
    """The bytes that the device moved meanwhile, and the requested bytes; empty if the device is unknown."""
    names = ("device_read_bytes", "device_write_bytes")
    found = {name: count(record, name, line) for name in names if record.get(name) is not None}
    return {**found, "logical_bytes": count(record, "bytes", line)} if found else {}


def count(record: JsonLine, name: str, line: int) -> int:
    """A whole number ≥ 0 that a double holds exactly."""
    value = record.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**53:
        raise FormatError(f"{name} is {value!r}, not a whole number", line)
    return value


def _speeds(cell: Measurement, record: JsonLine, elapsed: int, line: int) -> dict[str, float]:
    """Operations and bytes per second; only the latter if all operations move one record."""
    moved, operations = count(record, "bytes", line), count(record, "operations", line)
    speeds = {}
    if operations and (cell.main_metric == "rate" or "due" in record):
        speeds["rate"] = operations * _NANOSECONDS / elapsed
    if moved:
        speeds["throughput"] = moved * _NANOSECONDS / elapsed
    return speeds


def _cpu(record: JsonLine, elapsed: int, line: int, cpus: int | None) -> dict[str, float]:
    cpu, user, system = (count(record, name, line) for name in ("cpu_ns", "user_ns", "system_ns"))
    figures = {"cpu_of_one_core": cpu / elapsed}
    if cpus:
        figures["cpu_of_all_cores"] = cpu / elapsed / cpus
    if cpu >= _MIN_SPLIT_NS:
        figures.update(user_time=user / _NANOSECONDS, system_time=system / _NANOSECONDS)
    return figures


def _latencies(record: JsonLine, line: int) -> dict[str, float]:
    """The latencies by metric, with percentiles of enough operations; none if fsload was run without them."""
    latencies = record.get("latency_ns")
    if latencies is None and "latency_ns" in record:
        return {}
    if not isinstance(latencies, dict):
        raise FormatError("a result without latencies", line)
    operations = count(record, "operations", line)
    known = {f"latency_{name}": name for name in _LATENCIES if name in latencies or name != "p9999"}
    return {
        metric: count(latencies, name, line) / _NANOSECONDS
        for metric, name in known.items()
        if metric not in SHARES or has_enough_beyond(SHARES[metric], operations)
    }


def histogram_of(record: JsonLine, line: int) -> str | None:
    """The distribution of the latencies as base64 text; None for versions of fsload that do not print it."""
    latencies = record.get("latency_ns")
    given = latencies.get("histogram") if isinstance(latencies, dict) else None
    packed = as_packed_histogram(given)
    if packed is None and given is not None:
        raise FormatError("a histogram that is not in the format of HdrHistogram", line)
    return packed


def _number(record: JsonLine, name: str, line: int) -> float:
    value = record.get(name)
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < 2**53:  # not so for NaN
        return float(value)
    raise FormatError(f"{name} is {value!r}, not a number", line)


def _params(record: JsonLine, line: int) -> tuple[tuple[str, Param], ...]:
    given = record.get("params")
    if given is None:
        return ()
    if not isinstance(given, dict) or len(given) > MOST_PARAMS or not all(map(is_param, given, given.values())):
        raise FormatError("params that are no short texts and numbers by name", line)
    if not are_short(given):
        raise FormatError(f"params of more than {_LONGEST_PARAMS} characters", line)
    return tuple(sorted(given.items()))


def are_short(params: Mapping[str, Param]) -> bool:
    """Whether the contract takes so long params."""
    return len(json.dumps(params, ensure_ascii=False)) <= _LONGEST_PARAMS


def is_param(name: str, value: object) -> bool:
    """Whether the contract takes this param."""
    if isinstance(value, str):
        return _is_short(name) and _is_short(value)
    return _is_short(name) and isinstance(value, (int, float)) and abs(value) < 2**53  # not so for NaN


def _is_short(text: str) -> bool:
    return 0 < len(text) <= _LONGEST_PARAM and text.isprintable()
