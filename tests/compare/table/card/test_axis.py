"""The logarithmic axis of a card."""

from __future__ import annotations

from itertools import pairwise
from math import log

import pytest

from benchdb.compare.table.card.axis import APART, BEYOND, axis_of
from benchdb.compare.table.card.facts import CardRow, Effect


def row(*effects: tuple[float, float | None, float | None], higher: bool = True) -> CardRow:
    return CardRow("", higher, [Effect(*each, "") for each in effects], [])


@pytest.mark.parametrize("ratios", [(1.0,), (0.99, 1.2), (0.001, 1.0), (0.5, 286.0), (1e-9, 1e9)])
def test_ticks_have_room_and_plain_labels(ratios: tuple[float, ...]) -> None:
    ticks = axis_of([row(*((ratio, None, None) for ratio in ratios))]).ticks

    assert "1" in [tick.text for tick in ticks]
    assert 2 <= len(ticks) <= 1 / APART
    assert all(second.share - first.share >= APART for first, second in pairwise(ticks))
    assert all(set(tick.text) <= set("×÷+−% \u202f0123456789.") for tick in ticks)


def test_the_middle_of_equal_factors_is_1_and_positions_are_logarithmic() -> None:
    axis = axis_of([row((2.0, None, None), (0.5, None, None))])

    assert axis.share(1.0, higher_is_better=True) == pytest.approx(0.5)
    first, middle, last = (axis.share(ratio, higher_is_better=True) for ratio in (1.0, 1.41421356, 2.0))
    assert middle - first == pytest.approx(last - middle)


def test_better_is_on_the_right_if_lower_is_better() -> None:
    axis = axis_of([row((0.5, 0.4, 0.6), higher=False), row((1.8, 1.7, 1.9), higher=False)])

    assert axis.falling
    assert axis.share(0.5, higher_is_better=False) > axis.share(1.0, higher_is_better=False)
    right = axis.ticks[-1]
    assert right.text.startswith("÷")
    assert axis.ticks[0].text.startswith("×")


def test_a_mixed_axis_counts_gains() -> None:
    axis = axis_of([row((0.5, None, None), higher=False), row((2.0, None, None))])

    assert not axis.falling
    assert axis.share(0.5, higher_is_better=False) == pytest.approx(axis.share(2.0, higher_is_better=True))


def test_small_differences_do_not_fill_the_axis() -> None:
    axis = axis_of([row((1.001, 0.999, 1.003))])

    assert abs(axis.share(1.001, higher_is_better=True) - 0.5) < 0.02


def test_a_very_long_interval_is_cut() -> None:
    axis = axis_of([row((1.1, 1e-6, 1e6))])

    assert axis.high < log(1.1 * BEYOND) * 1.2
    assert (axis.share(1e-6, higher_is_better=True), axis.share(1e6, higher_is_better=True)) == (0.0, 1.0)
