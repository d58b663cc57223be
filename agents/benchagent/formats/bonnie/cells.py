"""Converts bonnie++'s cells to values: one by one from a table, by columns from CSV lines, which may be 100,000.

K/s is KiB/s (bonnie++(8)); plus signs mean that a test took less than bonnie++'s half second.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from benchagent.formats.model import Param, ResultKey
from benchagent.formats.reading.collector import Collector
from benchagent.formats.vocabulary import BONNIE_TESTS

from .csv_line import CsvLine
from .layouts import CREATE_TESTS, BonnieSettings

NUMBER = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,9})?")
_CELL = re.compile(rf"{NUMBER.pattern}|\+{{1,12}}")
_TIME = re.compile(r"[0-9]{1,15}(?:us|ms|s)")
_CPU = "cpu_of_one_core"
_AT_ONCE = 1000
_PER_SECOND = {"us": 1_000_000, "ms": 1000}
Scale = Callable[[str], float]

TOO_FAST = "bonnie++ printed {}: too fast for its half second"
NO_TIME = "bonnie++ printed {}: under one tick of its clock"
ZERO = "bonnie++ printed {}"


@dataclass(frozen=True)
class RunIdentity:
    """The settings of a run, and ``apart``: the params in which the runs of a text differ."""

    settings: BonnieSettings
    apart: tuple[tuple[str, Param], ...] = ()

    def key(self, test: str, metric: str) -> ResultKey:
        """The key of a result. Its params are sorted: files before ``name`` and ``section``, seeks after."""
        settings, apart = self.settings, self.apart
        if test in CREATE_TESTS:
            return ResultKey(test, metric, threads=settings.concurrency, params=settings.file_params + apart)
        params = apart + settings.seek_params if test == "random_seek" else apart
        return ResultKey(test, metric, settings.file_size, settings.chunk_size, settings.concurrency, params)


def metric_of(test: str) -> str:
    return "throughput" if test.startswith(("char", "block")) else "rate"


def keep_csv_lines(collector: Collector, identity: RunIdentity, csv_lines: Sequence[CsvLine]) -> None:
    """Hand the cells of CSV lines to the collector. Raises FormatError for one that is neither a number nor +++++."""
    for first in range(0, len(csv_lines), _AT_ONCE):  # the fields of all lines would take many times their memory
        _keep_csv_lines(collector, identity, csv_lines[first : first + _AT_ONCE])


def _keep_csv_lines(collector: Collector, identity: RunIdentity, csv_lines: Sequence[CsvLine]) -> None:
    layout = csv_lines[0].layout
    columns = dict(zip(layout.names, zip(*[csv.raw for csv in csv_lines])))
    lines = [csv.line for csv in csv_lines]
    wrapped = any(len(csv.pieces) > 1 for csv in csv_lines)
    for test in BONNIE_TESTS:
        metric = metric_of(test)
        for name, measured, scale, printed in (
            (test, metric, kib if metric == "throughput" else float, _CELL),
            (f"{test}_cpu", "cpu_of_one_core", percent, _CELL),
            (f"{test}_latency", "latency_max", seconds, _TIME),
        ):
            column = columns.get(name, ())
            distinct = set(column)
            if any(distinct):
                _check(csv_lines, name, column, distinct, printed)
                if wrapped:
                    lines = [csv.line_of(name) for csv in csv_lines]
                _keep_column(collector, identity.key(test, measured), column, distinct, lines, scale)


def _check(
    csv_lines: Sequence[CsvLine], name: str, column: Sequence[str], distinct: set[str], printed: re.Pattern[str]
) -> None:
    wrong = {text for text in distinct if text and not printed.fullmatch(text)}
    if wrong:
        csv, text = next(pair for pair in zip(csv_lines, column) if pair[1] in wrong)
        what = "is no time in us, ms or s" if printed is _TIME else "is no number"
        raise csv.fault(name, f"{text!r} {what}")


def _keep_column(
    collector: Collector, key: ResultKey, column: Sequence[str], distinct: set[str], lines: list[int], scale: Scale
) -> None:
    """Keep the cells of one test. An empty field is a test that was not run."""
    numbers = {text: None if text[0] == "+" else scale(text) for text in distinct if text}
    without = [text for text, number in numbers.items() if not number and (number is None or key.metric != _CPU)]
    if "" in distinct:
        lines = [line for text, line in zip(column, lines) if text]
        column = [text for text in column if text]
    if len(without) > 1 or any(numbers[text] == 0 for text in without):
        for text, line in zip(column, lines):
            keep_number(collector, key, text, line, scale)
    else:
        values = list(map(numbers.__getitem__, column))
        collector.extend(key, values, lines, TOO_FAST.format(*without) if without else None)


def keep_number(collector: Collector, key: ResultKey, text: str, line: int, scale: Scale) -> None:
    """Keep one cell that is a number or a row of plus signs."""
    if text[0] == "+":
        collector.extend(key, [None], [line], TOO_FAST.format(text))
        return
    number = scale(text)
    if number == 0 and key.metric != _CPU:
        collector.extend(key, [None], [line], (NO_TIME if key.metric == "latency_max" else ZERO).format(text))
    else:
        collector.extend(key, [number], [line])


def kib(text: str) -> float:
    """KiB as bytes."""
    return float(text) * 1024


def percent(text: str) -> float:
    """A percentage as a ratio, rounded once."""
    return float(text + "e-2")


def seconds(text: str) -> float:
    """A latency in seconds, printed in whole us, ms or s."""
    per_second = _PER_SECOND.get(text[-2:])
    return int(text[:-2]) / per_second if per_second else float(text[:-1])


def with_chunk(settings: BonnieSettings, chunk: int | None) -> BonnieSettings:
    """The settings with this chunk size, if they have none."""
    return settings if chunk is None or settings.chunk_size is not None else replace(settings, chunk_size=chunk)
