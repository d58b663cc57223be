import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchdb.stats import digits, to_places


@pytest.mark.parametrize(
    ("mean", "sd", "n", "shown"),
    [
        (109339.90, 370.61, 10, ("109340", "370")),
        (109.3399, 0.37061, 10, ("109.34", "0.37")),
        (62.0602, 0.457, 10, ("62.06", "0.46")),
        (9628.0, 5.27, 10, ("9628.0", "5.3")),
        (2980795.7, 42895.82, 10, ("2981000", "43000")),
        (5.0, 0.0996, 10, ("5.00", "0.10")),
        (5.0, 9.96, 10, ("5", "10")),
        (0.5, 370.0, 10, ("0", "370")),
        (0.0, 0.25, 10, ("0.00", "0.25")),
        (-12.345, 0.25, 10, ("-12.35", "0.25")),
    ],
)
def test_two_digits_of_the_sd_decide(mean, sd, n, shown):
    places = digits(mean, sd, n)
    assert (to_places(mean, places), to_places(sd, places)) == shown


@pytest.mark.parametrize(
    ("mean", "shown"),
    [(109339.9, "109300"), (46.97, "46.97"), (0.00012345, "0.0001234"), (99996.0, "100000"), (1.0, "1.000"), (0, "0")],
)
@pytest.mark.parametrize(("sd", "n"), [(None, 1), (370.61, 1), (math.nan, 10), (None, 10), (0.0, 10)])
def test_without_a_spread_four_digits_are_shown(mean, shown, sd, n):
    assert to_places(mean, digits(mean, sd, n)) == shown


def test_a_published_mean_of_unknown_n_follows_its_sd():
    assert digits(109339.90, 370.61, None) == digits(109339.90, 370.61, 0) == -1


@pytest.mark.parametrize("mean", [None, math.nan, math.inf])
def test_no_mean_no_decimals(mean):
    assert digits(mean, 1.0, 10) == 0


def test_no_more_digits_than_a_float_holds():
    assert digits(1.0, 1e-300, 10) == 14


def test_zero_has_no_sign():
    assert to_places(-0.01, 1) == "0.0"
    assert to_places(-4.0, -1) == "0"


@given(st.floats(1e-12, 1e12), st.floats(1e-12, 1e12))
def test_the_shown_sd_is_off_by_half_of_its_second_digit_at_most(mean, sd):
    places = digits(mean, sd, 10)
    if places < 14 - math.floor(math.log10(mean)):
        assert abs(float(to_places(sd, places)) - sd) <= 0.0501 * sd
