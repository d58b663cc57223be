"""Findings and marks of the best: false sentences, coverage of their intervals, omitted facts, and power."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from functools import partial

import numpy as np

from benchdb.stats import Cells, Verdict, best_sets
from benchdb.stats.arrays import FloatArray
from benchdb.stats.comparing.selective import select_sides
from tests.bench.statistics.blocks import compared, share, spread
from tests.bench.statistics.claims import ROUNDS, Claim
from tests.bench.statistics.sentences import findings_of, intervals, shapes, steadiness

NOISE = 0.05
ROW_TABLES = 10_000  # whose rows are compared with the baseline


def findings(pool: Executor, effort: float) -> list[Claim]:
    """Claims about rows, marks of the best, printed intervals and shapes."""
    return [
        *rows(pool, effort),
        *best(pool, effort),
        *intervals(pool, effort),
        *shapes(pool, effort),
        *steadiness(pool, effort),
        *one_truth(pool, effort),
        *power(pool, effort),
    ]


# Rows against the baseline


def _rows(effects: FloatArray, rounds: int, tables: int, seed: list[int]) -> Counter[str]:
    """Counts over tables whose rows have these effects, (F, P), beside the baseline."""
    rng, counts = np.random.default_rng(seed), Counter(tables=tables)
    equal = ~effects.any(axis=1)
    never_up, never_down = ~equal & ~(effects > 0).any(axis=1), ~equal & ~(effects < 0).any(axis=1)
    counts["true"] = tables * int((effects != 0).sum())
    for _ in range(tables):
        logarithms = NOISE * rng.standard_normal((len(effects) + 1, effects.shape[1], rounds))
        logarithms[:-1] += effects[:, :, np.newaxis]
        found = compared(logarithms)
        upward = (found.ratios.log > 0).reshape(effects.shape)
        _, up, down = select_sides(found.p_of_claims.reshape(effects.shape), upward)
        kinds = np.array(found.verdict).reshape(effects.shape)
        marked = np.isin(kinds, (Verdict.BETTER, Verdict.WORSE))
        rises, falls = up & marked, down & marked
        counts["named"] += bool((rises | falls)[equal].any())
        counts["sides"] += bool(rises[never_up].any() or falls[never_down].any())
        counts["right"] += int(((rises & (effects > 0)) | (falls & (effects < 0))).sum())
    return counts


def _effects(families: int, cells: int, *differ: float, part: float = 1.0) -> FloatArray:
    """(families, cells) effects: a row for each of `differ`, in this part of its cells; the other rows are equal."""
    effects = np.zeros((families, cells))
    effects[: len(differ), : max(round(part * cells), 1)] = np.array(differ)[:, np.newaxis]
    return effects


def _claim(
    pool: Executor,
    text: str,
    count: Callable[[int, int, list[int]], Counter[str]],
    tables: float,
    seed: list[int],
    what: tuple[str, str],
    most: float | None = None,
) -> Claim:
    """A claim about the share `what` of the counts over so many tables, by rounds."""
    counts = {n: spread(pool, partial(count, n), round(tables), [n, *seed]) for n in ROUNDS}
    return Claim("findings", text, {n: share(counts[n], *what) for n in ROUNDS}, most)


def rows(pool: Executor, effort: float) -> list[Claim]:
    """False sentences about rows."""
    tables = ROW_TABLES * effort
    named = "a row that equals the baseline is named"
    return [
        *(
            _claim(
                pool,
                f"{families + 1} rows × {cells} cells, two rows differ: {named}",
                partial(_rows, _effects(families, cells, 0.3, -0.3)),
                tables,
                [cells],
                ("named", "tables"),
                0.05,
            )
            for families, cells in ((3, 13), (3, 52), (7, 13), (7, 52))
        ),
        *(
            _claim(
                pool,
                f"4 rows × {cells} cells, +10 % in a tenth: some row is worse in a cell",
                partial(_rows, _effects(3, cells, 0.1, 0.1, 0.1, part=0.1)),
                tables,
                [cells],
                ("sides", "tables"),
                0.05,
            )
            for cells in (13, 52)
        ),
    ]


# Marks of the best


def _best(gain: float, rivals: int, cells: int, rounds: int, tables: int, seed: list[int]) -> Counter[str]:
    rng, counts = np.random.default_rng(seed), Counter(tables=tables)
    places = [[row * cells + cell for row in range(rivals)] for cell in range(cells)]
    winners = cells // 2 if gain else 0
    for _ in range(tables):
        logarithms = NOISE * rng.standard_normal((rivals, cells, rounds))
        logarithms[1, :winners] += gain
        every = Cells.of_values(np.exp(logarithms).reshape(-1, rounds), looks=1)
        sets = best_sets(every, places, [True] * cells)
        members = np.array([[row in each.members for row in range(rivals)] for each in sets])
        counts["marked"] += int(not members.all())
        only = np.arange(rivals) == 1
        counts["won"] += int((members[:winners] == only).all(axis=1).sum())
        counts["contests"] += winners
    return counts


def best(pool: Executor, effort: float) -> list[Claim]:
    """Marks of the best in tables without differences."""
    return [
        _claim(
            pool,
            f"{rivals} equal rows × {cells} cells: some best is marked",
            partial(_best, 0.0, rivals, cells),
            tables * effort,
            [cells],
            ("marked", "tables"),
            0.05,
        )
        for rivals, cells, tables in ((4, 13, 8000), (4, 52, 3000))
    ]


# Power


def power(pool: Executor, effort: float) -> list[Claim]:
    """Cells that a row's sentence names, and winners that are marked."""
    return [
        *(
            _claim(
                pool,
                f"power: {label}, +10 % in a tenth of 52 cells: cells named of those that differ",
                partial(_rows, _effects(families, 52, *differ, part=0.1)),
                4000 * effort,
                [families],
                ("right", "true"),
            )
            for families, differ, label in ((1, (0.1,), "one rival"), (3, (0.1,) * 3, "three rivals"))
        ),
        _claim(
            pool,
            "power: one of 4 rows is best by 10 % in half of 52 cells: marked alone",
            partial(_best, 0.1, 4, 52),
            500 * effort,
            [],
            ("won", "contests"),
        ),
    ]


