"""The columns of vdbench's flat file: numbers of tests, and settings of the work. Names are in small letters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from benchagent.formats.model import Param
from benchagent.formats.reading.runs import RunValue, is_number, printed_value, scaled

# (columns, metric, times, over) of all operations together; versions differ in the names.
_ALL = (
    (("rate",), "rate", 1, 1),
    (("mb/sec",), "throughput", 1024**2, 1),
    (("resp",), "latency_mean", 1, 1000),
    (("resp_max",), "latency_max", 1, 1000),
)
_MAXIMA = {"read": ("read_max", "read_resp_max"), "write": ("write_max", "write_resp_max")}
# File operations, with the names that fsload gives to tests of the same work.
_OPERATIONS = {
    "mkdir": "directory_create",
    "rmdir": "directory_remove",
    "create": "file_create",
    "open": "open",
    "close": "close",
    "delete": "file_remove",
    "getattr": "stat",
    "setattr": "setattr",
    "access": "access",
    "copy": "copy",
    "move": "move",
}
_UNLIMITED = 9_999_900  # requested rates from here on mean "as fast as possible"
_FACTS = {
    "rdpct": "read_percentage",
    "rhpct": "read_hit_percentage",
    "whpct": "write_hit_percentage",
    "seekpct": "seek_percentage",
    "compratio": "compression_ratio",
    "dedupratio": "deduplication_ratio",
}
_NO_DIFFERENCE = {"rhpct": 0.0, "whpct": 0.0, "compratio": 1.0, "dedupratio": 1.0}  # vdbench's defaults
_OF_MIXES = ("read_percentage", "seek_percentage")  # the names of other tests say it
_SECTOR = 512


@dataclass
class VdbenchSettings:
    """What a row says of the work: threads, bytes of a transfer, and facts."""

    facts: dict[str, Param] = field(default_factory=dict)
    record_size: int | None = None
    threads: int | None = None


def test_of(row: Mapping[str, str]) -> str:
    """`read`, `write`, with `random_` if all accesses seek, of storage workloads that only read or write; else `mix`.

    Workloads on files are a mix: their flat file does not say in which order they access.
    """
    share, seeks = _number(row, "rdpct"), _number(row, "seekpct")
    if share not in (0.0, 100.0) or seeks not in (0.0, 100.0):
        return "mix"
    return ("random_" if seeks else "") + ("read" if share else "write")


def cells_of(row: Mapping[str, str], line: int) -> Iterator[RunValue]:
    """The numbers of one row; operations that did not happen have none."""
    test = test_of(row)
    for columns, metric, times, over in _ALL:
        yield from _value(row, columns, test, metric, line, times, over)
    for kind, maxima in _MAXIMA.items():
        if test == "mix" and _number(row, f"{kind}_resp"):
            yield from _value(row, (f"{kind}_rate",), f"mix_{kind}", "rate", line)
            yield from _value(row, (f"mb_{kind}",), f"mix_{kind}", "throughput", line, 1024**2)
            yield from _value(row, (f"{kind}_resp",), f"mix_{kind}", "latency_mean", line, 1, 1000)
            yield from _value(row, maxima, f"mix_{kind}", "latency_max", line, 1, 1000)
    for kind, name in _OPERATIONS.items():
        if _number(row, f"{kind}_rate"):
            yield from _value(row, (f"{kind}_rate",), name, "rate", line)
            yield from _value(row, (f"{kind}_resp",), name, "latency_mean", line, 1, 1000)
            yield from _value(row, (f"{kind}_resp_max",), name, "latency_max", line, 1, 1000)


def settings_of(row: Mapping[str, str]) -> VdbenchSettings:
    """The settings in a row, and the name of its run."""
    found = VdbenchSettings({"job": row["run"]})
    rate = _number(row, "reqrate")
    if rate and rate < _UNLIMITED:
        found.facts["rate"] = rate
    for column, name in _FACTS.items():
        value = _number(row, column)
        if value not in (None, _NO_DIFFERENCE.get(column)) and (name not in _OF_MIXES or test_of(row) == "mix"):
            found.facts[name] = value
    size, threads = _number(row, "xfersize"), _number(row, "threads")
    # The size is an average in workloads on files, and the smallest one of several in others.
    if size and size % _SECTOR == 0 and _number(row, "bytes/io") in (None, size):
        found.record_size = int(size)
    if threads and threads.is_integer():
        found.threads = int(threads)
    return found


def _value(
    row: Mapping[str, str], columns: tuple[str, ...], test: str, metric: str, line: int, times: int = 1, over: int = 1
) -> Iterator[RunValue]:
    printed = next((row[name] for name in columns if name in row), "n/a")
    if printed == "NaN":
        yield RunValue(test, metric, None, line, error="vdbench printed NaN")
    elif is_number(printed):
        yield printed_value(test, metric, printed, line, times=times, over=over, error=f"vdbench printed {printed}")


def _number(row: Mapping[str, str], column: str) -> float | None:
    """The number in a column; None if there is none (`n/a`)."""
    printed = row.get(column, "")
    return scaled(printed) if is_number(printed) else None
