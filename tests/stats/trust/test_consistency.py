"""Reads that are too fast beside the sequential read, against a direct computation by SciPy."""

import numpy as np
import pytest
from scipy import stats as scipy_stats

from benchdb.stats import faster_reads
from benchdb.stats.trust.consistency import LEVEL, MARGIN

# Tables 7 and 9 of the iozone article: file system, test, mean and sd of ten rounds; then those of its read.
TABLE_7 = [
    ("reiser4", 107486.6, 126.50, 106770.6, 63.29, False),
    ("ext3", 83584.6, 147.11, 74145.8, 4309.27, True),
    ("ext4", 98299.9, 195.36, 97985.4, 40.32, False),
    ("ext4", 108635.4, 159.98, 97985.4, 40.32, True),
]
TABLE_9 = [
    ("reiser4", 112646.5, 178.95, 106780.7, 39.83, True),
    ("ext4", 111708.7, 219.17, 97943.6, 31.41, True),
    ("ext4", 105651.6, 151.52, 97943.6, 31.41, True),
]


def faster(mean, sd, other, other_sd, n=10, tests=12):
    return faster_reads([n], [mean], [sd], [n], [other], [other_sd], [tests])


@pytest.mark.parametrize(("_name", "mean", "sd", "read", "read_sd", "contradicts"), TABLE_7 + TABLE_9)
def test_the_articles_reads(_name, mean, sd, read, read_sd, contradicts):
    found = faster(mean, sd, read, read_sd)
    assert found.contradicts.tolist() == [contradicts]
    np.testing.assert_allclose(found.ratio, mean / read)


@pytest.mark.parametrize(
    ("n", "other_n", "ratio", "cv", "other_cv", "tests"),
    [
        (10, 10, 1.10, 0.03, 0.02, 12),
        (3, 10, 1.3, 0.02, 0.08, 3),
        (30, 5, 1.04, 0.01, 0.001, 52),
        (2, 2, 1.5, 0.01, 0.01, 3),
    ],
)
def test_the_border_is_where_scipy_puts_it(n, other_n, ratio, cv, other_cv, tests):
    """Welch's test of the logarithms' moments; the family decides within 1e-9 of p = LEVEL."""
    p = scipy_stats.ttest_ind_from_stats(
        np.log(ratio / (1 + MARGIN)), cv, n, 0, other_cv, other_n, equal_var=False, alternative="greater"
    ).pvalue
    for family, contradicts in ((LEVEL / p * (1 - 1e-9), True), (LEVEL / p * (1 + 1e-9), False)):
        found = faster_reads([n], [ratio], [cv * ratio], [other_n], [1.0], [other_cv], [family])
        assert found.contradicts.tolist() == [contradicts]


@pytest.mark.parametrize(("ratio", "contradicts"), [(1.49, False), (1.51, True), (0.5, False)])
@pytest.mark.parametrize(("n", "sd"), [(1, np.nan), (np.nan, np.nan), (10, np.nan), (10, 0.0)])
def test_without_a_spread_the_tolerance_is_fixed(n, sd, ratio, contradicts):
    assert faster_reads([n], [ratio], [sd], [n], [1.0], [sd], [3]).contradicts.tolist() == [contradicts]


def test_without_a_sequential_read_nothing_contradicts():
    found = faster_reads([10, 10], [5.0, np.nan], [0.1, 0.1], [np.nan, 10], [np.nan, 1.0], [np.nan, 0.1], [np.nan, 3])
    assert found.contradicts.tolist() == [False, False]
    assert np.isnan(found.ratio).all()


def test_no_results():
    assert faster_reads([], [], [], [], [], [], []).contradicts.shape == (0,)
