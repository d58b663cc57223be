"""Numbers and sizes as people read them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchdb.wording.numbers import (
    NARROW_SPACE,
    say_duration,
    say_exact,
    say_mean_and_sd,
    say_number,
    say_numbers,
    say_ratio,
)
from benchdb.wording.sizes import parse_size, print_size, say_size, unbroken
from benchdb.wording.units import UNITS, default_unit, possible


def spaced(text: str) -> str:
    return text.replace(" ", NARROW_SPACE)


@pytest.mark.parametrize(
    ("mean", "sd", "n", "unit", "shown"),
    [
        (109_339.9, 370.4, 10, "B/s", ("109 340", "370")),
        (62.06, 0.52, 10, "s", ("62.06", "0.52")),
        (1234.5678, None, 1, "s", ("1 235", "")),
        (0.99, 0.0, 3, "%", ("99.00", "0.00")),
        (None, None, 0, "s", ("", "")),
    ],
)
def test_digits_follow_the_uncertainty(mean, sd, n, unit, shown) -> None:
    text = say_mean_and_sd(mean, sd, n, UNITS[unit])
    assert (text["mean"], text["sd"]) == tuple(map(spaced, shown))


@pytest.mark.parametrize(
    ("mean", "sd", "step", "unit", "shown"),
    [
        (9.0 * 1024**2, None, 0.1 * 1024**2, "MiB/s", ("9.0", "")),
        (109_339.9 * 1024, 370.5 * 1024, 0.01 * 1024, "KiB/s", ("109 339.90", "370.50")),
        (0.0, None, 0.001, "s", ("0.000", "")),
        (1200.0, None, 1.0, "s", ("1 200", "")),
        (0.671, None, 0.001, "%", ("67.1", "")),
        (9.0 * 1024**2, None, 0.1 * 1024**2, "KiB/s", ("9 216", "")),  # not in the printed unit
        (1200.0, None, 100.0, "s", ("1 200", "")),  # printed to hundreds
    ],
)
def test_zeros_at_the_end_stay_where_the_last_printed_digit_is_known(mean, sd, step, unit, shown) -> None:
    text = say_mean_and_sd(mean, sd, None, UNITS[unit], printed=True, step=step)
    assert (text["mean"], text["sd"]) == tuple(map(spaced, shown))


@pytest.mark.parametrize(
    ("mean", "sd", "n", "unit", "shown"),
    [
        (100_476.5 * 1024, 167.31 * 1024, 10, "KiB/s", ("100 476.50", "167.31")),  # iozone's KB/s
        (9628.0, 5.27, 10, "s", ("9 628.00", "5.27")),
        (282.252, None, 1, "s", ("282.252", "")),
        (0.187, None, 3, "%", ("18.7", "")),
        (1_717_265.0, None, 5, "op/s", ("1 717 265", "")),
        (0.0, None, 1, "s", ("0", "")),
        (100_476.5 * 1024, 167.31 * 1024, 10, "MiB/s", ("98.12", "0.16")),  # not in the printed unit
    ],
)
def test_figures_of_others_keep_the_digits_they_were_printed_with(mean, sd, n, unit, shown) -> None:
    text = say_mean_and_sd(mean, sd, n, UNITS[unit], printed=True)
    assert (text["mean"], text["sd"]) == tuple(map(spaced, shown))


@pytest.mark.parametrize(
    ("ratio", "text"), [(1.0512, "1.05"), (0.9524, "0.952"), (434.1, "434"), (0.0023041, "0.00230")]
)
def test_a_ratio_has_three_significant_digits(ratio: float, text: str) -> None:
    assert say_ratio(ratio) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(1239272448.0, "1 239 272 448"), (0.020966, "0.020966"), (2.179e-06, "0.000002179"), (-1.5, "−1.5"), (0.0, "0")],
)
def test_an_exact_number_has_all_its_digits(value: float, text: str) -> None:
    assert say_exact(value) == spaced(text)


@given(st.floats(-1e14, 1e14).map(lambda value: float(f"{value:.12g}")))
def test_an_exact_number_is_that_number(value: float) -> None:
    assert float(say_exact(value).replace(NARROW_SPACE, "").replace("−", "-")) == value


@given(st.lists(st.floats(-1e12, 1e12)), st.integers(-3, 6))
def test_many_numbers_are_said_as_each_alone(values: list[float], decimals: int) -> None:
    assert say_numbers(values, decimals) == [say_number(value, decimals) for value in values]


@given(st.floats(0, 1e12), st.integers(-3, 6))
def test_parting_thousands_changes_no_digit(value: float, decimals: int) -> None:
    assert float(say_number(value, decimals).replace(NARROW_SPACE, "")) == pytest.approx(round(value, decimals))


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.4213, "0.421 s"), (12.34, "12.3 s"), (59.96, "1 m 00 s"), (282, "4 m 42 s"), (7500, "2 h 05 m")],
)
def test_times_are_said_in_minutes_and_hours(seconds: float, text: str) -> None:
    assert say_duration(seconds) == text


@given(st.integers(0, 2**62))
def test_sizes_print_and_parse(size: int) -> None:
    assert parse_size(print_size(size)) == size


@pytest.mark.parametrize(("size", "text"), [(65536, "64 KiB"), (1 << 20, "1 MiB"), (1000, "1000 B"), (0, "0 B")])
def test_sizes_are_said_in_binary_units(size: int, text: str) -> None:
    assert say_size(size) == text


@pytest.mark.parametrize("text", ["", "64 Q", "-1K", "1.5M", "K"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a size"):
        parse_size(text)


def test_a_size_is_not_broken_between_number_and_unit() -> None:
    assert unbroken("1 GiB × 64 KiB in 3 runs") == "1\u00a0GiB × 64\u00a0KiB in 3 runs"
    assert unbroken("+8.2 % of 3") == "+8.2\u00a0% of 3"


def test_every_metric_has_a_unit_that_its_base_can_be_shown_in() -> None:
    assert default_unit("latency_p99") == "µs"
    assert default_unit("throughput") in possible("B/s")
