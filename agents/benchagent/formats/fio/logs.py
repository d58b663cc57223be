"""The lines of fio's logs over time: `NAME_bw.1.log`, `_iops`, `_lat`, `_clat`, `_slat` and `_clat_hist`.

fio(1), "Log file formats", and `flush_samples` in fio's `iolog.c`. Only the name of a log says what its values are. The
columns are the time in ms, the value, the direction, the block size, then in this order, if the version and options
have them: the offset, the priority (from 3.18 on), the time of issue. With `log_window_value=both`, from 3.37 on, the
greatest value follows the mean one.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from benchagent.formats.model import FormatError
from benchagent.formats.reading.text import split_lines

from .histogram import MOST_BUCKETS, bucket_of_index, histogram

_NAME = re.compile(r"(.{0,200}?)_(bw|iops|lat|clat|slat|clat_hist)(?:\.([0-9]{1,9}))?\.log", re.DOTALL)
_FIELD = r"(?:[0-9]{1,18}|0x[0-9a-f]{1,8})"
_LINE = re.compile(rf"[0-9]{{1,18}}(?:, ?{_FIELD}){{3,{2 + MOST_BUCKETS}}}")
_UNIT = re.compile(r"#\[Unit: (ns|us|µs)\]")
DIRECTIONS = ("read", "write", "trim", "sync")
MOST = 8  # columns of a log that is no histogram
_WITH_PRIORITY, _LEAST_OF_BOTH = 5, 6  # columns
_LOOKED_AT = 1000  # lines that decide the meaning of the columns
_BUCKETS = {29 << 6: "ns", 19 << 6: "us"}  # of 3.x and 2.x
_MOST_HALVINGS = 6  # of the columns, by log_hist_coarseness


@dataclass(frozen=True)
class LogName:
    """The name of a log: the prefix that the job file has given, fio's word for the values, and the process from 1."""

    prefix: str
    word: str
    process: int | None


@dataclass(frozen=True)
class Samples:
    """The lines of one direction. Times are milliseconds, record sizes bytes, 0 for a mean over some time.

    `values` are in the log's own unit. `greatest` is empty unless the log has the greatest value beside each mean.
    `line` is the first line of this direction.
    """

    direction: str
    line: int
    times: array[int] = field(default_factory=lambda: array("q"))
    values: array[int] = field(default_factory=lambda: array("q"))
    greatest: array[int] = field(default_factory=lambda: array("q"))
    record_sizes: array[int] = field(default_factory=lambda: array("q"))


@dataclass(frozen=True)
class LogLines:
    """The directions of a log, in the order of their first lines. `unit` is that of latencies, "ns" or "us".

    It is None if the log does not say it. `rest` is the part of a last line that a broken transfer cut off.
    """

    samples: tuple[Samples, ...]
    unit: str | None
    rest: tuple[int, str] | None = None


@dataclass(frozen=True)
class HistogramSamples:
    """The completion latencies of one direction, counted anew for each time in milliseconds since the job's start.

    A histogram has the operations by latency in nanoseconds.
    """

    direction: str
    line: int
    times: tuple[int, ...]
    histograms: tuple[Mapping[int, int], ...]


def log_name(name: str) -> LogName | None:
    """The parts of a log's name without folders; None if no log of fio has such a name."""
    match = _NAME.fullmatch(name)
    return LogName(match[1], match[2], int(match[3]) if match[3] else None) if match else None


def is_unit(line: str) -> bool:
    """Whether a line names the unit of latencies; people add it."""
    return _UNIT.fullmatch(line.strip()) is not None


def is_log(lines: Sequence[str]) -> bool:
    """Whether these can be lines of a log."""
    return bool(lines) and all(_LINE.fullmatch(line.strip()) and _has_direction(line.split(",")) for line in lines)


def _has_direction(fields: Sequence[str]) -> bool:
    return any(each.strip() in ("0", "1", "2", "3") for each in fields[1:4])


