"""The results of a run: the values of its rounds, joined by result, and the duration of the tool in each round."""

from __future__ import annotations

from collections.abc import Sequence

from benchagent.formats import rounds as formats_rounds
from benchagent.formats.model import FAILED, OK
from benchagent.formats.rounds import LONGEST_ERROR, MergedResult, RoundOutput

from .records import Round

# Every run has these results of its own: the elapsed time and the CPU time of the tool.
WHOLE = "run"
WHOLE_METRICS = {"elapsed": "elapsed", "user_time": "user_seconds", "system_time": "system_seconds"}


def merge(rounds: Sequence[Round], *, whole: bool = True) -> list[MergedResult]:
    """The results of these rounds. `whole` adds the duration of the tool.

    A run whose rounds all failed before the tool printed anything has only the latter.
    """
    readings = (
        RoundOutput(index, reading.artifact, reading.parsed, emptied=reading.emptied)
        for index, measured in enumerate(rounds)
        for reading in measured.readings
    )
    failed = {index: measured.error for index, measured in enumerate(rounds) if measured.error is not None}
    return formats_rounds.merged(readings, len(rounds), failed) + (_whole(rounds, failed) if whole else [])


def _whole(rounds: Sequence[Round], failed: dict[int, str]) -> list[MergedResult]:
    """The elapsed and CPU time of the tool in each round; failed results if every round failed."""
    errors = [f"round {index + 1}: {error}" for index, error in failed.items()]
    error = "\n".join(errors)[:LONGEST_ERROR] or None
    results = []
    for metric, key in WHOLE_METRICS.items():
        values = [None if one.error is not None else _whole_value(one, key) for one in rounds]
        status = OK if any(value is not None for value in values) else FAILED
        results.append(MergedResult(WHOLE, metric, "s", values, status=status, error=error))
    return results


def _whole_value(measured: Round, key: str) -> float | None:
    if key == "elapsed":
        return measured.elapsed
    return measured.evidence.usage.get(key) if measured.evidence is not None else None
