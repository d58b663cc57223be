import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from benchdb.stats import matrix, several_runs
from benchdb.stats.moments import moments
from tests.stats.strategies import anything

# Davies and Goldsmith (1972), §6.5: yield of dyestuff, g, of five samples from each of six batches.
DYESTUFF = [
    [1545, 1440, 1440, 1520, 1580],
    [1540, 1555, 1490, 1560, 1495],
    [1595, 1550, 1605, 1510, 1560],
    [1445, 1440, 1595, 1465, 1545],
    [1595, 1630, 1515, 1635, 1625],
    [1520, 1455, 1450, 1480, 1445],
]
UNEQUAL = [DYESTUFF[0][:2], DYESTUFF[1], DYESTUFF[2][:3], DYESTUFF[3][:1], DYESTUFF[4]]


def cell_of(runs):
    """The only cell of these runs, each a list of its rounds' values."""
    return several_runs(*(column[np.newaxis] for column in moments(matrix(runs))))


def test_agreement_with_lme4_on_the_dyestuff_of_its_documentation():
    cell = cell_of(DYESTUFF)
    # Recorded: R, lme4, lmer(Yield ~ 1 + (1 | Batch), Dyestuff): sd of Batch 42.00, residual 49.51. With equal n REML
    # and the analysis of variance agree: MSB = 11271.5, MSW = 2451.25.
    assert (cell.between_sd[0], cell.within_sd[0]) == (pytest.approx(42.00, abs=0.005), pytest.approx(49.51, abs=0.005))
    assert cell.between_sd[0] == pytest.approx(np.sqrt((11271.5 - 2451.25) / 5), rel=1e-9)
    assert cell.within_sd[0] == pytest.approx(np.sqrt(2451.25), rel=1e-9)


@pytest.mark.parametrize("runs", [DYESTUFF, UNEQUAL], ids=["equal n", "unequal n"])
def test_p_agrees_with_scipys_analysis_of_variance(runs):
    assert cell_of(runs).p[0] == pytest.approx(stats.f_oneway(*runs).pvalue, rel=1e-9)


def test_variances_of_unequal_n_are_those_whose_quadratic_forms_expect_them():
    """Henderson's first method by its matrices: E(y'Qy) = tr(Q V) for both forms, solved for the two variances."""
    y = np.concatenate(UNEQUAL).astype(float)
    group = np.repeat(np.eye(len(UNEQUAL)), [len(run) for run in UNEQUAL], axis=0)
    onto_groups = group @ np.linalg.pinv(group)
    onto_mean = np.full((len(y), len(y)), 1 / len(y))
    forms = (onto_groups - onto_mean, np.eye(len(y)) - onto_groups)
    expected = [[np.trace(form @ group @ group.T), np.trace(form)] for form in forms]
    between, within = np.linalg.solve(expected, [y @ form @ y for form in forms])
    cell = cell_of(UNEQUAL)
    np.testing.assert_allclose([cell.between_sd[0] ** 2, cell.within_sd[0] ** 2], [between, within], rtol=1e-9)


def test_the_runs_means_are_the_sample_however_many_rounds_each_has():
    found = cell_of(UNEQUAL)
    means = [np.mean(run) for run in UNEQUAL]
    assert (found.runs[0], found.mean[0]) == (5, pytest.approx(np.mean(means), rel=1e-12))
    assert found.sd[0] == pytest.approx(np.std(means, ddof=1), rel=1e-12)


def test_runs_that_differ_less_than_their_rounds_have_no_variance_between():
    found = cell_of([[1.0, 9.0, 5.0], [2.0, 8.0, 5.0], [1.5, 8.5, 5.1]])
    assert found.between_sd[0] == 0
    assert found.within_sd[0] > 3
    assert found.p[0] > 0.9


@pytest.mark.parametrize(
    ("n", "mean", "sd"),
    [
        ([1, 1, 1], [5.0, 6.0, 7.0], [np.nan] * 3),
        ([10], [5.0], [1.0]),
        ([0, 0], [5.0, 6.0], [1.0, 1.0]),
        ([10, 10], [5.0, 6.0], [np.nan, np.nan]),
        ([np.nan, np.nan], [np.nan, np.nan], [np.nan, np.nan]),
        ([], [], []),
    ],
)
def test_what_cannot_be_parted_is_not(n, mean, sd):
    found = several_runs([n], [mean], [sd])
    assert np.isnan([found.between_sd, found.p]).all()
    assert found.runs[0] == len([value for value in mean if not np.isnan(value)])


def test_a_run_without_rounds_known_counts_in_the_mean_only():
    with_published = several_runs([[5, 5, 0]], [[10.0, 12.0, 20.0]], [[1.0, 1.0, np.nan]])
    without = several_runs([[5, 5, 0]], [[10.0, 12.0, np.nan]], [[1.0, 1.0, np.nan]])
    assert with_published.mean[0] == 14
    assert with_published.between_sd[0] == without.between_sd[0] > 0


def test_cells_are_taken_each_for_itself():
    figures = [moments(matrix(runs)) for runs in (DYESTUFF, UNEQUAL)]
    n, mean, sd = (matrix([getattr(one, name).tolist() for one in figures]) for name in ("n", "mean", "sd"))
    together = several_runs(n, mean, sd)
    for place, runs in enumerate((DYESTUFF, UNEQUAL)):
        np.testing.assert_allclose([column[place] for column in together], np.ravel(cell_of(runs)), rtol=1e-12)


def test_the_shapes_must_agree():
    with pytest.raises(ValueError, match="different shapes"):
        several_runs([[1, 2]], [[1.0]], [[1.0]])


@given(anything(), st.integers(0, 9))
def test_any_floats_give_variances_that_are_not_negative(means, n):
    found = several_runs(np.full(means.shape, n), means, np.abs(means[::-1]))
    for column in (found.within_sd, found.between_sd, found.p):
        exists = ~np.isnan(column)
        assert (column[exists] >= 0).all()


def test_both_variances_are_found_on_average():
    rng = np.random.default_rng(22)
    n = np.tile([3, 10, 5, 10, 7, 2], (4000, 1))
    effects = rng.normal(100, 4, n.shape)
    rounds = rng.normal(0, 2, (*n.shape, 10)) + effects[:, :, np.newaxis]
    rounds[np.broadcast_to(np.arange(10), rounds.shape) >= n[:, :, np.newaxis]] = np.nan
    cells = several_runs(n, np.nanmean(rounds, axis=2), np.nanstd(rounds, axis=2, ddof=1))
    assert (cells.within_sd**2).mean() == pytest.approx(4, rel=0.03)
    assert (cells.between_sd**2).mean() == pytest.approx(16, rel=0.05)