# One truth

NAMES, TESTS = ("ext4", "xfs", "btrfs", "f2fs"), [f"Test {number}" for number in range(13)]
THREADS = {"1": 1.0, "2": 1.8, "8": 2.4, "32": 2.2}
DRIFT = 4.0  # sd of a round, from the first round to the last
BOUND = re.compile(r"allow up to (?:±\xa0|(a factor of ))([0-9.]+)")
Effects = Callable[[int], FloatArray]
SMALL = 0.03  # sd of differences too small to be found


TRUTHS: dict[str, tuple[Effects, Sequence[str]]] = {
    "peak": (lambda n: np.log([*THREADS.values()])[:, np.newaxis, np.newaxis, np.newaxis], ("threads",)),
    "slower": (lambda n: np.array([0.0, -0.2, -0.2, -0.2])[:, np.newaxis, np.newaxis], ("worse", "is best")),
    "drift": (lambda n: -NOISE * DRIFT * np.arange(n) / n, ("the values", "each value")),
}
"""Logarithms that fit to (threads, rows, tests, rounds), and words of the sentences that say it."""


def _tables(truth: str, rounds: int, tables: int, seed: list[int]) -> Counter[str]:
    rng, counts = np.random.default_rng(seed), Counter(tables=tables)
    effect, words = TRUTHS[truth]
    for _ in range(tables):
        logarithms = NOISE * rng.standard_normal((4, len(NAMES), len(TESTS), rounds)) + effect(rounds)
        texts = [found.text for found in findings_of(NAMES, TESTS, [*THREADS], logarithms, split="threads")]
        told = [text for text in texts if any(word in text for word in words) and "depend on the" not in text]
        counts["several"] += len(told) > 1
        counts["to the end"] += any("from 1 to 32" in text for text in told)
    return counts


def _bound(rounds: int, tables: int, seed: list[int]) -> Counter[str]:
    """Tables with small differences: whether the bound of "No difference was found" holds for the largest."""
    rng, counts = np.random.default_rng(seed), Counter(tables=tables)
    for _ in range(tables):
        truth = SMALL * rng.standard_normal((1, 1, len(TESTS), 1))
        logarithms = NOISE * rng.standard_normal((1, 2, len(TESTS), rounds)) + truth * np.array([[[0]], [[1]]])
        for found in findings_of(NAMES[:2], TESTS, ("",), logarithms):
            if bound := BOUND.search(found.text):
                largest = float(bound[2]) if bound[1] else 1 + float(bound[2]) / 100
                counts["exceeded"] += float(np.exp(np.abs(truth).max())) > largest
    return counts


def one_truth(pool: Executor, effort: float) -> list[Claim]:
    """How often one truth is told more than once, a peak as a rise to the end, and a bound that does not hold."""
    tables = round(400 * effort)
    counts = {
        truth: {n: spread(pool, partial(_tables, truth, n), tables, [n, index]) for n in ROUNDS}
        for index, truth in enumerate(TRUTHS)
    }
    bounds = {n: spread(pool, partial(_bound, n), 5 * tables, [n]) for n in ROUNDS}
    return [
        *(
            Claim("findings", f"4 rows × 13 tests × 4 numbers of threads, {what}: more than one finding says so",
                  {n: share(each, "several", "tables") for n, each in counts[truth].items()}, most=most)
            for truth, what, most in (("peak", "a peak at 8", None), ("slower", "three rows 18 % slower", 0.05),
                                      ("drift", "all drift", 0.05))
        ),
        Claim("findings", "the same, a peak at 8, 9 % above 32: “from 1 to 32” is said",
              {n: share(each, "to the end", "tables") for n, each in counts["peak"].items()}),
        Claim("findings", "“No difference was found; intervals allow up to …”: a true difference is larger",
              {n: share(each, "exceeded", "tables") for n, each in bounds.items()}, most=0.05),
    ]  # fmt: skip
