"""Gathers cells into results and lines that nobody could read into warnings. Linear in the size of the text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from benchagent.formats.model import FAILED, OK, UNMEASURABLE, Param, Result
from benchagent.formats.vocabulary import METRICS


class Key(NamedTuple):
    """What makes a result unique within a text. ``params`` is sorted, so that equal params are equal keys."""

    test: str
    metric: str
    file_size: int | None = None
    record_size: int | None = None
    threads: int | None = None
    params: tuple[tuple[str, Param], ...] = ()


def params_key(params: dict[str, Param]) -> tuple[tuple[str, Param], ...]:
    return tuple(sorted(params.items()))


@dataclass
class _Cells:
    values: list[float | None] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    failed: bool = False
    evidence: Counter[str] = field(default_factory=Counter)


class Collector:
    """Cells under the same key become the values of one result, in the order of the text."""

    def __init__(self) -> None:
        self._cells: dict[Key, _Cells] = {}
        self._warnings: list[str] = []
        self._unread: list[tuple[int, str]] = []

    def value(self, key: Key, value: float, line: int, evidence: Mapping[str, int] | None = None) -> None:
        """Keep one number, already in the metric's base unit; evidence is added up over the values."""
        cells = self._at(key, line)
        cells.values.append(value)
        cells.evidence.update(evidence or {})

    def no_value(self, key: Key, line: int, error: str, status: str = UNMEASURABLE) -> None:
        """Keep that a cell has no number, and why: ``failed`` or ``unmeasurable``."""
        cells = self._at(key, line)
        cells.values.append(None)
        cells.failed = cells.failed or status == FAILED
        if error not in cells.errors[-1:]:
            cells.errors.append(error)

    def warn(self, message: str, line: int | None = None) -> None:
        self._warnings.append(message if line is None else f"line {line}: {message}")

    def unread(self, line: int, text: str) -> None:
        self._unread.append((line, text.strip()))

    def values_at(self, key: Key) -> list[float | None] | None:
        """The values gathered so far under a key; None where nothing was."""
        cells = self._cells.get(key)
        return cells.values if cells else None

    def results(self) -> tuple[Result, ...]:
        return tuple(_result(key, cells) for key, cells in self._cells.items())

    def warnings(self) -> tuple[str, ...]:
        return (*self._warnings, *_unread_warnings(self._unread))

    def unread_lines(self) -> tuple[tuple[int, str], ...]:
        """(line, text) of every line nobody could read."""
        return tuple(self._unread)

    def _at(self, key: Key, line: int) -> _Cells:
        cells = self._cells.setdefault(key, _Cells())
        cells.lines.append(line)
        return cells


def _result(key: Key, cells: _Cells) -> Result:
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
    )


def _unread_warnings(unread: list[tuple[int, str]]) -> Iterable[str]:
    """One warning for each block of neighbouring lines, so that a long foreign text stays one sentence."""
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
