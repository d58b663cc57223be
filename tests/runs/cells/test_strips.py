"""The strips beside numbers: each round is a dot at its place on the axis."""

import re
from typing import Any

import pytest

from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.strips import COLUMNS, MOST_DOTS, ROWS, StripPlace, strips
from tests.support.comparing.cells import a_cell

DOT = re.compile(r"M(\d+) (\d+)z")
CENTRE = (COLUMNS - 1) / 2


def of(values: list[float | None], **more: Any) -> Cell:
    measured = [value for value in values if value is not None]
    return a_cell(**{"values": values, "n": len(measured), "mean": sum(measured) / len(measured), **more})


def dots(*places: StripPlace, least: float = 0.05) -> list[list[tuple[int, int]]]:
    """The column and the row of each dot, by cell."""
    found = strips(places, least)
    return [[(int(x), int(y)) for x, y in DOT.findall(strip.path)] for strip in found if strip]


def test_rounds_follow_each_other_from_the_top_down_and_values_grow_to_the_right() -> None:
    ((first, second, third),) = dots(StripPlace(of([100.0, 150.0, 125.0]), 0, 100.0))

    assert [first[1], second[1], third[1]] == [0, round((ROWS - 1) / 2), ROWS - 1]
    assert first[0] < third[0] < second[0] == COLUMNS - 1
    assert first[0] == pytest.approx(CENTRE, abs=1)


def test_cells_of_one_axis_are_at_the_same_place_if_their_values_are_equal() -> None:
    places = [StripPlace(of(values), 0, 100.0) for values in ([100.0, 130.0], [130.0, 80.0])]
    (_, larger), (same, smaller) = dots(*places)

    assert larger[0] == same[0]
    assert smaller[0] < CENTRE


def test_axes_do_not_influence_each_other() -> None:
    alone = dots(StripPlace(of([100.0, 130.0]), 0, 100.0))
    assert dots(StripPlace(of([100.0, 130.0]), 0, 100.0), StripPlace(of([1.0, 900.0]), 1, 1.0))[0] == alone[0]


def test_equal_ratios_are_equal_distances() -> None:
    ((half, one, double),) = dots(StripPlace(of([50.0, 100.0, 200.0]), 0, 100.0))
    assert (half[0], double[0]) == (0, COLUMNS - 1)
    assert one[0] == pytest.approx(CENTRE, abs=1)


def test_tiny_differences_look_tiny() -> None:
    ((low, high),) = dots(StripPlace(of([99.9, 100.1]), 0, 100.0))
    ((less, more),) = dots(StripPlace(of([99.9, 100.1]), 0, 100.0), least=0.001)

    assert high[0] - low[0] < COLUMNS / 20
    assert more[0] - less[0] == pytest.approx(COLUMNS - 1, abs=1)


def test_without_a_figure_in_the_middle_the_values_fill_the_axis() -> None:
    place = StripPlace(of([100.0, 400.0]), 0, None)
    assert [dot[0] for dot in dots(place)[0]] == [0, COLUMNS - 1]
    (strip,) = strips([place])
    assert strip is not None
    assert not strip.middle


def test_distances_from_own_means_can_share_an_axis() -> None:
    calm, wild = of([100.0, 101.0, 99.0]), of([2.0, 1.0, 3.0])
    first, second = dots(StripPlace(calm, 0, calm.mean), StripPlace(wild, 0, wild.mean))
    assert max(x for x, _ in first) - min(x for x, _ in first) < 3
    assert min(x for x, _ in second) == 0


@pytest.mark.parametrize("values", [[0.0, 1.0, 2.0], [-1.0, 0.0, 1.0], [0.0, 0.0]])
@pytest.mark.parametrize("middle", [0.0, 1.0, None])
def test_values_that_have_no_ratio_are_on_a_plain_axis(values: list[float | None], middle: float | None) -> None:
    (drawn,) = dots(StripPlace(of(values), 0, middle))
    columns = [x for x, _ in drawn]
    assert columns == sorted(columns)
    assert all(0 <= column < COLUMNS for column in columns)


def test_a_round_without_a_value_has_no_dot() -> None:
    ((_, _),) = dots(StripPlace(of([1.0, None, 2.0]), 0, 1.0))


def test_many_rounds_are_their_extremes_in_order() -> None:
    values: list[float | None] = [100.0 + i % 7 for i in range(1000)]
    values[500] = 900.0
    (drawn,) = dots(StripPlace(of(values), 0, 100.0))

    assert MOST_DOTS / 2 <= len(drawn) <= MOST_DOTS
    assert [y for _, y in drawn] == sorted(y for _, y in drawn)
    assert max(x for x, _ in drawn) == COLUMNS - 1
    assert 0.4 < [x for x, _ in drawn].index(COLUMNS - 1) / len(drawn) < 0.6


def test_without_values_a_line_reaches_from_mean_minus_sd_to_mean_plus_sd() -> None:
    (strip,) = strips([StripPlace(a_cell(values=None, mean=100.0, sd=5.0), 0, 100.0)])
    assert strip is not None
    line = re.fullmatch(r"M(\d+) \d+H(\d+)", strip.path)
    assert line is not None
    begin, end = map(int, line.groups())
    assert begin == 0
    assert end == pytest.approx(2 * CENTRE, abs=3)


def test_what_has_no_figure_has_no_strip() -> None:
    failed = a_cell(status="failed", mean=None, sd=None, values=[None, None])
    assert strips([StripPlace(failed, 0, None)]) == [None]
    assert strips([]) == []


def test_a_single_value_is_drawn_only_beside_others() -> None:
    single = StripPlace(of([100.0]), 0, 100.0)
    assert strips([single]) == [None]
    assert len(dots(single, StripPlace(of([120.0]), 0, 100.0))) == 2


@pytest.mark.parametrize("values", [(5e-324, 1e16), (1e200, 1e300), (0.0, 1e16), (-1e308, 1e308)])
@pytest.mark.parametrize("middle", [5e-324, None])
def test_numbers_beside_which_others_vanish_are_at_the_ends(values: tuple[float, float], middle: float | None) -> None:
    """5e-324 beside 1e16 ended pages in 500."""
    (one, other) = dots(*(StripPlace(of([value, value]), 0, middle) for value in values))
    assert one[0][0] < other[0][0] == COLUMNS - 1
