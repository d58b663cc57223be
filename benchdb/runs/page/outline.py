"""What a run measured, without values: one light row for each result, from which its page chooses what to read."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from typing import NamedTuple
from uuid import UUID

from benchdb.replica.reading import reading
from benchdb.runs.listing.headlines import Headline, of_main_metric
from benchdb.runs.quantities.columns import SequentialReads
from benchdb.runs.queries import OUT_OF_ORDER, Measured, measured
from benchdb.stats import STATISTICS_VERSION

LONGEST_ERROR = 400
Rank = tuple[bool, int, int, int, int]


class ResultOutline(NamedTuple):
    """A result of a run's current parse; sizes in bytes, `mean` in the base unit, None until it is computed."""

    ordinal: int
    test: str
    metric: str
    file_size: int | None
    record_size: int | None
    threads: int | None
    params: dict[str, object]
    status: str
    error: str | None
    mean: float | None


_SQL = f"""
SELECT {", ".join(f"r.{name}" for name in ResultOutline._fields[:-2])},
  left(r.error, %s), coalesce(s.mean, (r.given->>'mean')::float)
FROM runs_result r
JOIN runs_runstate t ON t.run_id = r.run_id AND t.current_parse = r.parse
LEFT JOIN LATERAL (
  SELECT own.mean FROM runs_summary own
  WHERE own.run_id = r.run_id AND own.parse = r.parse AND own.ordinal = r.ordinal AND own.statistics_version <= %s
  ORDER BY own.statistics_version DESC LIMIT 1
) s ON true
WHERE r.run_id = %s
ORDER BY r.ordinal
"""


def outline_of(run_id: UUID) -> list[ResultOutline]:
    """All results in document order; one query."""
    read_params = cache(json.loads)  # most results share their params
    with reading().cursor() as cursor:
        cursor.execute(_SQL, [LONGEST_ERROR, STATISTICS_VERSION, run_id])
        return [
            ResultOutline._make([*row[:6], read_params(row[6]) if row[6] else {}, *row[7:]])
            for row in cursor.fetchall()
        ]


def results_at(run_id: UUID, outline: Sequence[ResultOutline], ordinals: Collection[int]) -> list[Measured]:
    """The results with these ordinals, whole, in document order; one query."""
    reads = {_file(row): row.ordinal for row in outline if row.test == "read" and row.metric == "throughput"}
    beside = {
        reads[_file(row)]
        for row in outline
        if row.ordinal in ordinals and row.test in OUT_OF_ORDER and row.metric == "throughput" and _file(row) in reads
    }
    sequential = SequentialReads(sorted(beside), {run_id: len(reads)})
    return measured([run_id], {"ordinal": sorted(ordinals)}, sequential=sequential, diagnostics=True)


def headlines_of(outline: Iterable[ResultOutline]) -> list[Headline]:
    """Each test of the main metric at its largest measurable file and record, without n and sd."""
    largest: dict[tuple[str, str], tuple[Rank, ResultOutline]] = {}
    for row in outline:
        key, rank = (row.metric, row.test), _rank(row)
        if key not in largest or rank < largest[key][0]:
            largest[key] = rank, row
    return of_main_metric(
        [Headline(row.metric, row.test, row.ordinal, row.status, None, row.mean, None) for _, row in largest.values()]
    )


def _rank(row: ResultOutline) -> Rank:
    """The order in which `listing.headlines` takes the results of a test."""
    file_size = 1 if row.file_size is None else -row.file_size
    record_size = 1 if row.record_size is None else -row.record_size
    return (row.status == "unmeasurable", file_size, record_size, row.threads or 0, row.ordinal)


def _file(row: ResultOutline) -> tuple[object, ...]:
    return (row.file_size, row.record_size, row.threads, json.dumps(row.params, sort_keys=True) if row.params else "")
