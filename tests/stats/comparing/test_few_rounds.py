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


@pytest.mark.parametrize(("n", "runs"), [(6, 1), (3, 3)])
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
    some = compare(table.take([7]), table.take([27]))
    assert some.p_of_claims[0] == whole.p_of_claims[7]


def test_equal_values_say_nothing_about_the_usual_spread():
    cells = Cells.of_values([[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.1, 1.2]])
    assert usual_spread(cells, cells) == pytest.approx(np.log([1.0, 1.1, 1.2]).std(ddof=1))
    assert np.isnan(usual_spread(Cells.of_values([[1.0, 1.0]]), Cells.of_values([[1.0, 1.0]])))
