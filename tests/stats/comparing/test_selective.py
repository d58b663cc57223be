"""Families of tests are selected before their tests."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy import stats

from benchdb.stats.comparing.selective import select, select_sides, simes

P = arrays.arrays(
    float,
    st.tuples(st.integers(1, 6), st.integers(1, 8)),
    elements=st.one_of(st.floats(0, 1), st.just(np.nan)),
)


def by_definition(p, level):
    """Simes, Hochberg and Benjamini and Bogomolov as their authors write them, one family at a time."""
    families = [np.sort(row[~np.isnan(row)]) for row in p]
    tested = [i for i, row in enumerate(families) if len(row)]
    combined = {i: min(len(families[i]) * q / (j + 1) for j, q in enumerate(families[i])) for i in tested}
    ascending = sorted(tested, key=combined.__getitem__)
    selected = []
    for j, i in reversed([*enumerate(ascending)]):  # the largest first, until one is at most level / (larger ones + 1)
        if combined[i] < 0.9 * level / (len(ascending) - j):
            selected = ascending[: j + 1]
            break
    passed = np.zeros(p.shape, dtype=bool)
    for i in selected:
        within = level * len(selected) / len(tested)
        passed[i, ~np.isnan(p[i])] = stats.false_discovery_control(p[i][~np.isnan(p[i])]) < within
    return combined, passed


@pytest.mark.parametrize("seed", range(30))
def test_agreement_with_the_definitions(seed):
    rng = np.random.default_rng(seed)
    p = rng.uniform(0, 1, (5, 7)) ** rng.choice([1, 3, 8], (5, 1))
    p[rng.random(p.shape) < 0.1] = np.nan
    combined, passed = by_definition(p, 0.05)

    found = select(p, 0.05)

    np.testing.assert_allclose(simes(p)[list(combined)], list(combined.values()), rtol=1e-9)
    np.testing.assert_array_equal(found.passed, passed)


def test_a_family_without_tests_does_not_count():

    found = select(np.array([[0.01, 0.5], [np.nan, np.nan], [0.6, 0.7]]), 0.05)

    assert np.isnan(found.p).tolist() == [False, True, False]
    assert found.passed.tolist() == [[True, False], [False, False], [False, False]]
    np.testing.assert_allclose(found.p[[0, 2]], [0.04, 0.7])


@given(P)
def test_passed_tests_have_p_below_the_level_of_their_intervals(p):
    found = select(p)
    for row, passed, level in zip(p, found.passed, found.level, strict=True):
        assert (row[passed] < level).all()


@given(P, st.integers(0, 2**32 - 1))
def test_both_sides_together_are_at_most_what_passes_without_sides(p, seed):
    upward = np.random.default_rng(seed).random(p.shape) < 0.5
    found, sides = select(p), select_sides(p, upward)

    assert not (sides.up & sides.down).any()
    assert not ((sides.up | sides.down) & ~found.passed).any()
    np.testing.assert_array_equal(found.p, sides.p)


def test_a_loss_beside_many_gains_must_pass_by_itself():
    p = np.array([[1e-6] * 9 + [0.02] + [0.5] * 3])
    up = np.array([[True] * 9 + [False] * 4])

    assert select(p).passed[0, 9]
    assert not select_sides(p, up).down.any()
    p[0, 9] = 0.001
    assert select_sides(p, up).down[0, 9]


def test_tables_are_selected_as_each_alone():
    p = np.random.default_rng(3).uniform(0, 0.2, (20, 4, 6)) ** 2
    together = select(p)
    for i, table in enumerate(p):
        for column, alone in zip(together, select(table), strict=True):
            np.testing.assert_array_equal(column[i], alone)


def test_a_row_that_equals_the_baseline_beside_two_that_differ():
    """Each cell is corrected as one of the table in 30 % of such tables, as one of its row in 5 %."""
    rng = np.random.default_rng(27)
    p = np.concatenate([np.full((2000, 2, 13), 1e-9), rng.random((2000, 1, 13))], axis=1)

    assert 0.03 < select(p).passed[:, 2].any(axis=1).mean() < 0.06


def test_families_with_smaller_p_never_have_a_larger_one_after_the_correction():
    p = np.random.default_rng(4).uniform(0, 0.1, (50, 5, 3))
    found = select(p)
    for family, adjusted in zip(simes(p), found.p, strict=True):
        assert all(a <= b for a, b in pairwise(adjusted[np.argsort(family)]))
