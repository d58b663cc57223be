"""Tables with many numbers: rows are kept as printed, and become results only when they are used.

A table of 75,000 rows is a million results. Making the results takes seconds; reading the rows takes a fraction of a
second. A caller that only counts the results, to refuse too many, does not wait.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from benchagent.formats.model import OK, UNMEASURABLE, Param, Result, ResultKey
from benchagent.formats.vocabulary import METRICS

from .collector import GatheredValues, result_of


class GridRow(NamedTuple):
    """A line: file size, record size and numbers as printed, separated by blanks.

    Bit i of ``columns`` is set if column i has a number. A printed 0 is a time too short to measure.
    """

    line: int
    columns: int
    text: str

    def words(self) -> list[str]:
        """The numbers, in the order of the columns that have one."""
        return self.text.split()[2:]


def index_of(columns: int, column: int) -> int | None:
    """The index of a column's number among the numbers of a row; None if the column has none."""
    return bin(columns & ((1 << column) - 1)).count("1") if columns >> column & 1 else None


class NumberGrid:
    """Rows of one metric under the same column heads. ``zero`` is the reason why a printed 0 is no value."""

    def __init__(self, tests: Sequence[str], metric: str, to_base: Callable[[float], float], zero: str) -> None:
        self._tests, self._metric, self._to_base, self._zero = tests, metric, to_base, zero
        self._first: dict[tuple[int, int], GridRow] = {}
        self._repetitions: dict[tuple[int, int], list[GridRow]] = {}  # rows behind the first one of the same sizes

    def add(self, sizes: tuple[int, int], row: GridRow) -> None:
        """Keep a row of a file size and a record size. Rows of the same sizes are repetitions."""
        if self._first.setdefault(sizes, row) is not row:
            self._repetitions.setdefault(sizes, []).append(row)

    def _rows(self) -> Iterator[tuple[tuple[int, int], list[GridRow]]]:
        """The sizes and their rows, in the order of the text."""
        for sizes, row in self._first.items():
            yield sizes, [row, *self._repetitions.get(sizes, ())]

    def count(self) -> int:
        """The number of results."""
        count = 0
        for sizes, row in self._first.items():
            columns = row.columns
            for repetition in self._repetitions.get(sizes, ()):
                columns |= repetition.columns
            count += bin(columns).count("1")
        return count

    def most_values(self) -> int:
        """The number of values if every row has one for each column."""
        return (len(self._first) + sum(map(len, self._repetitions.values()))) * len(self._tests)

    def cells(self, params: tuple[tuple[str, Param], ...]) -> Iterator[tuple[ResultKey, GatheredValues]]:
        """The values of every column and pair of sizes, in the order of the text."""
        for (file_size, record_size), rows in self._rows():
            for column, lines, numbers in _columns(rows):
                key = ResultKey(self._tests[column], self._metric, file_size, record_size, None, params)
                yield key, self._cells_of(lines, numbers)

    def results(self, params: Mapping[str, Param]) -> Iterator[Result]:
        """Every result, in the order of the text; all have the same ``params``."""
        tests, metric, to_base = self._tests, self._metric, self._to_base
        unit = METRICS[metric].unit
        for (file_size, record_size), rows in self._rows():
            for column, lines, printed in _columns(rows):
                values = tuple([to_base(number) if (number := float(text)) else None for text in printed])
                status, error = OK, None
                if None in values:
                    status, error = OK if any(values) else UNMEASURABLE, self._zero
                yield Result(
                    tests[column], metric, unit, values, file_size, record_size, None, params, status, error, lines
                )

    def has(self, key: ResultKey) -> bool:
        """Whether a row has a number for the test and sizes of a key."""
        if key.metric != self._metric or key.threads is not None or key.test not in self._tests:
            return False
        bit = 1 << self._tests.index(key.test)
        sizes = key.file_size or 0, key.record_size or 0
        first = self._first.get(sizes)
        return first is not None and any(row.columns & bit for row in (first, *self._repetitions.get(sizes, ())))

    def _cells_of(self, lines: Sequence[int], printed: Sequence[str]) -> GatheredValues:
        gathered, numbers = GatheredValues(), list(map(float, printed))
        values = [self._to_base(number) if number else None for number in numbers]
        gathered.extend(values, lines, None if all(numbers) else self._zero)
        return gathered


def _columns(rows: list[GridRow]) -> Iterator[tuple[int, tuple[int, ...], Sequence[str]]]:
    """(column, lines, numbers) of every column that any of the rows has."""
    shapes = {row.columns for row in rows}
    if len(shapes) == 1:
        lines = tuple([row.line for row in rows])
        for column, numbers in zip(_present(rows[0].columns), zip(*[row.words() for row in rows])):
            yield column, lines, numbers
        return
    words = [row.words() for row in rows]
    for column in range(max(shapes).bit_length()):
        indexes = [index_of(row.columns, column) for row in rows]
        printed = [(row.line, of_row[i]) for row, of_row, i in zip(rows, words, indexes) if i is not None]
        if printed:
            yield column, tuple([line for line, _ in printed]), [number for _, number in printed]


@lru_cache(maxsize=256)
def _present(shape: int) -> tuple[int, ...]:
    return tuple(column for column in range(shape.bit_length()) if shape >> column & 1)


def merged(key: ResultKey, cells: GatheredValues, others: GatheredValues) -> Result:
    """A result from the values that a grid and a collector have for one key, in the order of the text."""
    cells.extend(others.values(), others.lines)
    cells.errors += [error for error in others.errors if error not in cells.errors]
    cells.failed, cells.evidence, cells.shuffled = others.failed, others.evidence, True
    return result_of(key, cells)
