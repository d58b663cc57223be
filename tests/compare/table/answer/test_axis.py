"""The logarithmic axis of a ranking."""

from collections import Counter
from itertools import pairwise
from math import log

import pytest

from benchdb.compare.table.answer.estimates import RatioEstimate
from benchdb.compare.table.answer.present import APART, BEYOND, RatioAxis, axis_of


def axis(*effects: tuple[float, float | None, float | None], metric: str = "throughput") -> RatioAxis:
    return axis_of(metric, [RatioEstimate("", "none", *each, Counter()) for each in effects])


@pytest.mark.parametrize("ratios", [(1.0,), (0.99, 1.2), (0.001, 1.0), (0.5, 286.0), (1e-9, 1e9)])
def test_ticks_have_room_and_plain_labels(ratios: tuple[float, ...]) -> None:
    ticks = axis(*((ratio, None, None) for ratio in ratios)).ticks

    assert "equal" in [tick.text for tick in ticks]
    assert 2 <= len(ticks) <= 1 + 1 / APART
    assert all(second.share - first.share >= APART for first, second in pairwise(ticks))
    assert all("slower" in tick.text or "faster" in tick.text or tick.text == "equal" for tick in (ticks[0], ticks[-1]))


def test_the_middle_of_equal_factors_is_1_and_positions_are_logarithmic() -> None:
    made = axis((2.0, None, None), (0.5, None, None))

    first, middle, last = (made.share(ratio) for ratio in (1.0, 1.41421356, 2.0))
    assert first == pytest.approx(0.5)
    assert middle - first == pytest.approx(last - middle)


def test_better_is_on_the_right_if_lower_is_better() -> None:
    made = axis((0.5, 0.4, 0.6), (2.2, 2.1, 2.3), metric="elapsed")

    assert made.share(0.5) > made.share(1.0)
    assert (made.ticks[0].text.split()[-1], made.ticks[-1].text.split()[-1]) == ("longer", "shorter")


def test_small_differences_do_not_fill_the_axis() -> None:
    assert abs(axis((1.001, 0.999, 1.003)).share(1.001) - 0.5) < 0.02


def test_a_very_long_interval_is_cut() -> None:
    made = axis((1.1, 1e-6, 1e6))

    assert made.high < log(1.1 * BEYOND) * 1.2
    assert made.share(1e-6) < 0 < 1 < made.share(1e6)
