"""Rounds side by side: the values of each result, one a round, with the reasons where there is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .formats import Result
from .formats.model import FAILED, OK, UNMEASURABLE
from .records import Round

# What every run measures of itself: how long the tool ran and the CPU time it took.
WHOLE = "run"
WHOLE_METRICS = {"elapsed": "elapsed", "user_time": "user_seconds", "system_time": "system_seconds"}
LONGEST_ERROR = 4000  # characters; the contract takes 4096


@dataclass
class _Cells:
    result: Result
    values: list[float | None]
    source: list[dict[str, Any] | None]
    statuses: set[str] = field(default_factory=set)
    errors: list[str] = field(default_factory=list)
    evidence: Counter[str] = field(default_factory=Counter)
    emptied: set[bool] = field(default_factory=set)  # whether caches were emptied before, in the rounds with a value


def merge(rounds: Sequence[Round], *, whole: bool = True) -> list[dict[str, Any]]:
    """The contract's `results`; `values[i]` and `source[i]` belong to `rounds[i]`, and are None where it has none.

    A round that failed gives no values, not even those its tool printed before it failed. `whole` adds how long the
    tool ran: the results of a run whose every round failed before it printed anything.
    """
    found: dict[tuple[Any, ...], _Cells] = {}
    for index, round_ in enumerate(rounds):
        for result, reading, emptied in round_.results:
            cells = found.setdefault(_key(result), _Cells(result, [None] * len(rounds), [None] * len(rounds)))
            if round_.error is None:
                _take(cells, index, result, reading.artifact)
                cells.emptied.add(emptied)
    for cells in found.values():
        for index, round_ in enumerate(rounds):
            if round_.error is not None:
                cells.statuses.add(FAILED)
                _note(cells, index, round_.error)
    return [_as_dict(cells) for cells in found.values()] + (_whole(rounds) if whole else [])


def _key(result: Result) -> tuple[Any, ...]:
    params = tuple(sorted(result.params.items()))
    return (result.test, result.metric, result.file_size, result.record_size, result.threads, params)


def _take(cells: _Cells, index: int, result: Result, artifact: str) -> None:
    cells.statuses.add(result.status)
    if result.lines:
        cells.source[index] = {"artifact": artifact, "line": result.lines[0]}
    cells.values[index] = result.values[0] if result.values else None
    cells.evidence.update(result.evidence)
    if result.error:
        _note(cells, index, result.error)


def _note(cells: _Cells, index: int, error: str) -> None:
    """Keep why a round has no value."""
    cells.errors.append(f"round {index + 1}: {error}" if len(cells.values) > 1 else error)


def _as_dict(cells: _Cells) -> dict[str, Any]:
    result = cells.result
    measured = any(value is not None for value in cells.values)
    status = OK if measured else UNMEASURABLE if cells.statuses == {UNMEASURABLE} else FAILED
    error = "\n".join(cells.errors)[:LONGEST_ERROR] or (None if status != FAILED else "no round gave a value")
    found: dict[str, Any] = {
        "test": result.test,
        "metric": result.metric,
        "unit": result.unit,
        "file_size": result.file_size,
        "record_size": result.record_size,
        "threads": result.threads,
        "params": dict(result.params),
        "values": cells.values,
        "status": status,
        "error": error,
    }
    if any(cells.source):
        found["source"] = cells.source
    evidence: dict[str, Any] = dict(cells.evidence)
    if cells.emptied == {True}:
        evidence["cache_emptied"] = True
    if evidence:
        found["evidence"] = evidence
    return found


def _whole(rounds: Sequence[Round]) -> list[dict[str, Any]]:
    """How long the tool ran in each round. A run whose every round failed has these as its failed results."""
    errors = [f"round {index + 1}: {each.error}" for index, each in enumerate(rounds) if each.error is not None]
    found = []
    for metric, key in WHOLE_METRICS.items():
        values = [
            None if each.error is not None else each.elapsed if key == "elapsed" else (each.evidence or {}).get(key)
            for each in rounds
        ]
        measured = any(value is not None for value in values)
        error = "\n".join(errors)[:LONGEST_ERROR] or None
        found.append(
            {
                "test": WHOLE,
                "metric": metric,
                "unit": "s",
                "values": values,
                "status": OK if measured else FAILED,
                "error": error,
            }
        )
    return found
