"""Rounds side by side again: what our parsers read in a run's raw output, as the contract's results.

The agent does the same with the output in its memory; the rules are docs/result-format.md's. A round that failed gives
no values, not even those its tool printed before it failed, except where only the parser of its day could not read it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchagent.formats import Parsed, Result
from benchagent.formats.model import FAILED, OK, UNMEASURABLE

# How the agent begins the reason of a round whose tool succeeded.
UNREAD = ("its output could not be read", "its output is not complete", "its output holds no results")
LONGEST_ERROR = 4000  # characters; the contract takes 4096

Row = dict[str, Any]
Key = tuple[Any, ...]


@dataclass(frozen=True)
class Reading:
    """What one artifact holds for one round; `place` is which of each result's values that is."""

    round: int
    artifact: str
    parsed: Parsed
    place: int = 0


@dataclass
class _Cells:
    result: Result
    values: list[float | None]
    source: list[dict[str, Any] | None]
    statuses: set[str] = field(default_factory=set)
    errors: list[str] = field(default_factory=list)
    evidence: Counter[str] = field(default_factory=Counter)

    def take(self, reading: Reading, result: Result) -> None:
        self.statuses.add(result.status)
        if reading.place < len(result.lines):
            self.source[reading.round] = {"artifact": reading.artifact, "line": result.lines[reading.place]}
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
        error = "\n".join(self.errors)[:LONGEST_ERROR] or (None if status != FAILED else "no round gave a value")
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
            "error": error,
            "evidence": dict(self.evidence) or None,
            "source": self.source if any(self.source) else None,
        }


def key_of(row: Mapping[str, Any]) -> Key:
    """What makes a result unique inside a run."""
    return (*(row[name] for name in ("test", "metric", "file_size", "record_size", "threads")), _params(row["params"]))


def _params(params: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Comparable as PostgreSQL compares them, for which 1 and 1.0 are the same, and true is another."""
    return tuple(sorted((name, repr(float(value) if type(value) is int else value)) for name, value in params.items()))


def failed_rounds(readings: Sequence[Reading], rounds: Sequence[Mapping[str, Any]]) -> dict[int, str]:
    """The rounds whose output counts for nothing, with the reason."""
    torn = {each.round for each in readings if not each.parsed.complete or not each.parsed.results}
    whole = {each.round for each in readings} - torn
    failed = {index: round_.get("error") or "" for index, round_ in enumerate(rounds) if round_["status"] == FAILED}
    return {index: error for index, error in failed.items() if not (error.startswith(UNREAD) and index in whole)}


def merged(readings: Sequence[Reading], rounds: Sequence[Mapping[str, Any]]) -> list[Row]:
    """The results of all readings, `readings` in the order of their rounds; `rounds` as the document has them."""
    failed = failed_rounds(readings, rounds)
    found: dict[Key, _Cells] = {}
    for reading in readings:
        for result in reading.parsed.results:
            key = key_of({name: getattr(result, name) for name in Result.__dataclass_fields__})
            cells = found.setdefault(key, _Cells(result, [None] * len(rounds), [None] * len(rounds)))
            if reading.round not in failed:
                cells.take(reading, result)
    for index, error in failed.items():
        for cells in found.values():
            cells.statuses.add(FAILED)
            cells.note(index, error or "the round failed")
    return [cells.as_row() for cells in found.values()]
