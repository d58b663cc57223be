"""Reads the distributions of results of a run's current parse."""

from __future__ import annotations

from uuid import UUID

from django.db.models import F, QuerySet

from benchagent.formats.packing.histogram import WITH_HISTOGRAM
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


def _current(run_id: UUID) -> QuerySet[Histogram]:
    return Histogram.objects.filter(run_id=run_id, parse=F("run__runstate__current_parse"))
