"""The answers of a card: geometric means that differ, of all rivals and metrics together."""

from collections import Counter
from concurrent.futures import Executor
from functools import partial

import numpy as np

from benchdb.stats import Cells, Verdict, geometric_mean, judge_means

from .blocks import share, spread
from .claims import ROUNDS, Claim

NOISE = 0.2  # so much that no mean is equal within the margin in tables of few rounds
QUIET = 0.05
CELLS = 26  # of a mean: 13 tests with two record sizes
TABLES = 12_000  # the bound is nearly reached
MARGIN = 0.05
CALLED = (Verdict.BETTER, Verdict.WORSE)


def answers(pool: Executor, effort: float) -> list[Claim]:
    """Claims about the answers of tables without and with a difference."""
    nothing = "nothing differs: an answer names a difference"
    return [
        *(
            _claim(
                pool,
                f"{rivals} rivals, metrics: {metrics}, {nothing}",
                rivals,
                metrics,
                (NOISE, 0.0),
                effort,
                "named",
                0.05,
            )
            for rivals, metrics in ((3, 1), (3, 3), (6, 3), (14, 1))
        ),
        _claim(
            pool,
            "one of 3 rivals is 6 % faster, noise 5 %: its answer says so",
            3,
            1,
            (QUIET, 0.06),
            effort / 4,
            "found",
        ),
    ]


def _claim(
    pool: Executor,
    text: str,
    rivals: int,
    metrics: int,
    of: tuple[float, float],
    effort: float,
    what: str,
    most: float | None = None,
) -> Claim:
    count = {
        n: spread(pool, partial(_tables, rivals, metrics, n, *of), round(TABLES * effort), [n, rivals, metrics])
        for n in ROUNDS
    }
    return Claim("answers", text, {n: share(count[n], what, "tables") for n in ROUNDS}, most)


def _tables(
    rivals: int, metrics: int, rounds: int, noise: float, gain: float, tables: int, seed: list[int]
) -> Counter[str]:
    rng, counts = np.random.default_rng(seed), Counter(tables=tables)
    groups = np.repeat(np.eye(rivals * metrics, dtype=bool), CELLS, axis=1)
    looks, upward = np.ones(len(groups), dtype=np.int64), np.ones(len(groups), dtype=bool)
    numbers = np.broadcast_to(np.arange(rounds), (len(groups) * CELLS, rounds))
    for _ in range(tables):
        logarithms = noise * rng.standard_normal((rivals + 1, metrics * CELLS, rounds))
        logarithms[0] += np.log1p(gain)
        base = np.broadcast_to(logarithms[-1], (rivals, *logarithms.shape[1:]))
        sides = (Cells.of_values(np.exp(side).reshape(-1, rounds), blocks=numbers) for side in (logarithms[:-1], base))
        means = geometric_mean(*sides, groups)
        judged = judge_means(means.ratios, looks, higher_is_better=upward, margin=MARGIN)
        named = np.array([verdict in CALLED for verdict in judged.verdict])
        counts["named"] += bool(named.any())
        counts["found"] += bool(named[0])
    return counts
