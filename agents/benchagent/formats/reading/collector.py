"""Gathers values into results, and unread lines into warnings. Linear in the size of the text."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import cast, overload

from benchagent.formats.model import (
    FAILED,
    MOST_RESULTS,
    OK,
    UNMEASURABLE,
    Param,
    Result,
    ResultKey,
    TooManyResults,
)
from benchagent.formats.vocabulary import METRICS

from .garbage import without_garbage_collection

_NONE = float("nan")  # in the array of the values: this repetition has no number
_MOST_KEPT = 200_000  # values of results that are made once


def params_key(params: Mapping[str, Param]) -> tuple[tuple[str, Param], ...]:
    """Params as ``ResultKey`` has them, sorted by name."""
    return tuple(sorted(params.items()))


class GatheredValues:
    """The values gathered under one key: value i is from line ``lines[i]``; ``shuffled`` if not in order.

    ``histograms`` has the distributions by line.
    """

    __slots__ = ("_lacks", "_values", "errors", "evidence", "failed", "histograms", "lines", "shuffled")

    def __init__(self) -> None:
        self._values, self.lines = array("d"), array("I")
        self.errors: list[str] = []
        self.failed = self.shuffled = False
        self._lacks = False  # whether a repetition has no number
        self.evidence: dict[str, int] = {}
        self.histograms: dict[int, str] = {}

    def add(self, value: float | None, line: int) -> None:
        """Add one number, in the metric's base unit."""
        if self.lines and line < self.lines[-1]:
            self.shuffled = True
        if value is None:
            self._lacks, value = True, _NONE
        self._values.append(value)
        self.lines.append(line)

    def add_none(self, line: int, error: str, status: str) -> None:
        """Add a repetition without a number. ``status`` is ``failed`` or ``unmeasurable``, ``error`` the reason."""
        self.add(None, line)
        self.failed = self.failed or status == FAILED
        if error not in self.errors[-1:]:
            self.errors.append(error)

    def extend(self, values: Sequence[float | None], lines: Sequence[int], error: str | None = None) -> None:
        """Add many numbers at once; ``error`` is the reason for those that are None. Later lines may come first."""
        self.shuffled = self.shuffled or bool(self.lines and lines and lines[0] < self.lines[-1])
        if None in values:
            self._lacks, values = True, [_NONE if value is None else value for value in values]
        self._values.extend(cast("Sequence[float]", values))
        self.lines.extend(lines)
        if error and error not in self.errors[-1:]:
            self.errors.append(error)

    def add_evidence(self, evidence: Mapping[str, int]) -> None:
        """Add to the evidence, which is that of all values together."""
        for name, amount in evidence.items():
            self.evidence[name] = self.evidence.get(name, 0) + amount

    def values(self) -> tuple[float | None, ...]:
        """The numbers; None for a repetition without one."""
        return tuple([value if value == value else None for value in self._values] if self._lacks else self._values)

    def in_order(self) -> GatheredValues:
        """The same, in the order of the lines."""
        if not self.shuffled:
            return self
        order = sorted(range(len(self.lines)), key=self.lines.__getitem__)
        self._values = array("d", map(self._values.__getitem__, order))
        self.lines = array("I", map(self.lines.__getitem__, order))
        self.shuffled = False
        return self


class MadeResults(Sequence[Result]):
    """Results that are made when they are used; their number is known before.

    A long text has millions of values, so that the results of one with many are made anew for each use, and only one
    exists at a time.
    """

    def __init__(self, count: int, values: int, make: Callable[[], Iterable[Result]]) -> None:
        self._count, self._values, self._make = count, values, make
        self._kept: tuple[Result, ...] | None = None

    def changed(self, change: Callable[[Result], Result]) -> MadeResults:
        """The results after a change of each."""
        return MadeResults(self._count, self._values, lambda: map(change, self))

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Result]:
        if self._kept is None and self._values <= _MOST_KEPT:
            with without_garbage_collection():
                self._kept = tuple(self._make())
        return iter(self._make() if self._kept is None else self._kept)

    @overload
    def __getitem__(self, index: int) -> Result: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Result, ...]: ...

    def __getitem__(self, index: int | slice) -> Result | tuple[Result, ...]:
        if isinstance(index, int) and index >= 0 and self._kept is None and self._values > _MOST_KEPT:
            return next(islice(self, index, None))
        return tuple(self)[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (MadeResults, tuple)) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __reduce__(self) -> tuple[type[tuple[Result, ...]], tuple[tuple[Result, ...]]]:
        return tuple, (tuple(self),)  # a copy is a plain tuple


