"""Gathers values into results, and unread lines into warnings. Linear in the size of the text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Callable

from benchagent.formats.model import FAILED, OK, UNMEASURABLE, Param, Result, ResultKey
from benchagent.formats.vocabulary import METRICS


def params_key(params: Mapping[str, Param]) -> tuple[tuple[str, Param], ...]:
    """Params as ``ResultKey`` has them, sorted by name."""
    return tuple(sorted(params.items()))


@dataclass
class GatheredValues:
    """The values gathered under one key: ``values[i]`` is from line ``lines[i]``; ``shuffled`` if not in order.

    ``histograms`` has the distributions by line.
    """

    values: list[float | None] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    failed: bool = False
    shuffled: bool = False
    evidence: dict[str, int] = field(default_factory=dict)
    histograms: dict[int, str] = field(default_factory=dict)

    def add(self, value: float | None, line: int) -> None:
        """Add one number, in the metric's base unit."""
        if self.lines and line < self.lines[-1]:
            self.shuffled = True
        self.values.append(value)
        self.lines.append(line)

    def add_none(self, line: int, error: str, status: str) -> None:
        """Add a repetition without a number. ``status`` is ``failed`` or ``unmeasurable``, ``error`` the reason."""
        self.add(None, line)
        self.failed = self.failed or status == FAILED
        if error not in self.errors[-1:]:
            self.errors.append(error)

    def add_evidence(self, evidence: Mapping[str, int]) -> None:
        """Add to the evidence, which is that of all values together."""
        for name, amount in evidence.items():
            self.evidence[name] = self.evidence.get(name, 0) + amount


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
        """Keep many values of one key at once; ``error`` is the reason for those that are None.

        A reader of columns may pass later lines first; ``results`` sorts them.
        """
        cells = self.cells_at(key)
        cells.shuffled = cells.shuffled or bool(cells.lines and lines and lines[0] < cells.lines[-1])
        cells.values.extend(values)
        cells.lines.extend(lines)
        if error and error not in cells.errors[-1:]:
            cells.errors.append(error)

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
        """The values under a key, for readers that append to many keys in turn."""
        cells = self._cells.get(key)
        if cells is None:
            cells = self._cells[key] = GatheredValues()
        return cells

    def cells(self) -> Mapping[ResultKey, GatheredValues]:
        """Everything gathered so far."""
        return self._cells

    def results(self) -> tuple[Result, ...]:
        return tuple(result_of(key, cells) for key, cells in self._cells.items())

    def warnings(self) -> tuple[str, ...]:
        return (*self._warnings, *_unread_warnings(self._unread))

    def unread_lines(self) -> tuple[tuple[int, str], ...]:
        """(line, text) of every unread line."""
        return tuple(self._unread)


def result_of(key: ResultKey, cells: GatheredValues) -> Result:
    if cells.shuffled:
        order = sorted(range(len(cells.lines)), key=cells.lines.__getitem__)
        cells.values = [cells.values[index] for index in order]
        cells.lines = [cells.lines[index] for index in order]
        cells.shuffled = False
    measured = any(value is not None for value in cells.values)
    return Result(
        test=key.test,
        metric=key.metric,
        unit=METRICS[key.metric].unit,
        values=tuple(cells.values),
        file_size=key.file_size,
        record_size=key.record_size,
        threads=key.threads,
        params=dict(key.params),
        status=OK if measured else FAILED if cells.failed else UNMEASURABLE,
        error="; ".join(cells.errors) or None,
        lines=tuple(cells.lines),
        evidence=dict(cells.evidence),
        histograms=tuple(map(cells.histograms.get, cells.lines)) if cells.histograms else (),
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
