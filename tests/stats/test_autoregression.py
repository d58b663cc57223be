"""Dependent series: the restricted likelihood compared with its definition by whole matrices; known correlations."""

import numpy as np
import pytest
from scipy import linalg, stats

from benchdb.stats.autoregression import CORRELATIONS, DROP, dependence, inflation, restricted_likelihood


def by_definition(series: np.ndarray, edges: list[int], phi: float) -> tuple[float, float]:
    """Patterson and Thompson (1971) with the covariance matrix of AR(1) innovations of variance 1."""
    covariance = linalg.toeplitz(phi ** np.arange(len(series))) / (1 - phi**2)
    design = np.repeat(np.eye(len(edges) - 1), np.diff(edges), axis=0)
    inverse = np.linalg.inv(covariance)
    information = design.T @ inverse @ design
    rest = series - design @ np.linalg.solve(information, design.T @ inverse @ series)
    squares = rest @ inverse @ rest
    determinants = np.linalg.slogdet(covariance)[1] + np.linalg.slogdet(information)[1]
    return -0.5 * ((len(series) - len(edges) + 1) * np.log(squares) + determinants), squares


@pytest.mark.parametrize("edges", [[0, 30], [0, 3, 30], [0, 10, 13, 20, 27, 30], [0, 1, 2, 30]])
def test_the_likelihood_is_that_of_the_definition(edges: list[int]) -> None:
    series = np.random.default_rng(1).normal(5, 2, 30)
    likelihood, squares = restricted_likelihood(series, edges, CORRELATIONS)
    expected = np.array([by_definition(series, edges, phi) for phi in CORRELATIONS])
    np.testing.assert_allclose(likelihood, expected[:, 0], rtol=1e-9)
    np.testing.assert_allclose(squares, expected[:, 1], rtol=1e-9)


def test_without_correlation_the_sd_is_the_pooled_one() -> None:
    found = dependence(np.tile([1.0, -1.0], 10), [0, 10, 20])
    assert (found.correlation, found.independent.correlation, found.p) == (0, 0, 1)
    assert found.independent.sd == pytest.approx(np.sqrt(20 / 18), rel=1e-9)


def test_the_bound_is_where_the_likelihood_has_dropped() -> None:
    series = np.random.default_rng(3).normal(0, 1, 40)
    likelihood, _ = restricted_likelihood(series, [0, 40], CORRELATIONS)
    found = dependence(series, [0, 40])
    within = CORRELATIONS[likelihood >= likelihood.max() - DROP]
    assert (found.correlation, found.dependent.correlation) == (CORRELATIONS[likelihood.argmax()], within[-1])


def test_independent_points_are_called_dependent_in_five_percent() -> None:
    rng = np.random.default_rng(4)
    found = [dependence(rng.standard_normal(40), [0, 20, 40]).p <= 0.05 for _ in range(1000)]
    assert stats.binomtest(sum(found), len(found), 0.05).pvalue > 0.01


@pytest.mark.parametrize("points", [1, 2, 3, 10, 30])
@pytest.mark.parametrize("phi", [0.0, 0.3, 0.95])
def test_the_variance_of_a_mean_is_the_mean_of_the_covariances(phi: float, points: int) -> None:
    covariance = linalg.toeplitz(phi ** np.arange(points))
    assert inflation(phi, points) == pytest.approx(covariance.mean() * points, rel=1e-9)
