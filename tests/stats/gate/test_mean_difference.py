"""The precision of mean differences: of independent rounds, and of rounds that resemble the ones before them."""

import numpy as np
import pytest
from scipy import stats

from benchdb.stats.arrays import FloatArray
from benchdb.stats.autoregression import dependence, inflation
from benchdb.stats.gate.mean_difference import MeanDifference

N = 40


def mean_of(differences: FloatArray) -> MeanDifference:
    return MeanDifference.of(differences, np.arange(1, len(differences) + 1))


def test_p_is_that_of_students_t() -> None:
    differences = np.random.default_rng(1).normal(0.3, 1, N)
    found = mean_of(differences)
    assert found.p(found.independent) == pytest.approx(stats.ttest_1samp(differences, 0).pvalue)
    above = stats.ttest_1samp(differences, np.log(1.1), alternative="greater").pvalue
    assert found.p_beyond(0.1, found.independent) == pytest.approx(above)
    below = mean_of(-differences)
    assert below.p_beyond(0.1, below.independent) == pytest.approx(
        stats.ttest_1samp(-differences, np.log(0.9), alternative="less").pvalue
    )
    assert below.p_beyond(1.0, below.independent) > 0.5  # no loss is larger than all


def test_rounds_that_differ_from_the_ones_before_are_independent() -> None:
    found = mean_of(np.tile([0.1, -0.1, 0.12, -0.09], 6))
    assert found.dependent() == pytest.approx(found.independent)


def test_the_error_of_dependent_rounds_has_its_formula() -> None:
    differences = np.cumsum(np.random.default_rng(9).standard_normal(N))
    factor = inflation(dependence(differences, [0, N]).correlation, N)
    independent, dependent = mean_of(differences).independent, mean_of(differences).dependent()
    assert factor > 5
    assert dependent.degrees == pytest.approx(N / factor - 1)
    assert dependent.error == pytest.approx(independent.error * np.sqrt(factor * (N - 1) / (N - factor)))


def test_differences_without_variation_are_certain() -> None:
    lasting, none = mean_of(np.full(8, 0.2)), mean_of(np.zeros(8))
    assert (lasting.p(lasting.dependent()), none.p(none.dependent())) == (0, 1)
    assert (lasting.p_beyond(0.1, lasting.dependent()), lasting.p_beyond(0.3, lasting.dependent())) == (0, 1)
    halves = mean_of(np.full(8, np.log(0.5)))
    assert (halves.p_beyond(0.4, halves.dependent()), halves.p_beyond(0.6, halves.dependent())) == (0, 1)


def test_the_largest_change_of_level_is_named_by_its_round() -> None:
    levels = np.repeat([-0.1, 0.05], [9, 7]) + np.random.default_rng(4).normal(0, 0.005, 16)
    found = MeanDifference.of(levels, np.arange(3, 19)).level_change()
    assert found is not None
    assert found.round == 11
    assert (found.before, found.after) == pytest.approx((np.exp(-0.1), np.exp(0.05)), rel=0.01)
