"""The charts of the page inside a run as one SVG picture, with the same paths. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence

from django.template.loader import render_to_string

from benchdb.wording.colours import SERIES

from .chart import Line
from .page import InsidePage

_TITLE, _LEGEND, _PLOT, _GAP = 60, 16, 80, 26  # pixels: the title, a line of a legend, a plot, what is between charts
_HEAD, _TOP, _TIMES = 18, 14, 18  # the heading of a chart, the figure at its upper end, its times
_IN_A_LINE = 3  # names of a legend
_COLUMN = 240  # pixels of such a name


def as_svg(page: InsidePage) -> str:
    """The charts below each other, each as on the page, with the tests above them."""
    tests = [Line(each.phase.label, each.phase.series, "", each.phase.times) for each in page.phases]
    names, y = _names(tests, _TITLE)
    drawn: list[dict[str, object]] = []
    for chart in page.charts:
        y += _GAP
        of_chart, end = _names(chart.lines, y + _HEAD)
        # A chart with the places of its heading, its upper end, its plot and its times in pixels from the
        # top.
        drawn.append(
            {
                "chart": chart,
                "heading": y,
                "names": of_chart,
                "top": end + _TOP - 4,
                "plot": end + _TOP,
                "times": end + _TOP + _PLOT + _TIMES - 4,
            }
        )
        y = end + _TOP + _PLOT + _TIMES
    context = {
        "page": page,
        "tests": names,
        "charts": drawn,
        "plot_height": _PLOT,
        "height": y + _GAP + 10,
        "colours": list(enumerate(SERIES, 1)),
    }
    return render_to_string("runs/inside.svg", context)


def _names(lines: Sequence[Line], top: int) -> tuple[list[dict[str, object]], int]:
    """A legend from `top` on, and its lower end."""
    names = [
        {
            "x": 16 + _COLUMN * (i % _IN_A_LINE),
            "y": top + _LEGEND * (i // _IN_A_LINE),
            "text": line.label,
            "figure": line.mean,
            "series": line.series,
        }
        for i, line in enumerate(lines)
    ]
    return names, top + _LEGEND * -(-len(lines) // _IN_A_LINE)
