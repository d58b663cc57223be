"""fio's logs over time: `NAME_bw.1.log`, `_iops`, `_lat`, `_clat`, `_slat` and `_clat_hist`.

The format is described in fio(1), "Log file formats". The meaning of a log's numbers follows from its name, and the
unit of its latencies from fio's version. The agent reads rate and throughput of its own workloads
(`tools/fio/over_time.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from benchagent.formats.model import FormatError
from benchagent.formats.reading.text import split_lines

from .histogram import MOST_BUCKETS, LatencyBins, bucket_of_index, histogram

_NAME = re.compile(r"(?:.*/)?(.{0,200}?)_(bw|iops|lat|clat|slat|clat_hist)(?:\.([0-9]{1,9}))?\.log", re.DOTALL)
_FIELDS = re.compile(r"(?:[0-9]{1,19}|0x[0-9a-f]{1,8})(?:, ?(?:[0-9]{1,19}|0x[0-9a-f]{1,8}))+")
_DIRECTIONS = ("read", "write", "trim", "sync")
_METRICS = {"bw": ("throughput", "B/s"), "iops": ("rate", "op/s")}
_KINDS = {"lat": "total", "clat": "completion", "slat": "submission", "clat_hist": "completion"}
MOST_LINES = 10_000_000


@dataclass(frozen=True)
class LogName:
    """The name of a log: the prefix that the job file has given, fio's word for the numbers, and the process from 1."""

    prefix: str
    word: str
    process: int | None


@dataclass(frozen=True)
class Samples:
    """The samples of one log in one direction.

    `metric` and `unit` are those of results; `kind` is that of latencies (submission, completion, total), else None.
    `times` are milliseconds since the job's start, `values` in `unit`, `record_sizes` bytes. With `log_avg_msec` a
    value is the mean since the last one, and the record size is 0.
    """

    metric: str
    unit: str
    kind: str | None
    direction: str
    times: tuple[int, ...]
    values: tuple[float, ...]
    record_sizes: tuple[int, ...]


@dataclass(frozen=True)
class HistogramSamples:
    """The completion latencies of one direction, counted anew for each time in milliseconds since the job's start."""

    direction: str
    times: tuple[int, ...]
    histograms: tuple[LatencyBins, ...]


def log_name(name: str) -> LogName | None:
    """The parts of a log's name; None if no log of fio has such a name."""
    match = _NAME.fullmatch(name)
    return LogName(match[1], match[2], int(match[3]) if match[3] else None) if match else None


def samples(text: str, word: str, version: str) -> list[Samples]:
    """The samples of a log that is no histogram, one object for each direction in it.

    `word` is that of the log's name, `version` fio's, such as 3.33. Raises FormatError with the faulty line.
    """
    metric, unit = _METRICS.get(word, ("latency", "s"))
    times, over = _scale(word, version)
    rows: dict[str, list[tuple[int, float, int]]] = {}
    for number, fields in _lines(text, least=4, most=6):
        row = (fields[0], fields[1] * times / over, fields[3])
        rows.setdefault(_direction(fields[2], number), []).append(row)
    return [_samples(metric, unit, _KINDS.get(word), direction, found) for direction, found in rows.items()]


def _samples(metric: str, unit: str, kind: str | None, direction: str, rows: list[tuple[int, float, int]]) -> Samples:
    return Samples(
        metric,
        unit,
        kind,
        direction,
        times=tuple(time for time, _, _ in rows),
        values=tuple(value for _, value, _ in rows),
        record_sizes=tuple(size for _, _, size in rows),
    )


def histogram_samples(text: str, version: str) -> list[HistogramSamples]:
    """The histograms of a `_clat_hist` log, one object for each direction in it.

    Each column of a line is one bucket, or several after `log_hist_coarseness`. Raises FormatError.
    """
    buckets, unit = (29 << 6, "ns") if _major(version) >= 3 else (19 << 6, "us")
    times: dict[str, list[int]] = {}
    found: dict[str, list[LatencyBins]] = {}
    for number, fields in _lines(text, least=4, most=3 + MOST_BUCKETS):
        counts = fields[3:]
        if buckets % len(counts):
            raise FormatError(f"{len(counts)} columns of counts; {buckets} or a part of them were expected", number)
        direction, width = _direction(fields[1], number), buckets // len(counts)
        edges = ((bucket_of_index(i * width)[0], bucket_of_index((i + 1) * width - 1)[1]) for i in range(len(counts)))
        times.setdefault(direction, []).append(fields[0])
        found.setdefault(direction, []).append(histogram(unit, zip(edges, counts)))
    return [HistogramSamples(name, tuple(times[name]), tuple(found[name])) for name in times]


def _lines(text: str, least: int, most: int) -> Iterator[tuple[int, list[int]]]:
    """(line number, fields) of each line that is not empty. Raises FormatError for lines of another form."""
    for number, line in enumerate(split_lines(text), start=1):
        if not line.strip():
            continue
        if number > MOST_LINES:
            raise FormatError(f"more than {MOST_LINES:,} lines", number)
        printed = line.strip()
        if not _FIELDS.fullmatch(printed) or not least <= printed.count(",") + 1 <= most:
            raise FormatError("no line of a log of fio", number)
        yield number, [_number(field) for field in printed.replace(" ", "").split(",")]


def _number(field: str) -> int:
    """A decimal number, or the priority of newer versions as 0x0."""
    return int(field, 16) if field.startswith("0x") else int(field)


def _direction(field: int, number: int) -> str:
    if field >= len(_DIRECTIONS):
        raise FormatError(f"{field} is no direction of fio", number)
    return _DIRECTIONS[field]


def _scale(word: str, version: str) -> tuple[int, int]:
    """Multiply by the first and divide by the second to get base units."""
    if word == "bw":
        return 1024, 1
    if word == "iops":
        return 1, 1
    return 1, 10**9 if _major(version) >= 3 else 10**6


def _major(version: str) -> int:
    """The first number of a version. Raises FormatError if there is none."""
    match = re.match("[0-9]{1,3}", version)
    if match is None:
        raise FormatError(f"{version[:60]!r} is no version of fio, so the unit of its latencies is not known")
    return int(match[0])
