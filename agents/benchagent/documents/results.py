"""The results of a run: the values of its rounds, joined by result, and the duration of the tool in each round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchagent.formats import rounds as formats_rounds
from benchagent.formats.model import FAILED, OK
from benchagent.formats.rounds import LONGEST_ERROR, RoundOutput

from .records import Round

# Every run has these results of its own: the elapsed time and the CPU time of the tool.
WHOLE = "run"
WHOLE_METRICS = {"elapsed": "elapsed", "user_time": "user_seconds", "system_time": "system_seconds"}


def merge(rounds: Sequence[Round], *, whole: bool = True) -> list[dict[str, Any]]:
    """The contract's `results`. `whole` adds the duration of the tool.

    A run whose rounds all failed before the tool printed anything has only the latter.
    """
    readings = (
        RoundOutput(index, reading.artifact, reading.parsed, emptied=reading.emptied)
        for index, measured in enumerate(rounds)
        for reading in measured.readings
    )
    failed = {index: measured.error for index, measured in enumerate(rounds) if measured.error is not None}
    results = [_as_sent(row) for row in formats_rounds.merged(readings, len(rounds), failed)]
    return results + (_whole(rounds, failed) if whole else [])


def _as_sent(row: dict[str, Any]) -> dict[str, Any]:
    """The row without empty evidence and source."""
    return {name: value for name, value in row.items() if value is not None or name not in ("evidence", "source")}


def _whole(rounds: Sequence[Round], failed: dict[int, str]) -> list[dict[str, Any]]:
    """The elapsed and CPU time of the tool in each round; failed results if every round failed."""
    errors = [f"round {index + 1}: {error}" for index, error in failed.items()]
    results = []
    for metric, key in WHOLE_METRICS.items():
        values = [
            None if one.error is not None else one.elapsed if key == "elapsed" else (one.evidence or {}).get(key)
            for one in rounds
        ]
        has_value = any(value is not None for value in values)
        error = "\n".join(errors)[:LONGEST_ERROR] or None
        results.append(
            {
                "test": WHOLE,
                "metric": metric,
                "unit": "s",
                "values": values,
                "status": OK if has_value else FAILED,
                "error": error,
            }
        )
    return results
