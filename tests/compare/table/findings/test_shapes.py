"""The turning points of a line."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchdb.compare.table.findings.lines import turning_points


def shape(*levels: float, unconfirmed: tuple[tuple[int, int], ...] = ()) -> list[int]:
    """The turning points of these levels, if every difference is confirmed except these."""
    differ = {
        pair: levels[pair[1]] - levels[pair[0]]
        for pair in combinations(range(len(levels)), 2)
        if levels[pair[0]] != levels[pair[1]] and pair not in unconfirmed
    }
    signs = {pair: 1 if change > 0 else -1 for pair, change in differ.items()}
    return turning_points(signs, {pair: abs(change) for pair, change in differ.items()}, len(levels) - 1)


@pytest.mark.parametrize(
    ("levels", "turns"),
    [
        ((1, 1, 1), []),
        ((1, 2, 3), [0, 2]),
        ((3, 2, 2, 1), [0, 3]),
        ((100, 50, 90), [0, 1, 2]),
        ((100, 50, 100), [0, 1, 2]),
        ((1, 4, 2, 2), [0, 1, 3]),
        ((1, 3, 2, 4), [0, 1, 2, 3]),
        ((1, 2, 3, 2, 1, 5), [0, 2, 4, 5]),
    ],
)
def test_turning_points(levels: tuple[float, ...], turns: list[int]) -> None:
    assert shape(*levels) == turns


def test_an_end_that_is_not_confirmed_is_no_turning_point() -> None:
    assert shape(100, 90, 95, unconfirmed=((0, 2), (1, 2))) == [0, 1]


LEVELS = st.lists(st.integers(1, 9), min_size=2, max_size=7)


@given(LEVELS, st.data())
def test_successive_turning_points_differ_and_alternate(levels: list[int], data: st.DataObject) -> None:
    unconfirmed = data.draw(st.lists(st.sampled_from([*combinations(range(len(levels)), 2)])))
    turns = shape(*levels, unconfirmed=tuple(unconfirmed))

    steps = [levels[b] - levels[a] for a, b in pairwise(turns)]
    assert all(pair not in unconfirmed for pair in pairwise(turns))
    assert all(first * second < 0 for first, second in pairwise(steps))
    assert all(steps)


@given(LEVELS)
def test_no_reversal_is_left_out_of_a_line_that_is_known_exactly(levels: list[int]) -> None:
    turns = shape(*levels)

    reversals = [b for a, b, c in zip(levels, levels[1:], levels[2:], strict=False) if (b - a) * (c - b) < 0]
    assert len(turns) >= len(reversals)
    if turns:
        assert max(levels[turn] for turn in turns) == max(levels)
        assert min(levels[turn] for turn in turns) == min(levels)