def samples(text: str) -> LogLines:
    """The samples of a log that is no histogram. Raises FormatError with the faulty line."""
    lines, rest = _whole_lines(text)
    head = [row for _, row in islice(_rows(lines, MOST), _LOOKED_AT)]
    with_greatest = any(len(row) >= _LEAST_OF_BOTH and (row[2] >= len(DIRECTIONS) or row[3] in (1, 2)) for row in head)
    found: dict[str, Samples] = {}
    for number, row in _rows(lines, MOST):
        direction = _direction(row[2 + with_greatest], number)
        each = found.setdefault(direction, Samples(direction, number))
        each.times.append(row[0])
        each.values.append(row[1])
        each.record_sizes.append(row[3 + with_greatest])
        if with_greatest:
            each.greatest.append(row[2])
    return LogLines(tuple(found.values()), _unit(lines, head), rest)


def _unit(lines: Sequence[str], rows: Sequence[Sequence[int]]) -> str | None:
    """The unit of latencies: ns if the log has the priorities of 3.18 and later; else only a line `#[Unit: ns]` has it.

    A fifth column is an offset or a priority. Without `log_prio`, which prints it as 0x0000, priorities are 0 or 1.
    """
    named = next((match[1] for line in lines[:_LOOKED_AT] if (match := _UNIT.fullmatch(line.strip()))), None)
    if named:
        return "ns" if named == "ns" else "us"
    columns = len(rows[0]) if rows else 0
    priorities = columns == _WITH_PRIORITY and ("0x" in next(filter(_LINE.match, lines)) or all(r[4] < 2 for r in rows))
    return "ns" if columns > _WITH_PRIORITY or priorities else None


def histogram_samples(text: str) -> list[HistogramSamples]:
    """The histograms of a `_clat_hist` log, one object for each direction. Raises FormatError.

    Each column of a line is one bucket, or several after `log_hist_coarseness`. The number of columns is that of 2.x,
    which counts microseconds, or of 3.x.
    """
    found: dict[str, list[tuple[int, int, Mapping[int, int]]]] = {}
    for number, row in _rows(_whole_lines(text)[0], 3 + MOST_BUCKETS):
        counts = row[3:]
        unit, width = _resolution(len(counts), number)
        edges = ((bucket_of_index(i * width)[0], bucket_of_index((i + 1) * width - 1)[1]) for i in range(len(counts)))
        found.setdefault(_direction(row[1], number), []).append((number, row[0], histogram(unit, zip(edges, counts))))
    return [
        HistogramSamples(name, rows[0][0], tuple(time for _, time, _ in rows), tuple(bins for _, _, bins in rows))
        for name, rows in found.items()
    ]


def _resolution(columns: int, line: int) -> tuple[str, int]:
    """The unit of the latencies, and the number of fio's buckets in each column."""
    for buckets, unit in _BUCKETS.items():
        for halvings in range(_MOST_HALVINGS + 1):
            if columns << halvings == buckets:
                return unit, 1 << halvings
    raise FormatError(
        f"{columns} columns of counts; expected 1856 of fio 3, 1216 of fio 2, or a half, a quarter, …", line
    )


def _whole_lines(text: str) -> tuple[list[str], tuple[int, str] | None]:
    """The lines of a log, and apart from them the number and the text of a last line that is cut off."""
    lines = split_lines(text)
    if len(lines) > 1 and not text.endswith("\n") and lines[-1].count(",") != lines[-2].count(","):
        return lines[:-1], (len(lines), lines[-1])
    return lines, None


def _rows(lines: Sequence[str], most: int) -> Iterator[tuple[int, list[int]]]:
    """(line number, fields) of each line that is not empty. Raises FormatError for lines of another form."""
    columns = 0
    for number, line in enumerate(lines, start=1):
        printed = line.strip()
        if not printed or is_unit(printed):
            continue
        if not _LINE.fullmatch(printed):
            raise FormatError("no line of a log of fio", number)
        row = [int(each, 16 if "x" in each else 10) for each in printed.split(",")]
        columns = columns or len(row)
        if len(row) != columns or columns > most:
            raise FormatError(f"a line of {len(row)} columns; expected {min(columns, most)}", number)
        yield number, row


def _direction(code: int, number: int) -> str:
    if code >= len(DIRECTIONS):
        raise FormatError(f"{code} is no direction of fio", number)
    return DIRECTIONS[code]
