"""Reads the distributions of results of a run's current parse."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from django.db.models import F, QuerySet

from benchagent.formats.packing.histogram import WITH_HISTOGRAM
from benchdb.replica.reading import reading
from benchdb.runs.models import Histogram, Run
from benchdb.runs.queries import Measured

PackedRounds = list[bytes | None]


def has_distributions(result: Measured) -> bool:
    """Whether the result can have distributions; saves the query for all others."""
    return result.metric == WITH_HISTOGRAM and bool(result.values)


def packed_rounds(run: Run, ordinal: int) -> PackedRounds | None:
    """The distribution of each round of a result, None if it has none; one query."""
    packed = _current(run.pk).filter(ordinal=ordinal).values_list("packed", flat=True).first()
    return None if packed is None else [None if each is None else bytes(each) for each in packed]


def ordinals_with_distributions(run: Run) -> list[int]:
    """The ordinals of the results that have distributions; one query."""
    return list(_current(run.pk).order_by("ordinal").values_list("ordinal", flat=True))


def distributions_beside(results: Iterable[Measured], ordinals: Sequence[int]) -> dict[tuple[UUID, int], PackedRounds]:
    """The distributions of what these results measured, by run and ordinal of the result; one query.

    They belong to the mean latency of the same test, sizes, threads and params in the same run; `ordinals` are those
    of such means. Results without a distribution are missing.
    """
    wanted = {
        (each.run_id, each.ordinal): _quantity(each.test, each.file_size, each.record_size, each.threads, each.params)
        for each in results
    }
    with reading().cursor() as cursor:
        cursor.execute(_BESIDE, [list({run_id for run_id, _ in wanted}), list(ordinals)])
        found = {
            (run_id, _quantity(test, file_size, record_size, threads, json.loads(params))): packed
            for run_id, test, file_size, record_size, threads, params, packed in cursor.fetchall()
            if any(packed)
        }
    return {
        (run_id, ordinal): [None if each is None else bytes(each) for each in found[run_id, quantity]]
        for (run_id, ordinal), quantity in wanted.items()
        if (run_id, quantity) in found
    }


def distributions_of(results: Iterable[tuple[UUID, int]]) -> dict[tuple[UUID, int], PackedRounds]:
    """`distributions_beside` these results, given by run and ordinal; one query."""
    pairs = list(results)
    with reading().cursor() as cursor:
        cursor.execute(_OF_RESULTS, [[run_id for run_id, _ in pairs], [ordinal for _, ordinal in pairs]])
        return {
            (run_id, ordinal): [None if each is None else bytes(each) for each in packed]
            for run_id, ordinal, packed in cursor.fetchall()
            if any(packed)
        }


_OF_RESULTS = """
SELECT r.run_id, r.ordinal, h.packed
FROM unnest(%s::uuid[], %s::int[]) AS wanted (run_id, ordinal)
JOIN runs_runstate t ON t.run_id = wanted.run_id
JOIN runs_result r ON r.run_id = wanted.run_id AND r.parse = t.current_parse AND r.ordinal = wanted.ordinal
JOIN runs_histogram h ON h.run_id = r.run_id AND h.parse = r.parse
JOIN runs_result m ON m.run_id = h.run_id AND m.parse = h.parse AND m.ordinal = h.ordinal
  AND m.test = r.test AND m.params = r.params
  AND (m.file_size, m.record_size, m.threads) IS NOT DISTINCT FROM (r.file_size, r.record_size, r.threads)
"""
_BESIDE = """
SELECT h.run_id, r.test, r.file_size, r.record_size, r.threads, r.params::text, h.packed
FROM runs_histogram h
JOIN runs_runstate t ON t.run_id = h.run_id AND t.current_parse = h.parse
JOIN runs_result r ON r.run_id = h.run_id AND r.parse = h.parse AND r.ordinal = h.ordinal
WHERE h.run_id = ANY(%s) AND h.ordinal = ANY(%s)
"""


def _quantity(
    test: str, file_size: int | None, record_size: int | None, threads: int | None, params: Mapping[str, object]
) -> tuple[object, ...]:
    return test, file_size, record_size, threads, json.dumps(params, sort_keys=True)


def _current(run_id: UUID) -> QuerySet[Histogram]:
    return Histogram.objects.filter(run_id=run_id, parse=F("run__runstate__current_parse"))
