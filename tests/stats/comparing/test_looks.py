import numpy as np
import pytest
from scipy import stats

from benchdb.stats import Cells, Correction, Verdict, compare
from benchdb.stats.comparing.looks import p_over_looks, share_of_look

CALLED = {Verdict.BETTER, Verdict.WORSE}


def test_the_shares_are_those_of_the_documentation():
    np.testing.assert_allclose(
        share_of_look(np.arange(6)), [1, 0.98, 0.015, 0.00375, 0.0009375, 0.000234375], rtol=1e-12
    )


def test_all_looks_together_spend_no_more_than_there_is():
    assert share_of_look(np.arange(1, 60)).sum() <= 1


@pytest.mark.parametrize("rounds", [(5, 10, 15, 20), (10, 20, 40, 80), (8, 9, 10, 11)])
def test_numerical_integration_over_four_looks_stays_below_the_level(rounds):
    """P(|Z| within its bound at every look) by the multivariate normal distribution of the growing means."""
    bounds = stats.norm.isf(0.05 * share_of_look(np.arange(1, 5)) / 2)
    earlier, later = np.minimum.outer(rounds, rounds), np.maximum.outer(rounds, rounds)
    correlation = np.sqrt(earlier / later)
    never = stats.multivariate_normal.cdf(bounds, cov=correlation, lower_limit=-bounds, maxpts=400_000)
    assert 0.049 <= 1 - never < 0.05


def test_the_later_look_of_both_sides_counts():
    values = np.random.default_rng(1).lognormal(0, 0.1, (3, 6))
    cells, base = Cells.of_values(values, looks=[1, 2, 0]), Cells.of_values(values[::-1], looks=[1, 1, 0])
    compared = compare(cells, base, correction=Correction.UNCORRECTED)
    expected = np.minimum(compared.p / [0.98, 0.015, 1.0], 1)
    np.testing.assert_allclose(compared.p_adjusted, expected, rtol=1e-12)


def test_p_is_divided_by_the_share_of_its_look():
    np.testing.assert_allclose(p_over_looks(np.full(3, 0.0147), np.array([1, 2, 0])), [0.015, 0.98, 0.0147], rtol=1e-12)


def test_the_correction_of_the_table_starts_from_the_p_of_the_look():
    rng = np.random.default_rng(2)
    first, second = rng.lognormal(0.1, 0.1, (20, 8)), rng.lognormal(0, 0.1, (20, 8))
    compared = compare(Cells.of_values(first, looks=2), Cells.of_values(second))
    expected = stats.false_discovery_control(np.minimum(compared.p / 0.015, 1))
    np.testing.assert_allclose(compared.p_adjusted, expected, rtol=1e-12)
    assert {row.look for row in compared.rows()} == {2}


def test_a_claim_at_a_later_look_needs_more_evidence():
    rng = np.random.default_rng(3)
    first, second = rng.lognormal(0.09, 0.05, (400, 8)), rng.lognormal(0, 0.05, (400, 8))

    def called(looks):
        sides = (Cells.of_values(values, looks=looks) for values in (first, second))
        return sum(verdict in CALLED for verdict in compare(*sides, correction=Correction.UNCORRECTED).verdict)

    assert called(0) >= called(1) > called(2) > called(3)
