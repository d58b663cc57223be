"""Reads what the rounds of runs amount to, which is stored beside their series."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from uuid import UUID

from benchdb.replica.reading import reading
from benchdb.runs.models import RoundSeries
from benchdb.runs.totals.of_round import RoundTotals


def totals_of_runs(runs: Iterable[UUID]) -> dict[UUID, list[RoundTotals]]:
    """The rounds that have series, in their order, by run; one query. Runs without series are missing."""
    found: dict[UUID, list[RoundTotals]] = {}
    with reading().cursor() as cursor:
        cursor.execute(_OF_RUNS, [list(runs)])
        for run_id, number, seconds, logical_bytes, names, tests, totals in cursor.fetchall():
            of_round = RoundTotals(number, seconds, logical_bytes, *_by_name(names, tests, totals))
            found.setdefault(run_id, []).append(of_round)
    return found


def runs_with_totals(runs: Iterable[UUID]) -> set[UUID]:
    """The runs of these that have rounds with series; one query."""
    rows = RoundSeries.objects.filter(run_id__in=list(runs), totals__isnull=False)
    return set(rows.values_list("run_id", flat=True).distinct())


def _by_name(
    names: Sequence[str], tests: Sequence[str | None], totals: Sequence[float]
) -> tuple[dict[str, float], dict[str, float]]:
    """The totals of the machine, and those of the tool; of several disks or tests their sums."""
    of_machine: dict[str, float] = {}
    own: dict[str, float] = {}
    for name, test, total in zip(names, tests, totals, strict=True):
        found = of_machine if test is None else own
        found[name] = found.get(name, 0.0) + total
    return of_machine, own


_OF_RUNS = """
SELECT s.run_id, s.round, s.seconds, (r.rounds -> s.round -> 'evidence' ->> 'logical_bytes')::float8,
  s.names, s.tests, s.totals
FROM runs_roundseries s
JOIN runs_run r ON r.id = s.run_id
WHERE s.run_id = ANY(%s) AND s.totals IS NOT NULL AND r.rounds -> s.round ->> 'status' = 'ok'
ORDER BY s.run_id, s.round
"""
