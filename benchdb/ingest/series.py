"""Writes the series of a run."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterable
from itertools import groupby
from uuid import UUID

from benchdb.ingest.contract.series import SentSeries
from benchdb.runs.models import RoundSeries
from benchdb.runs.store.round_series import points_of
from benchdb.runs.totals.of_round import total_of


def store_series(run_id: UUID, series: Iterable[SentSeries]) -> None:
    """Write checked series, one row for each round, inside the caller's transaction."""
    rows = [
        _row(run_id, number, list(of_round)) for number, of_round in groupby(sorted(series, key=_round), key=_round)
    ]
    RoundSeries.objects.bulk_create(rows)


def _round(series: SentSeries) -> int:
    return series.round


def _row(run_id: UUID, number: int, series: list[SentSeries]) -> RoundSeries:
    packed = [b64decode(each.packed) for each in series]
    points = [points_of(content, each.scale) for content, each in zip(packed, series, strict=True)]
    return RoundSeries(
        run_id=run_id,
        round=number,
        names=[each.name for each in series],
        tests=[each.test for each in series],
        devices=[each.device for each in series],
        sources=[each.source for each in series],
        starts=[each.start for each in series],
        steps=[each.step for each in series],
        scales=[each.scale for each in series],
        packed=packed,
        totals=[total_of(each.name, of_series) for each, of_series in zip(series, points, strict=True)],
        seconds=max(each.start + each.step * len(of_series) for each, of_series in zip(series, points, strict=True)),
    )
