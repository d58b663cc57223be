"""Ticks of logarithmic axes."""

from itertools import pairwise
from math import inf, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchdb.wording.axes import figure_ticks, is_wide, ratio_ticks
from benchdb.wording.numbers import NARROW_SPACE


@pytest.mark.parametrize(
    ("low", "high", "texts"),
    [
        (0.5, 2, ["÷ 2", "÷ 1.5", "1", "× 1.5", "× 2"]),
        (0.6, 1.3, ["÷ 1.5", "÷ 1.2", "1", "× 1.2"]),
        (0.95, 1.05, ["−4 %", "−2 %", "1", "+2 %", "+4 %"]),
        (0.997, 1.004, ["−0.2 %", "1", "+0.2 %", "+0.4 %"]),
        (0.85, 1.3, ["÷ 1.1", "1", "× 1.1", "× 1.2", "× 1.3"]),
        (0.1, 10, ["÷ 10", "÷ 3", "1", "× 3", "× 10"]),
        (0.5, 40_000, ["1", "× 10", "× 100", f"× 1{NARROW_SPACE}000", f"× 10{NARROW_SPACE}000"]),
        (1, 1, ["1"]),
    ],
)
def test_ratios(low: float, high: float, texts: list[str]) -> None:
    assert [tick.text for tick in ratio_ticks(low, high)] == texts


@given(
    st.floats(1e-9, 1, exclude_max=True),
    st.floats(1, 1e9, exclude_min=True),
)
def test_ratios_around_one_are_few_ordered_apart_and_include_it(low: float, high: float) -> None:
    ticks = ratio_ticks(low, high)

    assert "1" in [tick.text for tick in ticks]
    assert len(ticks) <= 6
    assert all(low * 0.999 <= tick.value <= high * 1.001 for tick in ticks)
    assert all(log(after.value / before.value) > log(high / low) / 10.1 for before, after in pairwise(ticks))


def test_figures_are_plain() -> None:
    assert [tick.text for tick in figure_ticks(4, 1500)] == ["10", "100", f"1{NARROW_SPACE}000"]
    assert [tick.text for tick in figure_ticks(0.02, 0.3)] == ["0.02", "0.05", "0.1", "0.2"]
    million = f"1{NARROW_SPACE}000{NARROW_SPACE}000"  # five labels of this length would touch
    assert [tick.text for tick in figure_ticks(9e4, 2.5e6)] == [f"100{NARROW_SPACE}000", million]
    assert figure_ticks(1e9, 2e9)[0].text == "1 000 000 000".replace(" ", NARROW_SPACE)


@given(st.floats(1e-6, 1e9), st.floats(30, 1e9))
def test_figures_are_few_and_inside(low: float, span: float) -> None:
    ticks = figure_ticks(low, low * span)

    assert 1 <= len(ticks) <= 6
    assert all(low * 0.999 <= tick.value <= low * span * 1.001 for tick in ticks)
    assert len({tick.text for tick in ticks}) == len(ticks)


@pytest.mark.parametrize(
    ("figures", "wide"), [([], False), ([4, 1500], True), ([50, 1500], False), ([0, 1500], False), ([-1, 40], False)]
)
def test_an_axis_is_logarithmic_if_figures_span_more_than_thirty_times(figures: list[float], wide: bool) -> None:
    assert is_wide(figures) is wide


@pytest.mark.parametrize(("low", "high"), [(5e-324, 1.0), (1e-300, 1e300), (1.0, 1e308)])
def test_the_ticks_of_ratios_that_nobody_measured_are_finite(low: float, high: float) -> None:
    """1 ÷ 5e-324 is infinite: pages of others answered 500."""
    assert all(0 < tick.value < inf for tick in ratio_ticks(low, high))
    assert not is_wide([low, high]) or low == 1.0