class Collector:
    """Collects the numbers of a text. Those with the same key become the values of one result, in order of lines."""

    def __init__(self) -> None:
        self._cells: dict[ResultKey, GatheredValues] = {}
        self._warnings: list[str] = []
        self._unread: list[tuple[int, str]] = []

    def value(self, key: ResultKey, value: float, line: int, evidence: Mapping[str, int] | None = None) -> None:
        """Keep one number, in the metric's base unit. Evidence is added up over the values."""
        cells = self.cells_at(key)
        cells.add(value, line)
        if evidence:
            cells.add_evidence(evidence)

    def histogram(self, key: ResultKey, packed: str, line: int) -> None:
        """Keep the distribution of the latencies whose mean is the value of this line."""
        self.cells_at(key).histograms[line] = packed

    def no_value(self, key: ResultKey, line: int, error: str, status: str = UNMEASURABLE) -> None:
        """Keep a repetition without a number. ``status`` is ``failed`` or ``unmeasurable``, ``error`` the reason."""
        self.cells_at(key).add_none(line, error, status)

    def extend(
        self, key: ResultKey, values: Sequence[float | None], lines: Sequence[int], error: str | None = None
    ) -> None:
        """Keep many values of one key at once; ``error`` is the reason for those that are None."""
        self.cells_at(key).extend(values, lines, error)

    def warn(self, message: str, line: int | None = None) -> None:
        self._warnings.append(message if line is None else f"line {line}: {message}")

    def read(self, lines: Iterable[tuple[int, str]], take: Callable[[str, int], object]) -> None:
        """Pass each numbered line that is not blank, stripped, to `take`; it is unread if `take` returns false."""
        for number, line in lines:
            if (stripped := line.strip()) and not take(stripped, number):
                self.unread(number, line)

    def unread(self, line: int, text: str) -> None:
        self._unread.append((line, text.strip()))

    def cells_at(self, key: ResultKey) -> GatheredValues:
        """The values under a key, for readers that append to many keys in turn. Raises TooManyResults."""
        cells = self._cells.get(key)
        if cells is None:
            if len(self._cells) == MOST_RESULTS:
                raise TooManyResults
            cells = self._cells[key] = GatheredValues()
        return cells

    def cells(self) -> Mapping[ResultKey, GatheredValues]:
        """Everything gathered so far."""
        return self._cells

    def results(self) -> MadeResults:
        """Every result of what was gathered until its first use."""
        cells = self._cells
        values = sum(len(gathered.lines) for gathered in cells.values())
        return MadeResults(len(cells), values, lambda: (result_of(key, gathered) for key, gathered in cells.items()))

    def warnings(self) -> tuple[str, ...]:
        return (*self._warnings, *_unread_warnings(self._unread))

    def unread_lines(self) -> tuple[tuple[int, str], ...]:
        """(line, text) of every unread line."""
        return tuple(self._unread)


def result_of(key: ResultKey, gathered: GatheredValues) -> Result:
    cells = gathered.in_order()
    values, lines = cells.values(), tuple(cells.lines)
    measured = any(value is not None for value in values)
    return Result(
        test=key.test,
        metric=key.metric,
        unit=METRICS[key.metric].unit,
        values=values,
        file_size=key.file_size,
        record_size=key.record_size,
        threads=key.threads,
        params=dict(key.params),
        status=OK if measured else FAILED if cells.failed else UNMEASURABLE,
        error="; ".join(cells.errors) or None,
        lines=lines,
        evidence=dict(cells.evidence),
        histograms=tuple(map(cells.histograms.get, lines)) if cells.histograms else (),
    )


def _unread_warnings(unread: list[tuple[int, str]]) -> Iterable[str]:
    """One warning for each block of neighbouring lines, so that a long foreign text gives one sentence."""
    start = 0
    for index, (line, _) in enumerate(unread):
        if index + 1 < len(unread) and unread[index + 1][0] == line + 1:
            continue
        first, text = unread[start]
        which = f"line {first} was" if first == line else f"lines {first} to {line} were"
        yield f"{which} not read: {_shorten(text)}"
        start = index + 1


def _shorten(text: str, limit: int = 80) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
