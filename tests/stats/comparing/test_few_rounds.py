import numpy as np
import pytest
from scipy import stats

from benchdb.stats import Cells, Verdict, compare
from benchdb.stats.comparing.few_rounds import p_with_few_rounds, usual_spread
from benchdb.stats.comparing.ratio import Side

RANDOM = np.random.default_rng(44)


def table(n, cells=52, runs=1):
    first, second = (Cells.of_values(np.exp(0.1 * RANDOM.standard_normal((cells, n))), runs=runs) for _ in range(2))
    return first, second


def raised(p, cells, base):
    first, second = Side.of(cells), Side.of(base)
    known = first.all_positive & second.all_positive
    runs = np.minimum(cells.runs, base.runs)
    return p_with_few_rounds(p, first.moments(known), second.moments(known), runs, usual_spread(cells, base))


def test_p_agrees_with_its_definition():
    first, second = table(4)
    sds = [np.log(side.values).std(axis=1, ddof=1) for side in (first, second)]
    distance = np.abs(np.log(first.values).mean(axis=1) - np.log(second.values).mean(axis=1))
    beside = 2 * stats.norm.sf(distance / (np.median(sds) * np.sqrt(2 / 4)))
    p = np.full(52, 1e-3)
    np.testing.assert_allclose(raised(p, first, second), np.maximum(p, beside), rtol=1e-9)


@pytest.mark.parametrize(("n", "runs"), [(11, 1), (3, 3)])
def test_enough_rounds_and_several_runs_decide_by_themselves(n, runs):
    p = np.full(52, 1e-6)
    assert (raised(p, *table(n, runs=runs)) == p).all()


def test_moments_serve_where_values_are_unknown():
    cells = Cells.of_moments([3, 1, 3], [1.0, 1.0, 2.0], [0.1, np.nan, 0.02])
    base = Cells.of_moments([3, 1, 3], [1.0, 1.0, 1.0], [0.1, np.nan, 0.01])
    found = raised(np.array([0.5, np.nan, 1e-99]), cells, base)
    assert found[0] == 1.0
    assert np.isnan(found[1])
    usual = np.median([0.1, 0.1, 0.01, 0.01])
    assert found[2] == pytest.approx(2 * stats.norm.sf(np.log(2) / (usual * np.sqrt(2 / 3))), rel=1e-9)


def test_three_rounds_on_different_levels_are_no_difference():
    levels = np.where(RANDOM.random((2, 52, 3)) < 0.5, 1.0, 2.0)
    levels[0, 0], levels[1, 0] = 1.0, 2.0
    first, second = (np.exp(0.02 * RANDOM.standard_normal((52, 3))) * side for side in levels)
    compared = compare(Cells.of_values(first), Cells.of_values(second))
    assert compared.p_adjusted[0] > 0.05 > compared.p[0]
    assert not {Verdict.BETTER, Verdict.WORSE} & set(compared.verdict)


def test_a_difference_beyond_all_noise_is_still_claimed():
    _, second = table(3)
    values = second.values.copy()
    values[0] *= 10
    assert compare(Cells.of_values(values), second).verdict[0] is Verdict.BETTER


def test_a_pair_has_the_same_p_in_verdicts_and_in_findings():
    """Findings test some pairs of the table, verdicts others; both look at the spread of the whole table."""
    table = Cells.of_values(np.exp(RANDOM.uniform(0.01, 0.5, (40, 1)) * RANDOM.standard_normal((40, 3))))
    whole = compare(table.take(range(20)), table.take(range(20, 40)))
    assert compare(table.take([7]), table.take([27])).p_of_claims[0] == whole.p_of_claims[7]


def test_the_usual_spread_is_that_of_cells_of_the_same_kind():
    sds = np.array([0.01, 0.02, 0.3, 0.4] * 8)
    kinds = np.array([0, 0, 1, 1] * 8)
    cells = Cells.of_moments(3, np.ones(32), sds, kinds=kinds)

    found = usual_spread(cells, cells)

    np.testing.assert_allclose(found.sd[kinds == 0], np.sqrt(np.mean([0.01**2, 0.02**2])))
    np.testing.assert_allclose(found.sd[kinds == 1], np.sqrt(np.mean([0.3**2, 0.4**2])))
    assert (found.degrees == 16 * 2).all()
    np.testing.assert_allclose(usual_spread(cells.take([2, 0]), cells.take([3, 1])).sd, found.sd[[2, 0]])


def test_one_far_noisier_system_does_not_hide_what_others_show():
    cells = Cells.of_moments(3, np.ones(12), [0.01] * 8 + [10.0] * 4, kinds=0)
    np.testing.assert_allclose(usual_spread(cells, cells).sd, 0.01)


def test_a_pair_of_two_kinds_has_the_spread_of_both_whichever_is_first():
    cells = Cells.of_moments([3] * 8 + [2] * 8, np.ones(16), [0.03] * 8 + [0.04] * 8, kinds=[0] * 8 + [1] * 8)
    quiet, noisy = cells.take(range(8)), cells.take(range(8, 16))
    for found in (usual_spread(quiet, noisy), usual_spread(noisy, quiet)):
        np.testing.assert_allclose(found.sd, 0.05 / np.sqrt(2))
        assert found.degrees.tolist() == [8 * 1] * 8


def test_a_kind_that_does_not_vary_has_the_spread_of_the_table():
    cells = Cells.of_moments(3, np.ones(10), [0.1] * 9 + [0.0], kinds=[0] * 9 + [1])
    found = usual_spread(cells.take([0]), cells.take([9]))
    assert (found.sd[0], found.degrees[0]) == (pytest.approx(0.1), 9 * 2)


def test_a_kind_of_few_cells_has_at_least_the_spread_of_the_table():
    cells = Cells.of_moments(3, np.ones(20), [0.001] * 4 + [0.1] * 16, kinds=[0] * 4 + [1] * 16)
    found = usual_spread(cells, cells)
    np.testing.assert_allclose(found.sd, 0.1)
    assert found.degrees.tolist() == [4 * 2] * 4 + [16 * 2] * 16


def test_equal_values_say_nothing_about_the_usual_spread():
    cells = Cells.of_values([[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.1, 1.2]])
    assert usual_spread(cells, cells).sd == pytest.approx(np.log([1.0, 1.1, 1.2]).std(ddof=1))
    assert np.isnan(usual_spread(Cells.of_values([[1.0, 1.0]]), Cells.of_values([[1.0, 1.0]])).sd)


def test_a_spread_of_few_cells_is_told_by_students_t():
    values = np.exp(0.1 * RANDOM.standard_normal((4, 3)))
    cells = Cells.of_values(values, kinds=0)
    first, second = cells.take([0]), cells.take([1])
    logs = np.log(values)
    pooled = max(np.sqrt(logs.var(axis=1, ddof=1).mean()), np.median(logs.std(axis=1, ddof=1)))
    t = abs(logs[0].mean() - logs[1].mean()) / (pooled * np.sqrt(2 / 3))
    np.testing.assert_allclose(raised(np.array([1e-9]), first, second), 2 * stats.t.sf(t, 4 * 2))
