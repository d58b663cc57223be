"""Facts as partitions of runs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchdb.stats.questions.partitions import combined, determined_by, joined, renumbered, same_partitions

CODES = st.integers(1, 12).flatmap(
    lambda runs: st.lists(st.lists(st.integers(0, 3), min_size=runs, max_size=runs), min_size=1, max_size=5)
)


@given(CODES)
def test_facts_are_in_one_group_if_they_tell_the_same_runs_apart(rows: list[list[int]]) -> None:
    codes = np.array(rows)
    group_of = {fact: group for group in same_partitions(renumbered(codes)) for fact in group}
    for i, first in enumerate(rows):
        assert (i in group_of) == (len(set(first)) > 1)
        for j, second in enumerate(rows):
            same = len(set(zip(first, second, strict=True))) == len(set(first)) == len(set(second))
            if i in group_of and j in group_of:
                assert (group_of[i] == group_of[j]) == same


@given(CODES)
def test_a_fact_follows_from_those_that_split_its_runs_further(rows: list[list[int]]) -> None:
    codes = renumbered(np.array(rows))
    for own, others in enumerate(determined_by(codes)):
        for other in range(len(rows)):
            pairs = set(zip(codes[own].tolist(), codes[other].tolist(), strict=True))
            finer = len(pairs) == codes[other].max() + 1 > codes[own].max() + 1
            assert (other in others) == (finer and other != own)


@given(CODES)
def test_combinations_have_one_code_each(rows: list[list[int]]) -> None:
    together = combined(np.array(rows), len(rows[0])).tolist()
    columns = list(zip(*rows, strict=True))
    assert len(set(together)) == len(set(columns)) == len(set(zip(together, columns, strict=True)))


@pytest.mark.parametrize(("most", "expected"), [(9, [5, 5, 5, 2, 2, 0, 1, 3]), (3, [0, 0, 0, 1, 1, 2, 2, 2])])
def test_rare_values_count_as_one(most: int, expected: list[int]) -> None:
    assert joined(np.array([5, 5, 5, 2, 2, 0, 1, 3]), most).tolist() == expected


def test_without_facts_all_runs_are_alike() -> None:
    assert combined([], 3).tolist() == [0, 0, 0]
