"""`/api/v1/runs/{run_id}/series`: samples over time of one round."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest
from ninja import Router, Schema

from benchdb.api.errors import ErrorOut
from benchdb.runs.models import Run
from benchdb.runs.store.round_series import ReadSeries, rounds_with_series, series_of_round

from .runs import READ_ERRORS, readable

router = Router(tags=["runs"])


class SeriesOut(Schema):
    """A quantity over time: sample i is of the second `start` + (i + 1) · `step` after the beginning of the round."""

    name: str
    test: str | None
    device: str | None
    unit: str
    grows: bool
    source: str
    start: float
    step: float
    samples: list[float]


class RoundSeriesOut(Schema):
    """The series of one round, and the rounds that have some."""

    run_id: UUID
    round: int
    rounds: list[int]
    series: list[SeriesOut]


@router.get("/{uuid:run_id}/series", response={200: RoundSeriesOut, 422: ErrorOut, **READ_ERRORS})
def get_series(request: HttpRequest, run_id: UUID, round: int = 0) -> RoundSeriesOut:
    """The samples over time of one round."""
    run = readable(request, Run.objects.only("id"), run_id)
    rounds = rounds_with_series(run.pk)
    series = series_of_round(run.pk, round) if round in rounds else []
    return RoundSeriesOut(run_id=run.pk, round=round, rounds=rounds, series=[_series(each) for each in series])


def _series(series: ReadSeries) -> SeriesOut:
    return SeriesOut(
        name=series.name,
        test=series.test,
        device=series.device,
        unit=series.unit,
        grows=series.grows,
        source=series.source,
        start=series.start,
        step=series.step,
        samples=series.points.tolist(),
    )
