"""Tables with many numbers: rows are kept as printed, and become results only when they are used.

A table of 75,000 rows is a million results. Making the results takes seconds; reading the rows takes a fraction of a
second. A caller that only counts the results, to refuse too many, does not wait.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple, overload

from benchagent.formats.model import OK, UNMEASURABLE, Param, Result, ResultKey
from benchagent.formats.vocabulary import METRICS

from .collector import GatheredValues, result_of
from .garbage import without_garbage_collection


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
        self._rows: dict[tuple[int, int], list[GridRow]] = {}

    def add(self, file_size: int, record_size: int, row: GridRow) -> None:
        """Keep a row. Rows of the same sizes are repetitions."""
        sizes = file_size, record_size
        rows = self._rows.get(sizes)
        if rows is None:
            self._rows[sizes] = [row]
        else:
            rows.append(row)

    def count(self) -> int:
        """The number of results."""
        count = 0
        for rows in self._rows.values():
            columns = rows[0].columns
            for row in rows:
                columns |= row.columns
            count += bin(columns).count("1")
        return count

    def cells(self, params: tuple[tuple[str, Param], ...]) -> Iterator[tuple[ResultKey, GatheredValues]]:
        """The values of every column and pair of sizes, in the order of the text."""
        for (file_size, record_size), rows in self._rows.items():
            for column, lines, numbers in _columns(rows):
                key = ResultKey(self._tests[column], self._metric, file_size, record_size, None, params)
                yield key, self._cells_of(lines, numbers)

    def results(self, params: Mapping[str, Param]) -> Iterator[Result]:
        """Every result, in the order of the text; all have the same ``params``."""
        unit, to_base = METRICS[self._metric].unit, self._to_base
        for (file_size, record_size), rows in self._rows.items():
            for column, lines, printed in _columns(rows):
                numbers = list(map(float, printed))
                values = tuple([to_base(number) if number else None for number in numbers])
                yield Result(
                    self._tests[column],
                    self._metric,
                    unit,
                    values,
                    file_size,
                    record_size,
                    None,
                    params,
                    OK if any(numbers) else UNMEASURABLE,
                    None if all(numbers) else self._zero,
                    tuple(lines),
                )

    def has(self, key: ResultKey) -> bool:
        """Whether a row has a number for the test and sizes of a key."""
        if key.metric != self._metric or key.threads is not None or key.test not in self._tests:
            return False
        bit = 1 << self._tests.index(key.test)
        return any(row.columns & bit for row in self._rows.get((key.file_size or 0, key.record_size or 0), ()))

    def _cells_of(self, lines: list[int], printed: Sequence[str]) -> GatheredValues:
        numbers = list(map(float, printed))
        if 0 in numbers:
            values = [self._to_base(number) if number else None for number in numbers]
            return GatheredValues(values, lines, [self._zero])
        return GatheredValues([self._to_base(number) for number in numbers], lines)


def _columns(rows: list[GridRow]) -> Iterator[tuple[int, list[int], Sequence[str]]]:
    """(column, lines, numbers) of every column that any of the rows has."""
    shapes = {row.columns for row in rows}
    if len(shapes) == 1:
        lines = [row.line for row in rows]
        for column, numbers in zip(_present(rows[0].columns), zip(*[row.words() for row in rows])):
            yield column, lines, numbers
        return
    words = [row.words() for row in rows]
    for column in range(max(shapes).bit_length()):
        indexes = [index_of(row.columns, column) for row in rows]
        printed = [(row.line, of_row[i]) for row, of_row, i in zip(rows, words, indexes) if i is not None]
        if printed:
            yield column, [line for line, _ in printed], [number for _, number in printed]


@lru_cache(maxsize=256)
def _present(shape: int) -> tuple[int, ...]:
    return tuple(column for column in range(shape.bit_length()) if shape >> column & 1)


class GridResults(Sequence[Result]):
    """A tuple of results that are made on first use; their number is known before."""

    def __init__(self, count: int, make: Callable[[], Iterator[Result]]) -> None:
        self._count, self._make = count, make

    @cached_property
    def _results(self) -> tuple[Result, ...]:
        with without_garbage_collection():
            return tuple(self._make())

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Result]:
        return iter(self._results)

    @overload
    def __getitem__(self, index: int) -> Result: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Result, ...]: ...

    def __getitem__(self, index: int | slice) -> Result | tuple[Result, ...]:
        return self._results[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (GridResults, tuple)) and self._results == tuple(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._results)

    def __reduce__(self) -> tuple[type[tuple[Result, ...]], tuple[tuple[Result, ...]]]:
        return tuple, (self._results,)  # a copy is a plain tuple


def merged(key: ResultKey, cells: GatheredValues, others: GatheredValues) -> Result:
    """A result from the values that a grid and a collector have for one key, in the order of the text."""
    both = sorted([*zip(cells.lines, cells.values), *zip(others.lines, others.values)], key=lambda pair: pair[0])
    return result_of(
        key,
        GatheredValues(
            [value for _, value in both],
            [line for line, _ in both],
            [*cells.errors, *(error for error in others.errors if error not in cells.errors)],
            failed=others.failed,
            evidence=others.evidence,
        ),
    )
