"""The series of a run's rounds, as its document has them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from benchagent.formats.packing.series import unpacked
from benchagent.formats.sampled import MOST_POINTS, MOST_POINTS_OF_A_RUN, MOST_SERIES, SAMPLED

from .records import Round, SampledSeries
from .shape import SeriesJson


def series_of(rounds: Iterable[Round]) -> list[SeriesJson]:
    """The series of these rounds; without the last ones if a document cannot hold all."""
    return _fitting(
        (series.points, _as_json(number, series)) for number, each in enumerate(rounds) for series in each.series
    )


def joined_series(first: Sequence[SeriesJson], second: Sequence[SeriesJson], before: int) -> list[SeriesJson]:
    """The series of a run and of the rounds that follow its `before` rounds, as many as a document can hold."""
    following: list[SeriesJson] = [{**series, "round": series["round"] + before} for series in second]
    return _fitting((len(unpacked(series["packed"], MOST_POINTS)), series) for series in (*first, *following))


def _fitting(series: Iterable[tuple[int, SeriesJson]]) -> list[SeriesJson]:
    """The first of these series, given with their numbers of points, that a document can hold."""
    fitting: list[SeriesJson] = []
    points_left = MOST_POINTS_OF_A_RUN
    for points, each in series:
        points_left -= points
        if points_left < 0 or len(fitting) == MOST_SERIES:
            break
        fitting.append(each)
    return fitting


def _as_json(number: int, series: SampledSeries) -> SeriesJson:
    document: SeriesJson = {
        "round": number,
        "name": series.name,
        "unit": SAMPLED[series.name].unit,
        "source": series.source,
        "start": series.start,
        "step": series.step,
        "scale": series.scale,
        "packed": series.packed,
    }
    if series.test is not None:
        document["test"] = series.test
    if series.device is not None:
        document["device"] = series.device
    return document
