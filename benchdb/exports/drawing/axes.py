"""Axes with the ticks and plain labels of pages: never powers of ten."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.ticker import FixedFormatter, FixedLocator, NullLocator

from benchdb.compare.table.charts.scale import Scale
from benchdb.wording.axes import Tick

from .style import FAINT, RULE, SMALL


def scale_axis(axes: Axes, axis: Axis, scale: Scale) -> None:
    """The bounds, the kind and the ticks of a page's scale on the x or y axis of these axes."""
    across = axis is axes.xaxis
    (axes.set_xscale if across else axes.set_yscale)("log" if scale.logarithmic else "linear")
    (axes.set_xlim if across else axes.set_ylim)(scale.low, scale.high)
    plain_ticks(axis, scale.ticks)


def plain_ticks(axis: Axis, ticks: Sequence[Tick]) -> None:
    """These ticks with their labels and a thin rule each, and no others."""
    axis.set_major_locator(FixedLocator([tick.value for tick in ticks]))
    axis.set_major_formatter(FixedFormatter([tick.text for tick in ticks]))
    axis.set_minor_locator(NullLocator())
    axis.set_tick_params(labelsize=SMALL, length=0, pad=2.5, labelcolor=FAINT)
    axis.grid(visible=True, color=RULE, linewidth=0.4)
