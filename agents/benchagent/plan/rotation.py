"""Orders of a round: rotated ones, so that no target always comes after the same one, and those of a gate. Pure.

Each rotated round is a row of a Williams square, in which every item follows every other one equally often (Williams
1949). Two squares are used, with their rows in such an order that each round begins with the item that ended the one
before. So within 2·k rounds of k items each item follows each item, itself included, exactly twice, and is at each
position twice: a serially balanced sequence (Finney and Outhwaite 1956). An effect of one item on the next then shifts
all items alike.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import TypeVar

Item = TypeVar("Item")
Order = tuple[int, ...]


def order_of(items: int, number: int) -> Order:
    """The order of this many items in round `number`; after 2 · items rounds the orders repeat."""
    rows = _rows(items)
    return rows[number % len(rows)]


def drawn_order(groups: Sequence[Sequence[Item]], seed: int, number: int) -> list[Item]:
    """All items in round `number`: an order drawn for each pair of rounds, which the second of the pair has reversed.

    So a drift meets all items of a pair of rounds alike, and no disturbance has the period of an item. The items of a
    group are neighbours.
    """
    randomness = random.Random(f"{seed}:{number // 2}")
    drawn = randomness.sample(groups, len(groups))
    order = [item for group in drawn for item in randomness.sample(group, len(group))]
    return order[::-1] if number % 2 else order


@lru_cache(maxsize=64)
def _rows(items: int) -> tuple[Order, ...]:
    """Two Williams squares as rows, each beginning with the last item of the one before; the first one is 0, 1, …"""
    return _odd(items) if items % 2 else _even(items)


def _zigzag(items: int, start: int) -> Order:
    """start, start + 1, start − 1, start + 2, start − 2, … modulo the number: each difference of neighbours once."""
    steps = [(step + 1) // 2 if step % 2 else -(step // 2) for step in range(items)]
    return tuple((start + step) % items for step in steps)


def _odd(items: int) -> tuple[Order, ...]:
    """The square of zigzags, then their mirror images: a zigzag ends (items + 1) / 2 after its start."""
    stride = (items + 1) // 2
    forward = [_zigzag(items, round_ * stride) for round_ in range(items)]
    return (*forward, *(row[::-1] for row in reversed(forward)))


def _even(items: int) -> tuple[Order, ...]:
    """The square of zigzags and the same with other names for the items, in turn.

    A zigzag ends half the items after its start, so zigzags alone would lead back and forth between two items.
    """
    half = items // 2
    names = [*range(half, items), *((item + 1) % half for item in range(half))]
    plain = [_zigzag(items, start) for start in range(items)]
    renamed = [tuple(names[item] for item in row) for row in plain]
    there = zip(plain[:half], renamed[:half])
    back = zip(renamed[: half - 1 : -1], plain[: half - 1 : -1])
    return tuple(chain.from_iterable(chain(there, back)))
