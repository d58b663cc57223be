"""When a round settled: SNIA's rule against a least-squares fit, steps, stalls, and false alarms in quiet rounds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from benchdb.stats.settling import LevelChange, Settling, settling, steady_windows


def quiet(steps: int, rng: np.random.Generator, follows: float = 0.0, noise: float = 0.03) -> np.ndarray:
    """The rates of a stationary round; each step resembles the one before by `follows`."""
    z = rng.standard_normal(steps)
    for i in range(1, steps):
        z[i] = follows * z[i - 1] + np.sqrt(1 - follows**2) * z[i]
    return 1e8 * np.exp(noise * z)


@given(arrays.arrays(np.float64, st.integers(0, 30), elements=st.floats(0, 1e9)))
def test_steady_windows_agree_with_a_least_squares_fit(values: np.ndarray) -> None:
    flags = steady_windows(values)
    assert len(flags) == max(0, len(values) - 4)
    for i, steady in enumerate(flags):
        window = values[i : i + 5]
        slope = np.polyfit(range(5), window, 1)[0]
        margins = [np.ptp(window) - 0.2 * window.mean(), abs(slope) * 4 - 0.1 * window.mean()]
        if min(map(abs, margins)) > 1e-6 * (1 + window.mean()):  # not on the boundary
            assert steady == (max(margins) < 0 and window.mean() > 0)


@pytest.mark.parametrize(("at", "factor"), [(118, 0.38), (40, 0.8), (60, 3.0)])
def test_a_step_is_found_with_its_place_and_size(at: int, factor: float) -> None:
    rates = quiet(180, np.random.default_rng(at))
    rates[at:] *= factor
    found = settling(rates)
    (change,) = found.changes
    assert (change.at, change.ratio) == (at, pytest.approx(factor, rel=0.03))
    assert found.settled_at == at


@pytest.mark.parametrize(("factor", "changes"), [(1.02, 0), (1.08, 1)])
def test_a_small_change_of_very_even_rates_is_none(factor: float, changes: int) -> None:
    rates = quiet(60, np.random.default_rng(2), noise=0.001)
    rates[27:] *= factor
    assert len(settling(rates).changes) == changes


def test_a_round_that_falls_slowly_settles_at_its_end() -> None:
    """From three times the final rate, with a time constant of 15 s."""
    rates = (1 + 2 * np.exp(-np.arange(180) / 15)) * quiet(180, np.random.default_rng(3))
    found = settling(rates)
    assert found.settled_at is not None
    assert 30 <= found.settled_at <= 100


def test_the_plateau_before_an_uncertain_fall_is_not_settled() -> None:
    """Measured: writes that met the limit of dirty data after six seconds."""
    rates = [38, 38, 37, 38, 36, 25, 4, 6, 6, 7, 17, 3, 3, 3, 7, 21, 10, 3, 3, 3, 22, 4, 3, 3, 3, 22, 37, 13]
    assert settling(rates) == Settling(judged=True, settled_at=None, changes=())


def test_a_round_that_swings_never_settles() -> None:
    found = settling(1e8 * (1 + 0.5 * np.sin(np.arange(120))))
    assert (found.judged, found.settled_at, found.changes) == (True, None, ())


@pytest.mark.parametrize("rates", [[], [1.0] * 9, [0.0] * 20, [0.0] * 11 + [1.0] * 9])
def test_too_little_is_not_judged(rates: list[float]) -> None:
    assert not settling(rates).judged


def test_a_stall_is_a_level() -> None:
    found = settling([5.0] * 30 + [0.0] * 10 + [5.0] * 30)
    assert found.changes == (LevelChange(30, pytest.approx(0.01)), LevelChange(40, pytest.approx(100)))
    assert found.settled_at == 40


@pytest.mark.parametrize("follows", [0.0, 0.6])
def test_quiet_rounds_have_few_false_changes(follows: float) -> None:
    rng = np.random.default_rng(7)
    found = [settling(quiet(60, rng, follows)) for _ in range(60)]
    assert sum(bool(each.changes) for each in found) <= 3
    assert all(each.settled_at is not None for each in found)
