"""Rotated orders: two Williams squares, with their rows in an order that balances neighbours across rounds too."""

from collections import Counter
from itertools import chain, pairwise

import pytest

from benchagent.plan.rotation import order_of

EVERY_NUMBER = range(1, 31)


def rounds(items: int) -> list[tuple[int, ...]]:
    return [order_of(items, number) for number in range(2 * items)]


@pytest.mark.parametrize("items", EVERY_NUMBER)
def test_every_item_is_in_each_round_once_and_at_each_position_twice(items: int) -> None:
    assert {tuple(sorted(row)) for row in rounds(items)} == {tuple(range(items))}
    at = Counter(chain.from_iterable(enumerate(row) for row in rounds(items)))
    assert set(at.values()) == {2}
    assert len(at) == items**2


@pytest.mark.parametrize("items", EVERY_NUMBER)
def test_every_item_follows_each_item_and_itself_twice(items: int) -> None:
    measured = list(chain.from_iterable(rounds(items)))
    follows = Counter(pairwise([*measured, measured[0]]))
    assert set(follows.values()) == {2}
    assert len(follows) == items**2


@pytest.mark.parametrize("items", EVERY_NUMBER)
def test_each_round_begins_with_the_item_that_ended_the_one_before(items: int) -> None:
    assert all(before[-1] == after[0] for before, after in pairwise(rounds(items)))


def test_the_orders_repeat_and_a_warm_up_has_the_last_one() -> None:
    assert order_of(4, 8) == order_of(4, 0) == (0, 1, 3, 2)
    assert order_of(4, -1) == order_of(4, 7) == (2, 3, 1, 0)
    assert order_of(5, 11) == order_of(5, 1)


@pytest.mark.parametrize("items", range(2, 9))
@pytest.mark.parametrize("number", [8, 9, 10, 15, 30])
def test_incomplete_squares_are_nearly_balanced(items: int, number: int) -> None:
    orders = [order_of(items, each) for each in range(number)]
    means = [sum(row.index(item) for row in orders) / number - (items - 1) / 2 for item in range(items)]
    assert max(map(abs, means)) < 1
