"""Strip plots drawn by the server."""

from typing import Any

import pytest

from benchdb.runs.cells.strip_plot import LARGE, MOST_NAMED, SMALL, strip


def drawn(values: list[float | None], **fields: Any) -> dict[str, object]:
    found = strip(values, [str(value) for value in values], LARGE, **fields)
    assert found is not None
    return found


@pytest.mark.parametrize("values", [[], [1.0], [None, None], [1.0, None]])
def test_one_value_makes_no_plot(values: list[float | None]) -> None:
    assert strip(values, ["x"] * len(values), LARGE) is None


def test_dots_stand_left_to_right_and_the_larger_is_higher() -> None:
    dots = drawn([1.0, 3.0, 2.0])["dots"]

    assert [dot.x for dot in dots] == sorted(dot.x for dot in dots)
    assert dots[1].y == LARGE.edge < dots[2].y < dots[0].y == LARGE.height - LARGE.edge
    assert dots[1].title == "round 2: 3.0"


def test_a_round_without_value_keeps_its_place() -> None:
    found = drawn([1.0, None, 2.0])
    whole = drawn([1.0, 1.5, 2.0])

    assert ([dot.x for dot in found["dots"]], found["absent"][0]["at"]) == (
        [whole["dots"][0].x, whole["dots"][2].x],
        whole["dots"][1].x,
    )


def test_mean_and_interval_are_inside_also_where_they_reach_beyond_the_values() -> None:
    found = drawn([1.0, 2.0], mean=1.5, interval=(-5.0, 8.0))

    assert found["mean"] == LARGE.height / 2
    assert (found["band"]["y"], found["band"]["height"]) == (LARGE.edge, LARGE.height - 2 * LARGE.edge)
    assert all(LARGE.edge < dot.y < LARGE.height - LARGE.edge for dot in found["dots"])


def test_a_small_one_shows_the_values_and_not_the_interval() -> None:
    found = strip([1.0, 2.0], ["1", "2"], SMALL, mean=1.5, interval=(-99.0, 99.0))

    assert found is not None
    assert found["band"] is None
    assert found["path"].startswith(f"M32.0 {SMALL.height - SMALL.edge}")


def test_equal_values_stand_in_the_middle_and_are_said_once() -> None:
    found = drawn([7.0, 7.0, 7.0])

    assert ({dot.y for dot in found["dots"]}, [end["text"] for end in found["ends"]]) == ({LARGE.height / 2}, ["7.0"])


def test_extremes_never_stand_upon_each_other() -> None:
    high, low = drawn([1.0, 1.001], interval=(-100.0, 100.0))["ends"]

    assert low["at"] - high["at"] >= 14


def test_outliers_and_links_belong_to_their_rounds() -> None:
    dots = drawn([1.0, 9.0], outliers=[1], hrefs=["/a", None])["dots"]

    assert [(dot.outlier, dot.href) for dot in dots] == [(False, "/a"), (True, None)]


def test_a_small_or_long_one_is_one_path() -> None:
    values: list[float | None] = [float(i) for i in range(MOST_NAMED + 1)]
    for frame, plotted in ((SMALL, values[:3]), (LARGE, values)):
        plot = strip(plotted, [""] * len(plotted), frame)
        assert plot is not None
        assert plot["dots"] == []
        assert plot["path"].count("M") == len(plotted)
