"""The strip plot of values by round: one dot a round, left to right, over the mean and its interval.

The server computes the coordinates of the SVG shapes (web/partials/strip.html), so the plot needs no script.
frontend/src/panel/strip.ts draws the same plot for panels.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from benchdb.wording.numbers import decimals_of, say_number
from benchdb.wording.units import Unit

from .cell import Cell
from .scale import share


@dataclass(frozen=True)
class PlotFrame:
    """Size and margins in SVG units; with `named`, dots have titles and the extremes are written beside the plot."""

    width: int
    height: int
    left: int
    right: int
    edge: int
    named: bool


LARGE = PlotFrame(640, 150, left=14, right=110, edge=16, named=True)
SMALL = PlotFrame(120, 22, left=4, right=4, edge=4, named=False)
MOST_NAMED = 200  # rounds; more are drawn as one path
LINE = 14  # height of a line of text


@dataclass(frozen=True, slots=True)
class StripDot:
    """The value of a round; `href` leads to its line of raw output."""

    x: float
    y: float
    title: str
    outlier: bool
    href: str | None


@dataclass(frozen=True)
class _Scale:
    """The SVG coordinates of `rounds` rounds from left to right and of values between `low` and `high`."""

    frame: PlotFrame
    rounds: int
    low: float
    high: float

    def x(self, index: int) -> float:
        """The middle of the round's share of the width."""
        width = self.frame.width - self.frame.left - self.frame.right
        return round(self.frame.left + (index + 0.5) / self.rounds * width, 1)

    def y(self, value: float) -> float:
        """The height of a value; the middle of the frame if all values are equal."""
        if self.high == self.low:
            return round(self.frame.height / 2, 1)
        height = self.frame.height - 2 * self.frame.edge
        return round(self.frame.edge + share(value, self.high, self.low) * height, 1)


def strip(
    values: Sequence[float | None],
    labels: Sequence[str],
    frame: PlotFrame,
    *,
    mean: float | None = None,
    interval: tuple[float, float] | None = None,
    outliers: Collection[int] = (),
    hrefs: Sequence[str | None] = (),
) -> dict[str, object] | None:
    """The context of web/partials/strip.html; None with fewer than two values.

    `values`, `mean` and `interval` are in the displayed unit. `labels` and `hrefs` belong to the values; `outliers` are
    indices of values.
    """
    measured = [value for value in values if value is not None]
    if len(measured) < 2:
        return None
    if not frame.named:
        interval = None  # the interval of few rounds is so wide that it would fill a small plot
    bounds = [*measured, *(interval or ())]
    scale = _Scale(frame, len(values), min(bounds), max(bounds))
    dots = _dots(values, labels, scale, outliers, hrefs)
    drawn_singly = frame.named and len(values) <= MOST_NAMED
    return {
        "width": frame.width,
        "height": frame.height,
        "end": frame.width - frame.right,
        "named": frame.named,
        "label": _label(labels, frame),
        "dots": dots if drawn_singly else [],
        "path": "" if drawn_singly else "".join(f"M{dot.x} {dot.y}h0" for dot in dots),
        "absent": _absent(values, scale),
        "bottom": frame.height - frame.edge / 2,
        "mean": None if mean is None else scale.y(mean),
        "band": None if interval is None else _band(interval, scale),
        "ends": _ends(values, labels, scale) if frame.named else [],
        "text_x": frame.width - frame.right + 8,
        "rounds": _round_numbers(scale) if frame.named else [],
    }


def _dots(
    values: Sequence[float | None],
    labels: Sequence[str],
    scale: _Scale,
    outliers: Collection[int],
    hrefs: Sequence[str | None],
) -> list[StripDot]:
    links = [*hrefs, *[None] * (len(values) - len(hrefs))]
    return [
        StripDot(scale.x(i), scale.y(value), f"round {i + 1}: {labels[i]}", i in outliers, links[i])
        for i, value in enumerate(values)
        if value is not None
    ]


def _absent(values: Sequence[float | None], scale: _Scale) -> list[dict[str, object]]:
    """The marks of rounds without a value."""
    return [{"at": scale.x(i), "text": f"round {i + 1}: no value"} for i, value in enumerate(values) if value is None]


def _band(interval: tuple[float, float], scale: _Scale) -> dict[str, object]:
    top, bottom = scale.y(interval[1]), scale.y(interval[0])
    # The interval of the mean, from the top `y` down.
    return {"y": top, "height": max(bottom - top, 1)}


def _round_numbers(scale: _Scale) -> list[dict[str, object]]:
    """The numbers of the first and the last round, below the plot."""
    return [{"at": scale.x(i), "text": str(i + 1)} for i in (0, scale.rounds - 1)]


def _label(labels: Sequence[str], frame: PlotFrame) -> str:
    """The label for screen readers; beside a small plot, the cell's number carries the information."""
    return f"Values by round: {', '.join(labels)}" if frame.named and len(labels) <= MOST_NAMED else "Values by round"


def _ends(values: Sequence[float | None], labels: Sequence[str], scale: _Scale) -> list[dict[str, object]]:
    """The largest and the smallest value as text without overlap, or one text if they are equal."""
    measured = [(value, label) for value, label in zip(values, labels, strict=True) if value is not None]
    (largest, largest_label), (smallest, smallest_label) = max(measured), min(measured)
    top, bottom = scale.y(largest), scale.y(smallest)
    if largest == smallest:
        return [{"at": top + 4, "text": largest_label}]
    apart = max(0, LINE - (bottom - top)) / 2
    return [{"at": top - apart + 4, "text": largest_label}, {"at": bottom + apart + 4, "text": smallest_label}]


def strip_of(cell: Cell, unit: Unit, frame: PlotFrame, hrefs: Sequence[str | None] = ()) -> dict[str, object] | None:
    """The strip plot of a cell's values by round, in the displayed unit."""
    values = [None if value is None else value / unit.per for value in cell.values or []]
    decimals = decimals_of(cell.mean, cell.sd, cell.n, unit)
    return strip(
        values,
        ["no value" if value is None else say_number(value, decimals) for value in values],
        frame,
        mean=None if cell.mean is None else cell.mean / unit.per,
        interval=None if cell.low is None or cell.high is None else (cell.low / unit.per, cell.high / unit.per),
        outliers=cell.outliers,
        hrefs=hrefs,
    )
