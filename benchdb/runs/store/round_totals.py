"""What each round of a run amounts to: the sums and means of its series, stored beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np

from benchagent.formats.sampled import SAMPLED
from benchdb.replica.reading import reading

from .round_series import FloatArray


@dataclass(frozen=True, slots=True)
class RoundTotals:
    """A successful round: its sums of counters and means of levels by name, in base units.

    `own` are the sums of the tool's series over its tests. `seconds` is the length of the series, `logical_bytes` what
    the tool requested in the round; None if it is unknown.
    """

    number: int
    seconds: float
    logical_bytes: float | None
    of_machine: Mapping[str, float]
    own: Mapping[str, float]


def total_of(name: str, points: FloatArray) -> float:
    """The sum of a counter over its round, or the mean of a level, from its points in base units."""
    return float(points[-1]) if SAMPLED[name].grows else float(np.mean(points))


def totals_of_runs(runs: Iterable[UUID]) -> dict[UUID, list[RoundTotals]]:
    """The rounds that have series, in their order, by run; one query. Runs without series are missing."""
    found: dict[UUID, list[RoundTotals]] = {}
    with reading().cursor() as cursor:
        cursor.execute(_OF_RUNS, [list(runs)])
        for run_id, number, seconds, logical_bytes, names, tests, totals in cursor.fetchall():
            of_round = RoundTotals(number, seconds, logical_bytes, *_by_name(names, tests, totals))
            found.setdefault(run_id, []).append(of_round)
    return found


def _by_name(
    names: Sequence[str], tests: Sequence[str | None], totals: Sequence[float]
) -> tuple[dict[str, float], dict[str, float]]:
    """The totals of the machine, and those of the tool."""
    of_machine: dict[str, float] = {}
    own: dict[str, float] = {}
    for name, test, total in zip(names, tests, totals, strict=True):
        if test is None:
            of_machine[name] = total
        else:
            own[name] = own.get(name, 0.0) + total
    return of_machine, own


_OF_RUNS = """
SELECT s.run_id, s.round, s.seconds, (r.rounds -> s.round -> 'evidence' ->> 'logical_bytes')::float8,
  s.names, s.tests, s.totals
FROM runs_roundseries s
JOIN runs_run r ON r.id = s.run_id
WHERE s.run_id = ANY(%s) AND s.totals IS NOT NULL AND r.rounds -> s.round ->> 'status' = 'ok'
ORDER BY s.run_id, s.round
"""
