"""Findings and marks of the best: false sentences, coverage of their intervals, omitted facts, and power."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import Executor
from functools import partial

import numpy as np

from benchdb.stats import Cells, best_sets
from benchdb.stats.arrays import BoolArray, FloatArray
from benchdb.stats.comparing.multiple_testing import benjamini_hochberg, holm
from benchdb.stats.comparing.selective import select_sides
from tests.bench.statistics.blocks import share, spread, welch_p
from tests.bench.statistics.claims import ROUNDS, Claim
from tests.bench.statistics.sentences import intervals, lines, shapes

NOISE = 0.05


def findings(pool: Executor, effort: float) -> list[Claim]:
    """Claims about rows, marks of the best, printed intervals and shapes."""
    return [
        *rows(pool, effort),
        *lines(pool, effort),
        *best(pool, effort),
        *intervals(pool, effort),
        *shapes(pool, effort),
        *power(pool, effort),
    ]


# Rows against the baseline


def p_of_rows(rng: np.random.Generator, effects: FloatArray, tables: int, rounds: int) -> tuple[FloatArray, BoolArray]:
    """Two-sided p and direction of Welch's tests on logarithms, both (tables, F, P); `effects` is (F, P)."""
    families, cells = effects.shape
    mean = rng.standard_normal((tables, families + 1, cells)) / np.sqrt(rounds)
    mean[:, :-1] += effects / NOISE
    variance = rng.chisquare(rounds - 1, mean.shape) / (rounds - 1) / rounds
    p = welch_p(mean[:, :-1], variance[:, :-1], mean[:, -1:], variance[:, -1:], rounds)
    return p, mean[:, :-1] > mean[:, -1:]


def _rows(effects: FloatArray, rounds: int, tables: int, seed: list[int]) -> Counter[str]:
    p, upward = p_of_rows(np.random.default_rng(seed), effects, tables, rounds)
    _, up, down = select_sides(p, upward)
    marked = benjamini_hochberg(p.reshape(tables, -1)).reshape(p.shape) < 0.05
    equal = ~effects.any(axis=1)
    never_up, never_down = ~equal & ~(effects > 0).any(axis=1), ~equal & ~(effects < 0).any(axis=1)
    right = ((up & (effects > 0)) | (down & (effects < 0))) & marked
    return Counter(
        tables=tables,
        named=int((up | down)[:, equal].any(axis=(1, 2)).sum()),
        marked=int(marked[:, equal].any(axis=(1, 2)).sum()),
        sides=int((up[:, never_up].any(axis=(1, 2)) | down[:, never_down].any(axis=(1, 2))).sum()),
        marked_sides=int(
            ((marked & upward)[:, never_up].any(axis=(1, 2)) | (marked & ~upward)[:, never_down].any(axis=(1, 2))).sum()
        ),
        right=int(right.sum()),
        marked_right=int((marked & (effects != 0)).sum()),
        true=tables * int((effects != 0).sum()),
    )


def _effects(families: int, cells: int, *differ: float, part: float = 1.0) -> FloatArray:
    """(families, cells) effects: a row for each of `differ`, in this part of its cells; the other rows are equal."""
    effects = np.zeros((families, cells))
    effects[: len(differ), : max(round(part * cells), 1)] = np.array(differ)[:, np.newaxis]
    return effects


def rows(pool: Executor, effort: float) -> list[Claim]:
    """False sentences about rows, before: a mark in the row, which the sentence used to count."""
    claims = []
    for families, cells in ((3, 13), (3, 52), (7, 13), (7, 52)):
        effects = _effects(families, cells, 0.3, -0.3)
        counts = {n: spread(pool, partial(_rows, effects, n), round(20_000 * effort), [n, cells]) for n in ROUNDS}
        claims.append(
            Claim(
                "findings",
                f"{families + 1} rows × {cells} cells, two rows differ: a row that equals the baseline is named",
                {n: share(counts[n], "named", "tables") for n in ROUNDS},
                most=0.05,
                before={n: share(counts[n], "marked", "tables") for n in ROUNDS},
            )
        )
    for cells in (13, 52):
        effects = _effects(3, cells, 0.1, 0.1, 0.1, part=0.1)
        counts = {n: spread(pool, partial(_rows, effects, n), round(20_000 * effort), [n, cells]) for n in ROUNDS}
        claims.append(
            Claim(
                "findings",
                f"4 rows × {cells} cells, +10 % in a tenth: some row is worse in a cell",
                {n: share(counts[n], "sides", "tables") for n in ROUNDS},
                most=0.05,
                before={n: share(counts[n], "marked_sides", "tables") for n in ROUNDS},
            )
        )
    return claims


