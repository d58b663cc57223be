"""The strip plot of values by round: one dot a round, left to right, over the mean and its interval.

Drawn by the server as the places of SVG shapes (web/partials/strip.html), so that it needs no script.
frontend/src/panel/strip.ts draws the same for panels.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from benchdb.wording.numbers import decimals_of, say_number
from benchdb.wording.units import Unit

from .cell import Cell

Context = dict[str, Any]


@dataclass(frozen=True)
class Frame:
    """Size and margins in SVG units; `named` says that dots answer one by one and the extremes are written beside."""

    width: int
    height: int
    left: int
    right: int
    edge: int
    named: bool


LARGE = Frame(640, 150, left=14, right=110, edge=16, named=True)
SMALL = Frame(120, 22, left=4, right=4, edge=4, named=False)
MOST_NAMED = 200  # rounds; more are drawn as one path
LINE = 14  # height of a line of text


def strip(
    values: Sequence[float | None],
    labels: Sequence[str],
    frame: Frame,
    *,
    mean: float | None = None,
    interval: tuple[float, float] | None = None,
    outliers: Collection[int] = (),
    hrefs: Sequence[str | None] = (),
) -> Context | None:
    """The context of web/partials/strip.html; None where there are not two values to set side by side.

    `labels` and `hrefs` belong to the values, which are in the shown unit; `outliers` are places from 0.
    """
    known = [value for value in values if value is not None]
    if len(known) < 2:
        return None
    if not frame.named:
        interval = None  # of few rounds it is so wide that a small plot would show nothing else
    bounds = [*known, *(interval or ())]
    low, high = min(bounds), max(bounds)
    room, width = frame.height - 2 * frame.edge, frame.width - frame.left - frame.right

    def y(value: float) -> float:
        return round(frame.height / 2 if high == low else frame.edge + (high - value) / (high - low) * room, 1)

    def x(place: int) -> float:
        return round(frame.left + (place + 0.5) / len(values) * width, 1)

    links = [*hrefs, *[None] * (len(values) - len(hrefs))]
    dots = [
        {
            "x": x(i),
            "y": y(value),
            "title": f"round {i + 1}: {labels[i]}",
            "outlier": i in outliers,
            "href": links[i],
        }
        for i, value in enumerate(values)
        if value is not None
    ]
    named = frame.named and len(values) <= MOST_NAMED
    return {
        "width": frame.width,
        "height": frame.height,
        "end": frame.width - frame.right,
        "named": frame.named,
        "label": _label(labels, frame),
        "dots": dots if named else [],
        "path": "" if named else "".join(f"M{dot['x']} {dot['y']}h0" for dot in dots),
        "absent": [{"x": x(i), "title": f"round {i + 1}: no value"} for i, each in enumerate(values) if each is None],
        "bottom": frame.height - frame.edge / 2,
        "mean": None if mean is None else y(mean),
        "band": None if interval is None else {"y": y(interval[1]), "height": max(y(interval[0]) - y(interval[1]), 1)},
        "ends": _ends(values, labels, y(max(known)), y(min(known))) if frame.named else [],
        "text_x": frame.width - frame.right + 8,
        "rounds": [{"x": x(place), "text": str(place + 1)} for place in (0, len(values) - 1)] if frame.named else [],
    }


def _label(labels: Sequence[str], frame: Frame) -> str:
    """For those who do not see it; of a small one the number beside it says the most."""
    return f"Values by round: {', '.join(labels)}" if frame.named and len(labels) <= MOST_NAMED else "Values by round"


def _ends(values: Sequence[float | None], labels: Sequence[str], top: float, bottom: float) -> list[Context]:
    """The largest and the smallest value as text, one text where they are the same, never one upon the other."""
    known = [(value, label) for value, label in zip(values, labels, strict=True) if value is not None]
    largest, smallest = max(known)[1], min(known)[1]
    if max(known)[0] == min(known)[0]:
        return [{"y": top + 4, "text": largest}]
    apart = max(0, LINE - (bottom - top)) / 2
    return [{"y": top - apart + 4, "text": largest}, {"y": bottom + apart + 4, "text": smallest}]


def strip_of(cell: Cell, unit: Unit, frame: Frame, hrefs: Sequence[str | None] = ()) -> Context | None:
    """The strip plot of a cell's values by round, in the shown unit."""
    values = [None if value is None else value / unit.per for value in cell["values"] or []]
    decimals = decimals_of(cell["mean"], cell["sd"], cell["n"], unit)
    return strip(
        values,
        ["no value" if value is None else say_number(value, decimals) for value in values],
        frame,
        mean=None if cell["mean"] is None else cell["mean"] / unit.per,
        interval=None if cell["low"] is None else (cell["low"] / unit.per, cell["high"] / unit.per),
        outliers=cell["outliers"],
        hrefs=hrefs,
    )
