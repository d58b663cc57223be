"""The knee of response curves: where power is greatest, and the reasons for none."""

import numpy as np
import pytest
from scipy import stats

from benchdb.stats.knee import Knee, NoKnee, knee, powers

LEVELS = np.array([1, 2, 4, 8, 16, 32], dtype=np.float64)
NOISE = np.exp(np.array([-0.02, 0.01, 0.0, 0.015, -0.005]))


def rounds(figures: np.ndarray) -> np.ndarray:
    """Five rounds of each level that differ by a per cent or two."""
    return np.array([np.roll(figure * NOISE, i) for i, figure in enumerate(figures)])


def test_power_is_throughput_per_latency_of_the_same_round() -> None:
    found = powers([[10.0, 20.0, np.nan, 0.0]], [[2.0, 5.0, 1.0, 1.0]])
    np.testing.assert_allclose(found, [[5.0, 4.0, np.nan, np.nan]], rtol=1e-12)


@pytest.mark.parametrize(("channels", "expected"), [(8, Knee(3, 2, 4)), (4, Knee(2, 1, 3))])
def test_a_closed_system_without_think_time_bends_at_its_channels(channels: float, expected: Knee) -> None:
    # N* = (D + Z) / Dmax = channels: X = min(N, channels) / S, R = N / X.
    throughput = np.minimum(LEVELS, channels)
    assert knee(powers(rounds(throughput), rounds(LEVELS / throughput)[:, ::-1])) == expected


def test_levels_that_tie_widen_the_interval() -> None:
    throughput = np.minimum(LEVELS, np.sqrt(32))  # power at 4 and at 8 is the same
    found = knee(powers(rounds(throughput), rounds(LEVELS / throughput)[:, ::-1]))
    assert (found.low, found.high) == (1, 4)
    assert found.at in (2, 3)


@pytest.mark.parametrize(
    ("throughput", "latency", "reason"),
    [
        (LEVELS, np.ones(6), NoKnee.NOT_REACHED),
        (LEVELS, 1 + LEVELS / 20, NoKnee.NOT_REACHED),
        (np.ones(6), LEVELS, NoKnee.PASSED),
        (LEVELS, LEVELS, NoKnee.STRAIGHT),
        (LEVELS[:3], LEVELS[:3], NoKnee.FEW_LEVELS),
    ],
)
def test_curves_without_a_knee_have_a_reason(throughput: np.ndarray, latency: np.ndarray, reason: NoKnee) -> None:
    assert knee(powers(rounds(throughput), rounds(latency)[:, ::-1])) == Knee(reason=reason)


def test_a_bend_of_less_than_five_per_cent_is_none() -> None:
    power = rounds(np.array([0.9, 0.98, 1.0, 0.97, 0.96]))
    assert knee(np.exp(np.log(power) / 100) * [[0.9], [0.98], [1.0], [0.97], [0.96]]).reason is NoKnee.NOT_REACHED


def test_one_round_and_rounds_without_spread_are_not_judged() -> None:
    bent = np.minimum(LEVELS, 8) ** 2 / LEVELS
    assert knee(bent[:, np.newaxis]).reason is NoKnee.FEW_ROUNDS
    assert knee(np.repeat(bent[:, np.newaxis], 3, axis=1)).reason is NoKnee.NO_SPREAD


def test_each_level_is_tested_by_welch_at_the_level_over_the_others() -> None:
    random = np.random.default_rng(7)
    for _ in range(50):
        spread = 1 + 0.2 * random.random(5)
        power = np.exp(random.normal(np.log(spread)[:, np.newaxis], 0.06, (5, 8)))
        logarithms = np.log(power)
        means = logarithms.mean(axis=1)
        p = [
            min(stats.ttest_ind(one, other, equal_var=False, alternative="less").pvalue for other in logarithms)
            for one in logarithms
        ]
        left = [i for i in range(5) if p[i] > 0.05 / 4]
        bent = means.max() - means[[0, -1]] >= np.log(1.05)
        found = knee(power)
        if 0 in left or 4 in left or not bent.all():
            assert found.at is None
        else:
            assert found == Knee(int(means.argmax()), left[0] - 1, left[-1] + 1)