# Marks of the best


def _best(gain: float, rivals: int, cells: int, rounds: int, tables: int, seed: list[int]) -> Counter[str]:
    rng, counts = np.random.default_rng(seed), Counter(tables=tables)
    places = [[row * cells + cell for row in range(rivals)] for cell in range(cells)]
    winners = cells // 2 if gain else 0
    for _ in range(tables):
        logarithms = NOISE * rng.standard_normal((rivals, cells, rounds))
        logarithms[1, :winners] += gain
        sets = best_sets(Cells.of_values(np.exp(logarithms).reshape(-1, rounds)), places, [True] * cells)
        members = np.array([[row in each.members for row in range(rivals)] for each in sets])
        before = _best_before(logarithms)
        counts["marked"] += int(not members.all())
        counts["before"] += int(not before.all())
        only = np.arange(rivals) == 1
        counts["won"] += int((members[:winners] == only).all(axis=1).sum())
        counts["before_won"] += int((before[:winners] == only).all(axis=1).sum())
        counts["contests"] += winners
    return counts


def _best_before(logarithms: FloatArray) -> BoolArray:
    """The members of each best set, (cells, rivals), by Holm in each row of rivals, without a family of rows."""
    rounds = logarithms.shape[2]
    mean, variance = logarithms.mean(axis=2).T, logarithms.var(axis=2, ddof=1).T / rounds
    i, j = np.triu_indices(mean.shape[1], 1)
    p = holm(welch_p(mean[:, i], variance[:, i], mean[:, j], variance[:, j], rounds))
    leader = mean.argmax(axis=1)[:, np.newaxis]
    members = np.ones(mean.shape, dtype=bool)
    for side, other in ((i, j), (j, i)):
        cell, pair = ((side == leader) & (p < 0.05)).nonzero()
        members[cell, other[pair]] = False
    return members


def best(pool: Executor, effort: float) -> list[Claim]:
    """Marks of the best in tables without differences."""
    claims = []
    for rivals, cells, tables in ((4, 13, 8000), (4, 52, 3000)):
        counts = {
            n: spread(pool, partial(_best, 0.0, rivals, cells, n), round(tables * effort), [n, cells]) for n in ROUNDS
        }
        claims.append(
            Claim(
                "findings",
                f"{rivals} equal rows × {cells} cells: some best is marked",
                {n: share(counts[n], "marked", "tables") for n in ROUNDS},
                most=0.05,
                before={n: share(counts[n], "before", "tables") for n in ROUNDS},
            )
        )
    return claims


# Power, beside that of what was replaced


def power(pool: Executor, effort: float) -> list[Claim]:
    """Cells that a row's sentence names, and winners that are marked; before: marks of the table, Holm by row."""
    claims = []
    for families, differ, label in ((1, (0.1,), "one rival"), (3, (0.1,) * 3, "three rivals")):
        effects = _effects(families, 52, *differ, part=0.1)
        counts = {n: spread(pool, partial(_rows, effects, n), round(4000 * effort), [n, families]) for n in ROUNDS}
        claims.append(
            Claim(
                "findings",
                f"power: {label}, +10 % in a tenth of 52 cells: cells named of those that differ",
                {n: share(counts[n], "right", "true") for n in ROUNDS},
                before={n: share(counts[n], "marked_right", "true") for n in ROUNDS},
            )
        )
    counts = {n: spread(pool, partial(_best, 0.1, 4, 52, n), round(500 * effort), [n]) for n in ROUNDS}
    claims.append(
        Claim(
            "findings",
            "power: one of 4 rows is best by 10 % in half of 52 cells: marked alone",
            {n: share(counts[n], "won", "contests") for n in ROUNDS},
            before={n: share(counts[n], "before_won", "contests") for n in ROUNDS},
        )
    )
    return claims
