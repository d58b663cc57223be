"""The results of a run: what its rounds measured side by side, and how long the tool ran in each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchagent.formats import rounds as formats_rounds
from benchagent.formats.model import FAILED, OK
from benchagent.formats.rounds import LONGEST_ERROR, RoundOutput

from .records import Round

# What every run measures of itself: how long the tool ran and the CPU time it took.
WHOLE = "run"
WHOLE_METRICS = {"elapsed": "elapsed", "user_time": "user_seconds", "system_time": "system_seconds"}


def merge(rounds: Sequence[Round], *, whole: bool = True) -> list[dict[str, Any]]:
    """The contract's `results`. `whole` adds how long the tool ran: the results of a run whose every round failed
    before it printed anything.
    """
    readings = (
        RoundOutput(index, reading.artifact, reading.parsed, emptied=reading.emptied)
        for index, each in enumerate(rounds)
        for reading in each.readings
    )
    failed = {index: each.error for index, each in enumerate(rounds) if each.error is not None}
    found = [_as_sent(row) for row in formats_rounds.merged(readings, len(rounds), failed)]
    return found + (_whole(rounds, failed) if whole else [])


def _as_sent(row: dict[str, Any]) -> dict[str, Any]:
    """Without what is empty."""
    return {name: value for name, value in row.items() if value is not None or name not in ("evidence", "source")}


def _whole(rounds: Sequence[Round], failed: dict[int, str]) -> list[dict[str, Any]]:
    """How long the tool ran in each round. A run whose every round failed has these as its failed results."""
    errors = [f"round {index + 1}: {error}" for index, error in failed.items()]
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
