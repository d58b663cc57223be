"""Rounds side by side: what was read in each, as the contract's results. The agent does it, and the server once more.

`values[i]` and its place in `source` belong to round i. A round that failed gives no values, not even those its tool
printed before it failed (docs/result-format.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .model import FAILED, OK, UNMEASURABLE, Parsed, Result

LONGEST_ERROR = 4000  # characters; the contract takes 4096

Row = dict[str, Any]
Key = tuple[Any, ...]


@dataclass(frozen=True)
class Reading:
    """What one artifact holds for one round. ``place`` is which of each result's values that is.

    ``emptied`` are the numbers of the results that were measured right after the caches were emptied.
    """

    round: int
    artifact: str
    parsed: Parsed
    place: int = 0
    emptied: frozenset[int] = frozenset()


def key_of(row: Mapping[str, Any]) -> Key:
    """What makes a row unique inside a run. In params 1 and 1.0 are the same and true is another, as in the store."""
    return _key(**{name: row[name] for name in ("test", "metric", "file_size", "record_size", "threads", "params")})


def _key(
    test: str,
    metric: str,
    file_size: int | None,
    record_size: int | None,
    threads: int | None,
    params: Mapping[str, Any],
) -> Key:
    same = sorted((name, repr(float(value) if type(value) is int else value)) for name, value in params.items())
    return (test, metric, file_size, record_size, threads, tuple(same))


def merged(readings: Iterable[Reading], rounds: int, failed: Mapping[int, str]) -> list[Row]:
    """The results of all readings, which are in the order of their rounds; ``failed`` has the reason of each round."""
    found: dict[Key, _Cells] = {}
    for reading in readings:
        for number, result in enumerate(reading.parsed.results):
            key = _key(result.test, result.metric, result.file_size, result.record_size, result.threads, result.params)
            cells = found.setdefault(key, _Cells(result, [None] * rounds, [None] * rounds, [None] * rounds))
            if reading.round not in failed:
                cells.take(reading, result, number in reading.emptied)
    for index, error in sorted(failed.items()):
        for cells in found.values():
            cells.statuses.add(FAILED)
            cells.note(index, error)
    return [cells.as_row() for cells in found.values()]


@dataclass
class _Cells:
    result: Result
    values: list[float | None]
    artifacts: list[str | None]
    lines: list[int | None]
    statuses: set[str] = field(default_factory=set)
    errors: list[str] = field(default_factory=list)
    evidence: Counter[str] = field(default_factory=Counter)
    emptied: set[bool] = field(default_factory=set)  # whether caches were emptied before, in the rounds that count

    def take(self, reading: Reading, result: Result, emptied: bool) -> None:
        self.statuses.add(result.status)
        self.emptied.add(emptied)
        if reading.place < len(result.lines):
            self.artifacts[reading.round], self.lines[reading.round] = reading.artifact, result.lines[reading.place]
        if reading.place < len(result.values):
            self.values[reading.round] = result.values[reading.place]
        if reading.place == 0:  # these belong to all values of the text
            self.evidence.update(result.evidence)
            if result.error:
                self.note(reading.round, result.error)

    def note(self, round_: int, error: str) -> None:
        """Keep why a round has no value."""
        self.errors.append(f"round {round_ + 1}: {error}" if len(self.values) > 1 else error)

    def as_row(self) -> Row:
        result = self.result
        measured = any(value is not None for value in self.values)
        status = OK if measured else UNMEASURABLE if self.statuses == {UNMEASURABLE} else FAILED
        evidence: Row = {**self.evidence, **({"cache_emptied": True} if self.emptied == {True} else {})}
        return {
            "test": result.test,
            "metric": result.metric,
            "unit": result.unit,
            "file_size": result.file_size,
            "record_size": result.record_size,
            "threads": result.threads,
            "params": dict(result.params),
            "values": self.values,
            "status": status,
            "error": "\n".join(self.errors)[:LONGEST_ERROR] or (None if status != FAILED else "no round gave a value"),
            "evidence": evidence or None,
            "source": {"artifacts": self.artifacts, "lines": self.lines} if any(self.artifacts) else None,
        }
