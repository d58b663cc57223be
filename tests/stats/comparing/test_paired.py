import numpy as np
import pytest
from scipy import stats

from benchdb.stats import NO_BLOCK, Cells, Method, Verdict, compare
from benchdb.stats.comparing.paired import by_campaign, differences

RNG = np.random.default_rng(41)
DAYS = RNG.normal(0, 0.1, (1, 5))
CELLS = np.exp(DAYS + RNG.normal(0.1, 0.02, (3, 5)))
BASE = np.exp(DAYS + RNG.normal(0, 0.02, (3, 5)))
CAMPAIGNS = np.tile([7, 3, 5, 1, 9], (3, 1))


def of_campaigns(values, campaigns=CAMPAIGNS):
    """Cells of several runs, one of each campaign."""
    return Cells.of_values(values, runs=np.shape(values)[1], blocks=campaigns)


def test_cells_of_the_same_campaigns_are_compared_as_scipys_paired_test_does():
    compared = compare(of_campaigns(CELLS), of_campaigns(BASE))
    expected = stats.ttest_rel(np.log(CELLS), np.log(BASE), axis=1)
    low, high = expected.confidence_interval()
    np.testing.assert_allclose(compared.p, expected.pvalue, rtol=1e-9)
    np.testing.assert_allclose(np.log(compared.interval), [low, high], rtol=1e-9)
    np.testing.assert_allclose(np.log(compared.ratio), np.log(CELLS / BASE).mean(axis=1), rtol=1e-9)
    assert set(compared.method) == {Method.PAIRED_BY_CAMPAIGN}
    assert Verdict.BETTER in compared.verdict


def test_the_order_of_the_campaigns_does_not_matter():
    turned = of_campaigns(BASE[:, ::-1], CAMPAIGNS[:, ::-1])
    found, expected = compare(of_campaigns(CELLS), turned), compare(of_campaigns(CELLS), of_campaigns(BASE))
    np.testing.assert_allclose(found.p, expected.p, rtol=1e-12)


@pytest.mark.parametrize(
    ("campaigns", "other"),
    [
        ([1, 2, 3, 4, 5], [1, 2, 3, 4, 6]),
        ([1, 2, 3, 4, 4], [1, 2, 3, 4, 4]),
        ([1, 2, 3, 4, NO_BLOCK], [1, 2, 3, 4, NO_BLOCK]),
        ([1, 2, 3, 4, 5], [NO_BLOCK] * 5),
    ],
    ids=["not the same", "one twice", "one run of no campaign", "only one side"],
)
def test_other_campaigns_are_compared_by_welchs_test(campaigns, other):
    compared = compare(of_campaigns(CELLS[:1], [campaigns]), of_campaigns(BASE[:1], [other]))
    expected = stats.ttest_ind(np.log(CELLS[0]), np.log(BASE[0]), equal_var=False)
    assert (compared.p[0], compared.method) == (pytest.approx(expected.pvalue, rel=1e-9), (Method.WELCH_ON_LOGARITHMS,))


def test_a_campaign_without_a_mean_on_both_sides_does_not_count_but_on_one_side_it_forbids_pairs():
    cells, base = CELLS.copy(), BASE.copy()
    cells[:2, 1] = base[1, 1] = np.nan
    found = by_campaign(of_campaigns(cells).blocked, of_campaigns(base).blocked)
    assert (~np.isnan(found)).sum(axis=1).tolist() == [0, 4, 5]


def test_two_campaigns_are_too_few():
    compared = compare(of_campaigns(CELLS[:, :2], CAMPAIGNS[:, :2]), of_campaigns(BASE[:, :2], CAMPAIGNS[:, :2]))
    assert set(compared.method) == {Method.WELCH_ON_LOGARITHMS}


def test_differences_that_do_not_vary_are_no_test():
    compared = compare(of_campaigns(2 * BASE), of_campaigns(BASE))
    assert set(compared.method) == {Method.WELCH_ON_LOGARITHMS}
    assert np.isfinite(compared.p).all()


def test_rounds_of_one_run_are_not_paired_in_a_cell():
    rounds = np.arange(5)[np.newaxis] + [[100]] * 3
    compared = compare(Cells.of_values(CELLS, blocks=rounds), Cells.of_values(BASE, blocks=rounds))
    assert set(compared.method) == {Method.WELCH_ON_LOGARITHMS}


def test_a_round_is_paired_with_the_same_round_only():
    rounds = np.array([[10, 11, 12, 13, 14]])
    shorter = Cells.of_values(BASE[:1, :4], blocks=rounds[:, :4])
    gap = CELLS[:1].copy()
    gap[0, 1] = np.nan
    found = differences(Cells.of_values(gap, blocks=rounds).blocked, shorter.blocked)
    expected = np.log(CELLS[:1, :4] / BASE[:1, :4])
    expected[0, 1] = np.nan
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_one_run_has_no_pairs_with_several():
    one = Cells.of_values(CELLS, blocks=CAMPAIGNS)
    assert np.isnan(differences(one.blocked, of_campaigns(BASE).blocked)).all()


def test_pairs_have_no_test_of_ranks():
    assert np.isnan(compare(of_campaigns(CELLS), of_campaigns(BASE)).p_ranks).all()


def test_blocks_of_another_shape_are_refused():
    with pytest.raises(ValueError, match="blocks of shape"):
        Cells.of_values(CELLS, blocks=CAMPAIGNS[:, :2])


def test_further_campaigns_for_a_precision_are_those_of_the_paired_test():
    """More pairs are tried one after another, with Student's degrees of freedom of the differences."""
    noise = 0.04 + 1.4 * np.array([0.05, -0.03, 0.01, -0.04, 0.02])
    cells, base = np.exp(DAYS + noise), np.exp(DAYS)
    compared = compare(of_campaigns(cells, CAMPAIGNS[:1]), of_campaigns(base, CAMPAIGNS[:1]))
    sd = noise.std(ddof=1) * np.sqrt(4 / stats.chi2.ppf(0.2, 4))

    def precise(more):
        return stats.t.ppf(0.95, 4 + more) * sd / np.sqrt(5 + more) <= np.log(1.05)

    assert compared.verdict[0] is Verdict.INCONCLUSIVE
    assert compared.rounds_for_precision[0] == next(more for more in range(1, 1000) if precise(more))
