import numpy as np
import pytest
from scipy import stats

from benchdb.stats import Cells, Verdict, compare
from benchdb.stats.comparing.ratio import Side
from benchdb.stats.comparing.rounds_needed import further_rounds


def needed(ratio, cv, n=5, level=0.05, margin=0.05):
    sides = Cells.of_moments([n], [ratio], [cv * ratio]), Cells.of_moments([n], [1.0], [cv])
    return further_rounds(*(Side.of(side).arithmetic for side in sides), np.array([level]), margin)[0]


@pytest.mark.parametrize(
    ("ratio", "cv", "total"),
    [
        # Recorded: statsmodels 0.15.0, TTestIndPower().solve_power(log(ratio)/cv, alpha=0.05, power=0.8), rounded up.
        (1.10, 0.10, 19),
        (1.08, 0.05, 8),
        (1.20, 0.30, 44),
    ],
)
def test_agreement_with_the_power_of_the_t_test(ratio, cv, total):
    assert needed(ratio, cv) + 5 == pytest.approx(total, abs=1)


@pytest.mark.parametrize(
    ("ratio", "cv", "level"), [(1.1, 0.1, 0.05), (1.08, 0.05, 0.001), (1.0, 0.06, 0.05), (1.04, 0.2, 0.01)]
)
def test_no_fewer_rounds_do_by_scipys_quantiles(ratio, cv, level):
    """Try numbers of rounds one after another, as in the documentation."""

    def settled(n):
        error, t = cv * np.sqrt(2 / n), stats.t(2 * (n - 1))
        different = np.log(ratio) / error >= t.ppf(1 - level / 2) + t.ppf(0.8)
        return different or (np.log(1.05) - np.log(ratio)) / error >= t.ppf(0.95) + t.ppf(0.9)

    assert needed(ratio, cv, level=level) == next(more for more in range(1, 10_000) if settled(5 + more))


def test_promised_rounds_settle_four_times_in_five():
    rng = np.random.default_rng(14)
    more = needed(1.08, 0.06)
    shape = (2000, 5 + more)
    comparison = compare(
        Cells.of_values(rng.normal(108, 0.06 * 108, shape)), Cells.of_values(rng.normal(100, 6, shape)), margin=0.001
    )
    # There is no correction here: with so many true differences its factor is nearly 1.
    settled = comparison.verdict.count(Verdict.BETTER) / len(comparison)
    assert 0.75 < settled < 0.85


def test_equal_means_are_settled_as_equivalent():
    rng = np.random.default_rng(15)
    more = needed(1.0, 0.06)
    shape = (2000, 5 + more)
    found = compare(Cells.of_values(rng.normal(100, 6, shape)), Cells.of_values(rng.normal(100, 6, shape)))
    assert 0.75 < found.verdict.count(Verdict.EQUIVALENT) / len(found) < 0.87


def test_more_noise_a_smaller_difference_and_a_stricter_level_want_more_rounds():
    assert needed(1.1, 0.2) > needed(1.1, 0.1)
    assert needed(1.1, 0.1) > needed(1.2, 0.1)
    assert needed(1.1, 0.1, level=0.001) > needed(1.1, 0.1, level=0.05)


def test_a_difference_just_at_the_margin_has_no_number_when_it_is_hopeless():
    assert needed(1.0, 60.0) == 0


def test_only_inconclusive_cells_have_a_number():
    rng = np.random.default_rng(16)
    means = np.linspace(100, 115, 200)[:, np.newaxis]
    comparison = compare(Cells.of_values(rng.normal(means, 3, (200, 5))), Cells.of_values(rng.normal(100, 3, (200, 5))))
    assert {Verdict.INCONCLUSIVE, Verdict.BETTER, Verdict.EQUIVALENT} <= set(comparison.verdict)
    for verdict, rounds in zip(comparison.verdict, comparison.further_rounds, strict=True):
        assert (rounds > 0) == (verdict is Verdict.INCONCLUSIVE)
