"""Effects of designed campaigns against NumPy's least squares, SciPy's tests and the definitions."""

import itertools

import numpy as np
import pytest
from scipy import stats

from benchdb.stats.questions.designed import designed_effects
from tests.bench.statistics.questions import EFFECTS, of_design

RNG = np.random.default_rng(11)
FULL = np.array(list(itertools.product([0, 1], repeat=4))).T
ONE_BLOCK = np.zeros(16, dtype=np.int64)


def logs_of(factors: np.ndarray, noise: float = 0.05) -> np.ndarray:
    return 0.3 * factors[0] - 0.2 * factors[1] * factors[2] + RNG.normal(0, noise, factors.shape[1])


@pytest.mark.parametrize("missing", [0, 1])
def test_effects_agree_with_numpys_least_squares_and_scipys_t(missing: int) -> None:
    factors = FULL[:, missing:]
    logs = logs_of(factors)
    found = designed_effects(logs, factors, ONE_BLOCK[missing:])
    assert found is not None
    signs = 2.0 * factors - 1
    x = np.stack([*(signs[list(term)].prod(axis=0) for term in found.terms), np.ones(len(logs))], axis=1)
    beta, [squares], *_ = np.linalg.lstsq(x, logs, rcond=None)
    degrees = len(logs) - 11
    error = np.sqrt(squares / degrees * np.diag(np.linalg.inv(x.T @ x)))[:-1]
    scale = np.array([2, 2, 2, 2, *[4] * 6])
    p = 2 * stats.t.sf(np.abs(beta[:-1] / error), degrees)
    assert (found.log, found.p) == (pytest.approx(scale * beta[:-1], abs=1e-9), pytest.approx(p, abs=1e-9))
    assert found.sd == pytest.approx(np.sqrt(squares / degrees), abs=1e-9)
    assert (found.degrees, found.runs) == (degrees, len(logs))
    level = np.where(found.called, 1 - 0.05 * found.called.sum() / 10, 0.95)
    half = scale * error * stats.t.ppf((1 + level) / 2, degrees)
    assert found.low == pytest.approx(scale * beta[:-1] - half, abs=1e-9)
    assert found.high == pytest.approx(scale * beta[:-1] + half, abs=1e-9)


def test_p_is_corrected_by_holm_and_called_intervals_exclude_one() -> None:
    for seed in range(50):
        logs = 0.08 * FULL[0] + np.random.default_rng(seed).normal(0, 0.05, 16)
        found = designed_effects(logs, FULL, ONE_BLOCK)
        assert found is not None
        order = np.argsort(found.p)
        stepped = np.maximum.accumulate(found.p[order] * np.arange(10, 0, -1))
        assert found.p_adjusted[order] == pytest.approx(np.minimum(stepped, 1), abs=1e-12)
        assert (found.called == (found.p_adjusted < 0.05)).all()
        assert ((found.low > 0) | (found.high < 0))[found.called].all()


def test_an_effect_is_the_mean_of_one_level_less_that_of_the_other() -> None:
    logs = logs_of(FULL)
    found = designed_effects(logs, FULL, ONE_BLOCK)
    assert found is not None
    assert found.log[0] == pytest.approx(logs[FULL[0] == 1].mean() - logs[FULL[0] == 0].mean(), abs=1e-12)
    by_level = [
        logs[(FULL[2] == level) & (FULL[1] == 1)].mean() - logs[(FULL[2] == level) & (FULL[1] == 0)].mean()
        for level in (0, 1)
    ]
    place = found.terms.index((1, 2))
    assert found.log[place] == pytest.approx(by_level[1] - by_level[0], abs=1e-12)


def test_differences_between_blocks_do_not_count() -> None:
    factors, blocks = np.tile(FULL, 3), np.repeat([0, 1, 2], 16)
    logs = logs_of(factors)
    found, moved = (designed_effects(logs + shift * blocks, factors, blocks) for shift in (0, 5))
    assert found is not None
    assert moved is not None
    assert (moved.log, moved.sd) == (pytest.approx(found.log, abs=1e-9), pytest.approx(found.sd, abs=1e-9))


def test_a_fraction_of_a_campaign_has_main_effects_only() -> None:
    fraction = np.vstack([FULL[:3], FULL[:3].sum(axis=0) % 2])  # the fourth factor is that of all three together
    found = designed_effects(logs_of(fraction), fraction, ONE_BLOCK)
    assert found is not None
    assert found.terms == [(0,), (1,), (2,), (3,)]


@pytest.mark.parametrize(
    ("factors", "logs"),
    [
        (np.zeros((0, 16), dtype=np.int64), RNG.normal(0, 1, 16)),
        (FULL[:, :6], RNG.normal(0, 1, 6)),  # too few runs
        (np.vstack([FULL[:1], FULL[:1]]), RNG.normal(0, 1, 16)),  # not to be separated
        (np.vstack([FULL[:1], np.r_[FULL[0][:15], 0]]), RNG.normal(0, 1, 16)),  # hardly to be separated
        (np.zeros((11, 16), dtype=np.int64), RNG.normal(0, 1, 16)),  # too many factors
        (FULL, np.full(16, 3.5)),  # nothing varies
        (FULL, 0.3 * FULL[0]),  # no noise
    ],
    ids=["none", "few", "same", "alike", "many", "equal", "exact"],
)
def test_without_a_design_there_are_no_effects(factors: np.ndarray, logs: np.ndarray) -> None:
    assert designed_effects(logs, factors, np.zeros(len(logs), dtype=np.int64)) is None


def test_few_simulated_campaigns() -> None:
    """`make bench-statistics ONLY=questions` makes thousands."""
    outcomes = np.array([of_design("normal", EFFECTS, np.random.default_rng(seed), 5) for seed in range(100)])
    assert outcomes[:, 0].sum() <= 12
    assert outcomes[:, 1].sum() >= 70
    assert outcomes[:, 2:].mean() >= 0.88
