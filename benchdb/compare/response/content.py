"""The content of response curves (schema `benchdb.response/1`), read by pages, exports and permalinks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from benchdb.compare.content import ComparedContent, Measure, Placed
from benchdb.runs.cells.cell import Cell

SCHEMA = "benchdb.response/1"


@dataclass(frozen=True, slots=True)
class ResponseAxis:
    """One of the two measured quantities; figure in `unit` = figure in `base_unit` / `per`."""

    metric: str
    label: str
    unit: str
    base_unit: str
    per: float
    higher_is_better: bool

    @property
    def measure(self) -> Measure:
        """The measure of its cells."""
        return Measure(self.metric, self.unit, self.base_unit, self.per, self.higher_is_better)


@dataclass(frozen=True, slots=True)
class Together:
    """A percentile of all `operations` of all rounds, in seconds, with its 95 % interval from drawing rounds again.

    Without an interval there are too few rounds, or several runs.
    """

    value: float
    low: float | None
    high: float | None
    operations: int


@dataclass(frozen=True, slots=True)
class ResponsePoint:
    """A level of load: its label (`8 threads`), its number, and what was measured there; None if nothing was.

    `together` is there if the latency is a percentile and its rounds have distributions.
    """

    label: str
    level: float
    throughput: Cell | None
    latency: Cell | None
    together: Together | None = None

    @property
    def complete(self) -> bool:
        """Whether both figures exist, so that the point can be drawn."""
        cells = (self.throughput, self.latency)
        return all(cell is not None and cell.mean is not None for cell in cells)


@dataclass(frozen=True, slots=True)
class ResponseKnee:
    """The knee of a curve: the index of its point, and of those between which it is with 95 %.

    Without a knee these are None and `reason` is a code of `benchdb.stats.knee.NoKnee`, or `deleted`. `text` is a
    sentence about it in any case, without the label of the curve.
    """

    at: int | None
    low: int | None
    high: int | None
    reason: str | None
    text: str


@dataclass(frozen=True, slots=True)
class ResponseCurve:
    """The points of one series by rising level; `label` is "" if there is a single series without a name."""

    label: str
    points: list[ResponsePoint]
    knee: ResponseKnee


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseContent(ComparedContent):
    """Curves of one test. `over` is the dimension of the levels, `series` are those that distinguish the curves."""

    over: str
    over_label: str
    series: list[str]
    test: str
    label: str
    throughput: ResponseAxis
    latency: ResponseAxis
    curves: list[ResponseCurve]


def cells(content: ResponseContent) -> Iterator[Placed]:
    """Every measured cell: split is the series, row the level, column the quantity; key is `CURVE-POINT-QUANTITY`."""
    for c, curve in enumerate(content.curves):
        for p, point in enumerate(curve.points):
            for q, (axis, cell) in enumerate(
                ((content.throughput, point.throughput), (content.latency, point.latency))
            ):
                if cell is not None:
                    yield Placed(f"{c}-{p}-{q}", curve.label, point.label, axis.label, cell, axis.measure)
