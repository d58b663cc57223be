import numpy as np
import pytest
from scipy import stats

from benchdb.stats import Cells, Verdict, compare
from benchdb.stats.comparing.few_rounds import UsualSpread
from benchdb.stats.comparing.ratio import Side, ratio_of, ratios_of
from benchdb.stats.comparing.rounds_needed import rounds_for_precision, rounds_to_decide

WANTED = np.log(1.05)


def needed(cv, n=5, other_cv=None, other_n=None, ratio=1.0, margin=0.05):
    other_cv = cv if other_cv is None else other_cv
    cells, base = Cells.of_moments([n], [ratio], [cv * ratio]), Cells.of_moments([other_n or n], [1.0], [other_cv])
    sides = [Side.of(side).arithmetic for side in (cells, base)]
    return rounds_for_precision(*sides, ratio_of(*sides), margin)[0]


@pytest.mark.parametrize(
    ("cv", "n", "other_cv", "other_n"), [(0.1, 5, 0.1, 5), (0.1, 3, 0.1, 3), (0.2, 10, 0.05, 4), (0.06, 2, 0.3, 7)]
)
def test_no_fewer_rounds_do_by_scipys_quantiles(cv, n, other_cv, other_n):
    """Try numbers of rounds one after another, as in the documentation."""

    def welch(n, other_n):
        a, b = cv**2 / n, other_cv**2 / other_n
        return np.sqrt(a + b), (a + b) ** 2 / (a**2 / (n - 1) + b**2 / (other_n - 1))

    _, degrees = welch(n, other_n)
    inflated = np.sqrt(degrees / stats.chi2.ppf(0.2, degrees))

    def precise(more):
        error, later = welch(n + more, other_n + more)
        return stats.t.ppf(0.95, later) * error * inflated <= WANTED

    assert needed(cv, n, other_cv, other_n) == next(more for more in range(1, 10_000) if precise(more))


@pytest.mark.parametrize("n", [3, 5, 10])
def test_the_interval_is_as_narrow_as_promised_four_times_in_five(n):
    rng = np.random.default_rng(14)
    reached = []
    for _ in range(300):
        logs = 0.1 * rng.standard_normal((2, n))
        first, second = (Cells.of_values(np.exp(row)[np.newaxis]) for row in logs)
        sides = Side.of(first).geometric, Side.of(second).geometric
        more = rounds_for_precision(*sides, ratio_of(*sides), 0.05)[0]
        assert more >= 0
        both = np.concatenate([logs, 0.1 * rng.standard_normal((2, more))], axis=1)
        first, second = (Cells.of_values(np.exp(row)[np.newaxis]) for row in both)
        interval = ratios_of(first, second).interval(0.90)
        reached.append(np.log(interval.high / interval.low)[0] / 2 <= WANTED)
    assert 0.75 < np.mean(reached) < 0.97


def test_the_ratio_plays_no_part():
    assert needed(0.1, ratio=1.0) == needed(0.1, ratio=1.3) == needed(0.1, ratio=0.2)


def test_more_noise_and_a_smaller_margin_want_more_rounds():
    assert needed(0.2) > needed(0.1) > needed(0.1, margin=0.1)


def test_a_ratio_known_precisely_enough_needs_no_more():
    assert needed(0.02, n=10) == 0


def test_a_hopeless_cell_has_no_number():
    assert needed(60.0) == -1


def test_only_inconclusive_cells_have_a_number():
    rng = np.random.default_rng(16)
    means = np.linspace(100, 115, 200)[:, np.newaxis]
    comparison = compare(Cells.of_values(rng.normal(means, 5, (200, 5))), Cells.of_values(rng.normal(100, 5, (200, 5))))
    assert {Verdict.INCONCLUSIVE, Verdict.BETTER, Verdict.EQUIVALENT} <= set(comparison.verdict)
    for verdict, rounds in zip(comparison.verdict, comparison.rounds_for_precision, strict=True):
        assert (rounds >= 0) == (verdict is Verdict.INCONCLUSIVE)


def test_extreme_published_spreads_overflow_nothing():
    cells = Cells.of_moments([2, 10], [1.0, 1.0], [1e200, 1e300])
    base = Cells.of_moments([2, 10], [1.0, 1.0], [1e200, 1.0])
    with np.errstate(over="raise"):
        compared = compare(cells, base)
    assert compared.rounds_for_precision.tolist() == [-1, -1]
    assert set(compared.verdict) == {Verdict.INCONCLUSIVE}


def to_decide(cv, n=5, other_cv=None, other_n=None, ratio=1.3, level=0.001, usual=0.0):
    other_cv = cv if other_cv is None else other_cv
    cells, base = Cells.of_moments([n], [ratio], [cv * ratio]), Cells.of_moments([other_n or n], [1.0], [other_cv])
    sides = [Side.of(side).arithmetic for side in (cells, base)]
    spread = UsualSpread(np.array([usual]), np.array([40.0]))
    return rounds_to_decide(*sides, ratio_of(*sides), level=np.array([level]), usual=spread, margin=0.05)[0]


@pytest.mark.parametrize(
    ("cv", "n", "other_cv", "other_n"), [(0.12, 5, 0.12, 5), (0.06, 3, 0.06, 3), (0.2, 10, 0.05, 4)]
)
def test_no_fewer_rounds_decide_by_scipys_quantiles(cv, n, other_cv, other_n):
    """Try numbers of rounds one after another: the mean of all, of which the new ones have the nearest end."""

    def welch(n, other_n):
        a, b = cv**2 / n, other_cv**2 / other_n
        return np.sqrt(a + b), (a + b) ** 2 / (a**2 / (n - 1) + b**2 / (other_n - 1))

    now, degrees = welch(n, other_n)
    nearest = np.log(1.3) - stats.t.ppf(0.975, degrees) * now
    inflated = np.sqrt(degrees / stats.chi2.ppf(0.2, degrees))

    def decided(more):
        error, later = welch(n + more, other_n + more)
        old = (n / (n + more) + other_n / (other_n + more)) / 2
        expected = old * np.log(1.3) + (1 - old) * nearest
        of_new = np.sqrt(more * (cv**2 / (n + more) ** 2 + other_cv**2 / (other_n + more) ** 2))
        chance = stats.t.ppf(0.8, later) * of_new * inflated
        differs = expected - chance >= stats.t.ppf(0.9995, later) * error * inflated
        return differs or expected + chance + stats.t.ppf(0.95, later) * error * inflated <= WANTED

    assert nearest > 0
    assert to_decide(cv, n, other_cv, other_n) == next(more for more in range(1, 10_000) if decided(more))


def test_few_rounds_must_also_be_large_beside_the_usual_spread():
    own, beside_noise = to_decide(0.005, n=3, ratio=1.1), to_decide(0.005, n=3, ratio=1.1, usual=0.3)
    assert 3 + own <= 10
    assert 3 + beside_noise == 11


def test_only_cells_that_would_differ_alone_have_a_number_to_decide():
    rng = np.random.default_rng(16)
    means = np.linspace(100, 115, 200)[:, np.newaxis]
    found = compare(Cells.of_values(rng.normal(means, 5, (200, 5))), Cells.of_values(rng.normal(100, 5, (200, 5))))
    undecided = np.array([verdict is Verdict.INCONCLUSIVE for verdict in found.verdict])
    assert not (found.rounds_to_decide[~undecided] >= 0).any()
    assert not (found.rounds_to_decide[found.p > 0.05] >= 0).any()
    assert (found.rounds_to_decide[undecided & (found.p < 0.04)] > 0).all()
