"""Percentiles of distributions: exact ranks, together and for each round, and intervals from drawn rounds."""

from base64 import b64decode
from math import ceil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchagent.formats.packing.histogram import packed_histogram
from benchdb.stats.distributions.percentiles import distribution_of, interval, percentiles, shown_shares, together

SHARES = (0.5, 0.9, 0.99, 0.999, 0.9999, 1.0)
LATENCIES = st.lists(st.integers(1, 2000), min_size=1, max_size=60)  # below 2,048 ns every number has its own bucket


def packed(latencies: list[int], times: int = 1) -> bytes:
    return b64decode(packed_histogram({each: times * latencies.count(each) for each in latencies}))


@settings(max_examples=60, deadline=None)
@given(st.lists(LATENCIES, min_size=1, max_size=4))
def test_a_percentile_is_the_operation_of_its_rank(rounds: list[list[int]]) -> None:
    distribution = distribution_of([packed(each) for each in rounds])
    of_rounds = percentiles(distribution.counts, distribution.latency, SHARES)
    for figures, latencies in zip(of_rounds, rounds, strict=True):
        ranks = [ceil(round(share * len(latencies), 9)) for share in SHARES]
        assert figures * 1e9 == pytest.approx([sorted(latencies)[rank - 1] for rank in ranks])
    joined = [latency for latencies in rounds for latency in latencies]
    expected = [sorted(joined)[ceil(round(share * len(joined), 9)) - 1] for share in SHARES]
    assert together(distribution, SHARES) * 1e9 == pytest.approx(expected)


def test_rounds_without_a_distribution_are_left_out() -> None:
    distribution = distribution_of([None, packed([5]), None, packed([7, 7])])
    assert distribution.rounds.tolist() == [1, 3]
    assert distribution.operations.tolist() == [1, 2]


def test_very_many_buckets_are_joined_with_half_a_percent_of_error() -> None:
    latencies = np.unique(np.geomspace(1000, 10**9, 20_000).astype(int))
    distribution = distribution_of([b64decode(packed_histogram({int(each): 1 for each in latencies}))] * 12)
    assert len(distribution.latency) <= 2_700
    shares = (0.1, 0.5, 0.9, 0.999)
    exact = [latencies[ceil(round(share * len(latencies), 9)) - 1] for share in shares]
    assert together(distribution, shares) * 1e9 == pytest.approx(exact, rel=0.005)
    assert distribution.operations.tolist() == [len(latencies)] * 12


def test_there_is_no_interval_for_few_rounds() -> None:
    assert interval(distribution_of([packed([5, 6, 7])] * 5), [0.5]) is None


def test_equal_rounds_have_an_interval_of_no_width() -> None:
    intervals = interval(distribution_of([packed([5, 6, 7])] * 6), [0.5])
    assert intervals is not None
    assert [float(intervals.low[0]), float(intervals.high[0])] == pytest.approx([6e-9, 6e-9])


def test_more_operations_do_not_narrow_the_interval() -> None:
    rounds = [[100 + i, 200 + 3 * i] for i in range(8)]
    widths = []
    for times in (1, 100_000):
        intervals = interval(distribution_of([packed(each, times) for each in rounds]), [0.5])
        assert intervals is not None
        widths.append(intervals.high - intervals.low)
    assert widths[0] == widths[1] > 0


def test_the_interval_covers_the_true_percentile_in_95_percent_of_trials() -> None:
    """Rounds whose medians scatter around 1,000 ns; 300 trials: a coverage of 95 % gives 272 to 295 with p = 0.999."""
    random = np.random.default_rng(1)
    covered = 0
    for _ in range(300):
        medians = random.normal(1000, 30, 10)
        rounds = [random.normal(median, 20, 400).round().astype(int).tolist() for median in medians]
        intervals = interval(distribution_of([packed(each) for each in rounds]), [0.5])
        assert intervals is not None
        covered += bool(intervals.low[0] <= 1000e-9 <= intervals.high[0])
    assert 272 <= covered <= 298


def test_shares_need_ten_slower_operations() -> None:
    assert shown_shares(9_999, [0.9, 0.99, 0.999]) == [0.9, 0.99]
    assert shown_shares(10_000, [0.9, 0.99, 0.999]) == [0.9, 0.99, 0.999]
