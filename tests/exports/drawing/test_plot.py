"""A field and its axes: where figures are, and what becomes of intervals that leave it."""

import pytest

from benchdb.compare.table.charts.scale import Scale
from benchdb.exports.drawing.plot import HEAD, Plot, plain_scale
from benchdb.exports.drawing.svg import Drawing
from benchdb.wording.axes import Tick


def a_plot() -> Plot:
    """A field from (20, 10) to (120, 60), from 1 to 100 to the right and from 0 to 10 upwards."""
    across = Scale(1, 100, logarithmic=True, ticks=[Tick(10, "ten"), Tick(100, "hundred")])
    return Plot(Drawing(200, 100, "plot"), 20, 10, 100, 50, across, plain_scale(0, 10, [Tick(5, "five")]))


def test_figures_are_where_the_axes_say() -> None:
    plot = a_plot()

    assert (plot.x(10), plot.y(0), plot.y(10), plot.bottom) == (pytest.approx(70), 60, 10, 60)
    assert (plot.x(1e9), plot.y(-5)) == (120, 60)


@pytest.mark.parametrize(
    ("low", "high", "tips"),
    [(2, 50, []), (0.5, 50, [(20, 1)]), (2, 1e6, [(120, -1)]), (-3, 1e6, [(20, 1), (120, -1)]), (1, 100, [])],
)
def test_an_interval_beyond_the_field_has_an_arrow(low: float, high: float, tips: list[tuple[float, int]]) -> None:
    plot = a_plot()
    plot.interval(low, high, 30, "#123456")

    _, line, *arrows = plot.drawing.root.findall("path")
    assert line.get("d") == f"M{round(plot.x(low), 2):g} 30L{round(plot.x(high), 2):g} 30"
    assert [arrow.get("d") for arrow in arrows] == [
        f"M{x} 30L{x + back * HEAD:g} {30 - HEAD / 2:g}L{x + back * HEAD:g} {30 + HEAD / 2:g}Z" for x, back in tips
    ]


def test_an_upright_one_too() -> None:
    plot = a_plot()
    plot.interval(-1, 5, 40, "#123456", upright=True)

    *_, arrow = plot.drawing.root.findall("path")
    assert arrow.get("d") == f"M40 60L{40 - HEAD / 2:g} {60 - HEAD:g}L{40 + HEAD / 2:g} {60 - HEAD:g}Z"


def test_names_are_beside_the_labels_of_ticks() -> None:
    plot = a_plot()

    assert plot.rule_up() < 20 - 10
    assert plot.rule_across() < plot.rule_across(turned=True) < 100
