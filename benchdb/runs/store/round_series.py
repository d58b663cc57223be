"""Reads the series of rounds."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from uuid import UUID

import numpy as np
import numpy.typing as npt

from benchagent.formats.packing.varint import integers_of
from benchagent.formats.sampled import MOST_POINTS, SAMPLED
from benchdb.runs.costs import before_series
from benchdb.runs.models import RoundSeries

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ReadSeries:
    """One series of a round, in the base unit of its name; `test` is None unless it is of a tool, `device` unless of a
    disk.

    `points[i]` is of the time `start` + (i + 1) · `step`, in seconds after the beginning of the round: the sum since
    then if the quantity grows, else its level.
    """

    name: str
    test: str | None
    source: str
    start: float
    step: float
    points: FloatArray
    device: str | None = None

    @property
    def unit(self) -> str:
        return SAMPLED[self.name].unit

    @property
    def grows(self) -> bool:
        return SAMPLED[self.name].grows

    @property
    def end(self) -> float:
        """The time of the last point in seconds."""
        return self.start + self.step * len(self.points)

    @property
    def rates(self) -> FloatArray:
        """The growth a second in each step; the levels themselves of a quantity that does not grow."""
        return np.diff(self.points, prepend=0.0) / self.step if self.grows else self.points


def rounds_with_series(run_id: UUID) -> list[int]:
    """The rounds that have series, counted from 0; one query."""
    return list(RoundSeries.objects.filter(run_id=run_id).order_by("round").values_list("round", flat=True))


def series_of_round(run_id: UUID, number: int) -> list[ReadSeries]:
    """The series of a round, counted from 0; empty if it has none. One query. Raises MustWait."""
    row = RoundSeries.objects.filter(run_id=run_id, round=number).first()
    if row is None:
        return []
    before_series(len(row.names))
    devices = row.devices or [None] * len(row.names)
    columns = (row.names, row.tests, devices, row.sources, row.starts, row.steps, row.scales, row.packed)
    return [
        ReadSeries(name, test, source, start, step, points_of(bytes(packed), scale), device)
        for name, test, device, source, start, step, scale, packed in zip(*columns, strict=True)
    ]


def points_of(packed: bytes, scale: float) -> FloatArray:
    """The points of a stored series, in the unit of its name; its integers were checked when it was sent."""
    return np.cumsum(integers_of(zlib.decompress(packed), MOST_POINTS)).astype(np.float64) * scale
