"""Tails of cells: ranks as in percentiles, the share that all rounds show, and verdicts on samples of rounds."""

from base64 import b64decode
from collections.abc import Mapping

import numpy as np
import pytest
from scipy import stats

from benchagent.formats.packing.histogram import packed_histogram
from benchdb.stats import Cells, Verdict
from benchdb.stats.distributions import tails
from benchdb.stats.distributions.percentiles import distribution_of, percentiles
from benchdb.stats.distributions.tails import TAIL_SHARES, common_share, compare_tails, tail_values, tails_of

RANDOM = np.random.default_rng(31)


def packed(counts: Mapping[int, int]) -> bytes:
    return b64decode(packed_histogram(counts))


def a_round(operations: int) -> bytes:
    latencies, counts = np.unique((1e5 * RANDOM.pareto(1.5, operations)).astype(int) + 1, return_counts=True)
    return packed(dict(zip(latencies.tolist(), counts.tolist(), strict=True)))


def test_tails_are_the_percentiles_of_each_round() -> None:
    results = [[a_round(900), None, a_round(20_000)], [a_round(5000)]]
    for found, rounds in zip(tails_of(results), results, strict=True):
        distribution = distribution_of(rounds)
        expected = percentiles(distribution.counts, distribution.latency, TAIL_SHARES)
        np.testing.assert_array_equal(found.latency[distribution.rounds], expected)
        assert found.least == distribution.operations.min()
        assert np.isnan(found.latency).all(axis=1).tolist() == [each is None for each in rounds]


@pytest.mark.parametrize("most", [0, 3, 100])
def test_kept_figures_are_those_of_the_same_distributions(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(tails, "_MOST_KEPT", most)
    results = [[a_round(900), None], [a_round(5000), a_round(800)]]
    for seen in (results, results[::-1], [[a_round(700)], *results, results[0]], results):
        for found, rounds in zip(tails_of(seen), seen, strict=True):
            (decoded,) = tails_of([rounds], [*TAIL_SHARES])  # other shares are not kept
            np.testing.assert_array_equal(found.latency, decoded.latency)
            assert found.least == decoded.least


def test_the_share_leaves_ten_slower_operations_in_every_round_of_both_sides() -> None:
    few, enough, many, most = tails_of([[packed({5: n}), packed({5: 10**6})] for n in (999, 1000, 10_000, 100_000)])
    assert [common_share([each, most]) for each in (few, enough, many, most)] == [None, 0, 1, 2]
    assert common_share([most, few, enough]) is None


def test_several_runs_are_the_sample_of_their_cell() -> None:
    runs = tails_of([[packed({1000: 1000}), packed({2000: 1000})], [packed({1500: 1000}), None]])
    assert tail_values(runs[:1], 0) == pytest.approx([1000e-9, 2000e-9])
    assert tail_values(runs, 0) == pytest.approx([np.sqrt(1000 * 2000) * 1e-9, 1500e-9])


def test_latencies_of_zero_have_logarithms() -> None:
    (found,) = tails_of([[packed({0: 1000})]])
    assert tail_values([found], 0).tolist() == [1e-9]


def test_ratio_and_p_are_those_of_welch_on_logarithms() -> None:
    first, second = np.exp(RANDOM.normal(0.5, 0.2, (20, 8))), np.exp(RANDOM.normal(0, 0.4, (20, 8)))
    compared = compare_tails(Cells.of_values(first), Cells.of_values(second))
    expected = stats.ttest_ind(np.log(first), np.log(second), axis=1, equal_var=False)
    np.testing.assert_allclose(compared.p, expected.pvalue, rtol=1e-9)
    np.testing.assert_allclose(np.log(compared.ratio), expected.statistic * _errors(first, second), rtol=1e-9)


def _errors(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return np.sqrt(sum(np.log(side).var(axis=1, ddof=1) / side.shape[1] for side in (first, second)))


@pytest.mark.parametrize(
    ("factor", "expected"),
    [(3.0, Verdict.WORSE), (1 / 3, Verdict.BETTER), (1.04, Verdict.EQUIVALENT), (1.07, Verdict.INCONCLUSIVE)],
)
def test_longer_tails_are_worse_and_small_differences_do_not_matter(factor: float, expected: Verdict) -> None:
    spread = np.linspace(0.9, 1.1, 10)
    compared = compare_tails(Cells.of_values([factor * spread, spread]), Cells.of_values([spread, spread[::-1]]))
    assert (compared.verdict, compared.margin) == ((expected, Verdict.EQUIVALENT), pytest.approx(0.1))


def test_a_quiet_cell_among_noisy_ones_needs_a_difference_beside_their_spread() -> None:
    noisy = np.exp(0.5 * RANDOM.standard_normal((2, 51, 10)))
    quiet = np.exp(0.001 * RANDOM.standard_normal((2, 1, 10))) * np.array([1.3, 1.0])[:, None, None]
    first, second = np.concatenate([quiet, noisy], axis=1)
    compared = compare_tails(Cells.of_values(first), Cells.of_values(second))
    assert compared.p[0] < 1e-9
    assert compared.verdict[0] is Verdict.INCONCLUSIVE


def test_three_rounds_that_stall_among_many_are_no_longer_tail() -> None:
    """If a tenth of the rounds stall, all three of some cell do so; where no other round stalls, they are a finding."""
    rng = np.random.default_rng(3)
    for odd, expected in ((0.1, Verdict.INCONCLUSIVE), (0.0, Verdict.WORSE)):
        rounds = 1e-3 * rng.lognormal(0, 0.1, (100, 3)) * np.where(rng.random((100, 3)) < odd, 50, 1)
        rounds[0] = 5e-2 * rng.lognormal(0, 0.01, 3)
        rounds[50] = 1e-3 * rng.lognormal(0, 0.01, 3)
        sides = (Cells.of_values(rounds[:50], looks=1), Cells.of_values(rounds[50:], looks=1))
        assert compare_tails(*sides).verdict[0] is expected
