"""One estimand: the test, the ratio and its interval are about the same means, so none contradicts another."""

from collections import Counter
from concurrent.futures import Executor
from functools import partial
from typing import NamedTuple

import numpy as np

from benchdb.stats import Cells, Comparisons, Verdict, compare
from benchdb.stats.arrays import BoolArray, FloatArray
from benchdb.stats.intervals import Interval

from .blocks import share, spread
from .claims import ROUNDS, Claim, Share
from .noise import NOISE, values
from .tables import COLUMNS, ROWS

DIFFERING = 0.1  # share of cells that differ, by up to a factor of 2


class Called(NamedTuple):
    """Columns over the cells of a table: whether a difference is called, and the 95 % interval beside it."""

    called: BoolArray
    interval: Interval


def estimand(pool: Executor, effort: float) -> list[Claim]:
    """The claims of docs/statistics.md about the ratio of a cell."""
    apart = {n: _over_kinds(pool, n, int(100 * effort)) for n in ROUNDS}
    quiet = {
        kind: {n: spread(pool, partial(_false, kind, n), int(3000 * effort), [2, at, n]) for n in ROUNDS}
        for at, kind in enumerate(("normal", "log-normal"))
    }
    gains = {n: spread(pool, partial(_gain, n), int(3000 * effort), [3, n]) for n in ROUNDS}
    return [
        Claim(
            "estimand",
            "tables in which a called difference has an interval that contains 1, all kinds of noise",
            _found(apart, "contains 1"),
            0.005,
        ),
        *(
            Claim(
                "estimand",
                f"tables of 156 cells in which nothing differs, any false claim, {kind} noise",
                _found(counts, "false"),
                0.06,
            )
            for kind, counts in quiet.items()
        ),
        Claim(
            "estimand",
            "a true +10 % in one cell of 156 is found, noise 3 %",
            _found(gains, "found", (10, 30)),
            least=0.95,
        ),
        Claim(
            "estimand",
            "the same with few rounds (reported)",
            _found(gains, "found", (3, 5)),
        ),
    ]


def _found(counts: dict[int, Counter[str]], what: str, rounds: tuple[int, ...] = ROUNDS) -> dict[int, Share]:
    return {n: share(counts[n], what, "tables") for n in rounds}


def _over_kinds(pool: Executor, n: int, tables: int) -> Counter[str]:
    """Counts over so many tables of each kind of noise."""
    kinds = (spread(pool, partial(_contradictions, kind, n), tables, [1, at, n]) for at, kind in enumerate(NOISE))
    return sum(kinds, Counter())


def _contradictions(kind: str, n: int, tables: int, seed: list[int]) -> Counter[str]:
    """Tables in which some cells differ, with a called difference whose interval contains 1."""
    rng, counts = np.random.default_rng(seed), Counter(tables=tables)
    for _ in range(tables):
        sides = _table(kind, rng, n)
        differing = rng.random(len(sides[0])) < DIFFERING
        sides[0][differing] *= 2 ** rng.uniform(-1, 1, (int(differing.sum()), 1))
        found = _called(sides)
        contains = (found.interval.low <= 1) & (found.interval.high >= 1)
        counts["contains 1"] += bool((found.called & contains).any())
    return counts


def _false(kind: str, n: int, tables: int, seed: list[int]) -> Counter[str]:
    """Tables in which nothing differs, with a false claim."""
    rng, counts = np.random.default_rng(seed), Counter(tables=tables)
    for _ in range(tables):
        sides = _table(kind, rng, n)
        counts["false"] += bool(_called(sides).called.any())
    return counts


def _gain(n: int, tables: int, seed: list[int]) -> Counter[str]:
    """Tables in which one cell is 10 % faster, and that is found."""
    rng, counts = np.random.default_rng(seed), Counter(tables=tables)
    for _ in range(tables):
        sides = _table("log-normal", rng, n, cv=0.03)
        sides[0][0] *= 1.1
        found = _called(sides)
        counts["found"] += bool(found.called[0] and found.interval.low[0] > 1)
    return counts


def _table(kind: str, rng: np.random.Generator, n: int, cv: float | None = None) -> tuple[FloatArray, FloatArray]:
    """The values of three systems and, in the same places, of their baseline: two (156, n) arrays."""
    of_column = np.full((1, COLUMNS, 1), cv) if cv else 0.05 * 6 ** rng.random((1, COLUMNS, 1))
    rounds = values(kind, rng, (ROWS, COLUMNS, n), of_column)
    baseline = np.broadcast_to(rounds[-1:], (ROWS - 1, COLUMNS, n))
    return rounds[:-1].reshape(-1, n), baseline.reshape(-1, n)


def _called(sides: tuple[FloatArray, FloatArray]) -> Called:
    """As on a page, of runs of an agent."""
    compared: Comparisons = compare(*(Cells.of_values(side, looks=1) for side in sides), checked=False)
    return Called(np.isin(compared.verdict, (Verdict.BETTER, Verdict.WORSE)), compared.interval)
