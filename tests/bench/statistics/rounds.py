"""Rounds: what a number of them shows, how many a precision needs, and the error over looks at a growing run."""

from collections import Counter
from concurrent.futures import Executor
from functools import partial

import numpy as np

from benchagent.planning.detection import power
from benchdb.stats import Cells, Comparisons, Correction, Verdict, best_sets, compare
from benchdb.stats.arrays import FloatArray, IntArray
from benchdb.stats.comparing.few_rounds import UsualSpread
from benchdb.stats.comparing.looks import share_of_look
from benchdb.stats.comparing.rounds_needed import rounds_for_precision, rounds_to_decide
from benchdb.stats.ordering import sort_rows
from benchdb.stats.summary.outliers import tukey_outliers

from .blocks import share, spread
from .claims import ROUNDS, Claim, Share
from .noise import NOISE
from .tables import COLUMNS, ROWS

SEED = 27
CV = 0.1
MARGIN = 0.05
LOOKS = 4
LEVEL = 0.05
SOME_ROUNDS = (3, 5, 10)  # up to ten the usual spread of a test counts
GAINS = {3: 0.35, 5: 0.25, 10: 0.15}  # of the cells that differ, so that many are undecided
HUNDREDS = 10_000  # of cells, because the looks together spend nearly all of the 5 %
MOST_ROUNDS = 200  # of a side; whoever would need more stops
CALLED = (Verdict.BETTER, Verdict.WORSE)
WANTED = np.log1p(MARGIN)


def rounds(pool: Executor, effort: float) -> list[Claim]:
    """The claims of docs/statistics.md about numbers of rounds."""
    cells, tables = int(60_000 * effort), int(300 * effort)
    two_levels = {
        sizes: {n: spread(pool, partial(_two_levels, sizes, n), 10 * tables, [n, sizes]) for n in SOME_ROUNDS}
        for sizes in (4, 1)
    }
    decided = {n: spread(pool, partial(_decided, gain, n), tables, [n]) for n, gain in GAINS.items()}
    doubled = _looks(pool, int(HUNDREDS * effort), advised=False)
    advised = _looks(pool, int(HUNDREDS / 10 * effort), advised=True)  # the advice takes long
    return [
        Claim("rounds", "the interval is within ± 5 % after the rounds for it", _precise(cells // 10), least=0.8),
        Claim(
            "rounds",
            "nothing differs, a difference claimed at one of 4 looks, each twice as long",
            _shares(doubled, "claimed"),
            0.05,
        ),
        Claim("rounds", "the same, only after the first look", _shares(doubled, "later"), 0.001),
        Claim(
            "rounds",
            "the same, only after the first look, each after the rounds that the page names",
            _shares(advised, "later"),
            0.0015,
        ),
        Claim("rounds", "a difference of the margin called equivalent at one of these looks", _equivalent(cells), 0.05),
        Claim(
            "rounds",
            "a cell that only the correction leaves undecided has a verdict after the rounds to decide it",
            {n: share(decided[n], "decided", "cells") for n in GAINS},
            least=0.8,
        ),
        *(
            Claim(
                "rounds",
                f"tables of 156 cells, noise of two levels, {COLUMNS // sizes} tests with cv of 1 to 30 %: {text}",
                {n: share(levels[n], what, "tables") for n in SOME_ROUNDS},
                0.05,
            )
            for sizes, levels in two_levels.items()
            for what, text in (("verdict", "a false verdict"), ("best", "a false mark of the best"))
        ),
        Claim("rounds", "a difference that `plan check` expects to be found in 80 %", _planned(tables), 0.9, 0.7),
        Claim("rounds", "normal values, any outlier", _outliers(cells), 0.06),
    ]


def _normal(rng: np.random.Generator, cells: int, n: int) -> tuple[FloatArray, FloatArray]:
    return rng.standard_normal((cells, n)) * CV, rng.standard_normal((cells, n)) * CV


def _precise(cells: int) -> dict[int, Share]:
    """Of the cells that need rounds, those with the 90 % interval within the margin after the rounds given for it."""
    found = {}
    for n in ROUNDS:
        rng = np.random.default_rng([SEED, n])
        more, _ = _advised(*_normal(rng, cells, n), np.full(cells, n))
        most = n + int(more.max())
        logs = _normal(np.random.default_rng([SEED, n]), cells, n)
        grown = [_grown(log, n + more, np.random.default_rng([SEED, n, side]), most) for side, log in enumerate(logs)]
        interval = compare(*map(Cells.of_values, grown), checked=False).equivalence_interval
        within = (np.log(interval.high / interval.low) / 2 <= WANTED)[more > 0]
        found[n] = Share(int(within.sum()), len(within))
    return found


def _advised(first: FloatArray, second: FloatArray, n: IntArray) -> tuple[IntArray, list[bool]]:
    """The rounds for the precision of each cell, 0 if there is no number; and whether a difference is claimed."""
    sides = [Cells.of_values(np.exp(side)) for side in (first, second)]
    compared = compare(*sides, checked=False, correction=Correction.UNCORRECTED)
    more = rounds_for_precision(*(side.log_moments for side in sides), compared.ratios, MARGIN)
    return np.clip(more, 0, MOST_ROUNDS - n), [verdict in CALLED for verdict in compared.verdict]


def _grown(logs: FloatArray, lengths: IntArray, rng: np.random.Generator, most: int) -> FloatArray:
    """(C, most) values that begin with `exp(logs)`; NaN behind each row's length."""
    values = np.exp(np.concatenate([logs, CV * rng.standard_normal((len(logs), most - logs.shape[1]))], axis=1))
    return np.where(np.arange(most) < lengths[:, np.newaxis], values, np.nan)


def _looks(pool: Executor, hundreds: int, *, advised: bool) -> dict[int, Counter[str]]:
    """Counts by number of rounds over so many hundred cells without a difference, looked at several times."""
    return {n: spread(pool, partial(_claimed, n, advised), hundreds, [n, advised]) for n in ROUNDS}


def _claimed(n: int, advised: bool, hundreds: int, seed: list[int]) -> Counter[str]:
    """Cells of which a difference is claimed at any look, and those of which it is claimed only after the first.

    Each look has as many rounds as are advised for the precision, or twice as many as the last one.
    """
    rng, cells = np.random.default_rng(seed), 100 * hundreds
    most = MOST_ROUNDS if advised else n * 2 ** (LOOKS - 1)
    whole = [np.exp(CV * rng.standard_normal((cells, most))) for _ in range(2)]
    lengths = np.full(cells, n)
    claimed = np.zeros((LOOKS, cells), dtype=bool)
    for look in range(1, LOOKS + 1):
        sides = [Cells.of_values(_cut(side, lengths), looks=look) for side in whole]
        compared = compare(*sides, checked=False, correction=Correction.UNCORRECTED)
        claimed[look - 1] = np.isin(compared.verdict, CALLED)
        more = _price(sides, compared) if advised else lengths
        # Without advice, a reader who wants a verdict goes on with as many again.
        lengths = np.minimum(lengths + np.where(more > 0, more, lengths), most)
    ever = claimed.any(axis=0)
    return Counter(cells=cells, claimed=int(ever.sum()), later=int((ever & ~claimed[0]).sum()))


def _price(sides: list[Cells], compared: Comparisons) -> IntArray:
    """The further rounds that the page names: to decide a cell that would differ alone, else for the precision."""
    logs = [side.log_moments for side in sides]
    cells = len(compared.p)
    next_level = LEVEL * share_of_look(compared.looks + 1)
    none = UsualSpread(np.zeros(cells), np.full(cells, np.inf))
    decide = rounds_to_decide(*logs, compared.ratios, level=next_level, usual=none, margin=MARGIN)
    return np.where(decide > 0, decide, rounds_for_precision(*logs, compared.ratios, MARGIN))


def _decided(gain: float, n: int, tables: int, seed: list[int]) -> Counter[str]:
    """Undecided cells that would differ alone, and those with a verdict after the rounds to decide them.

    In tables of 156 cells eight differ; the new rounds of an undecided one differ by the nearest end of its interval.
    """
    rng, counts = np.random.default_rng(seed), Counter[str]()
    base = np.arange((ROWS - 1) * COLUMNS) % COLUMNS
    for _ in range(tables):
        logs = CV * rng.standard_normal((ROWS, COLUMNS, n))
        logs[0, :8] += np.log1p(gain)
        sides = logs[:-1].reshape(-1, n), logs[-1][base]
        found = compare(*(Cells.of_values(np.exp(side), looks=1) for side in sides))
        for cell in np.flatnonzero(
            (found.rounds_to_decide[:8] > 0) & (found.rounds_to_decide[:8] < MOST_ROUNDS)
        ).tolist():
            more = int(found.rounds_to_decide[cell])
            new = CV * rng.standard_normal((ROWS, COLUMNS, more))
            new[0, :8] += np.log1p(gain)
            ends = np.log([found.interval.low[cell], found.interval.high[cell]])
            new[0, cell] += ends[np.argmin(np.abs(ends))] - np.log1p(gain)
            longer = np.hstack([sides[0], new[:-1].reshape(-1, more)]), np.hstack([sides[1], new[-1][base]])
            later = compare(*(Cells.of_values(np.exp(side), looks=2) for side in longer), checked=False)
            counts["cells"] += 1
            counts["decided"] += later.verdict[cell] is not Verdict.INCONCLUSIVE
    return counts


def _shares(counts: dict[int, Counter[str]], what: str) -> dict[int, Share]:
    return {n: share(of, what, "cells") for n, of in counts.items()}


def _equivalent(cells: int) -> dict[int, Share]:
    """Cells that differ by the margin and are called equivalent by a reader who measures the rounds for ± 5 %.

    The reader stops at a verdict, and when the precision is reached.
    """
    found = {}
    for n in ROUNDS:
        rng = np.random.default_rng([SEED, n, 2])
        first, second = (CV * rng.standard_normal((cells, MOST_ROUNDS)) for _ in range(2))
        lengths, called, reading = np.full(cells, n), np.zeros(cells, dtype=bool), np.ones(cells, dtype=bool)
        for look in range(1, LOOKS + 1):
            sides = [Cells.of_values(_cut(np.exp(side), lengths), looks=look) for side in (first + WANTED, second)]
            compared = compare(*sides, checked=False, correction=Correction.UNCORRECTED)
            called |= reading & np.array([verdict is Verdict.EQUIVALENT for verdict in compared.verdict])
            more = _price(sides, compared)
            reading &= np.array([verdict is Verdict.INCONCLUSIVE for verdict in compared.verdict]) & (more > 0)
            lengths = np.minimum(lengths + np.maximum(more, 0), MOST_ROUNDS)
        found[n] = Share(int(called.sum()), cells)
    return found


def _cut(values: FloatArray, lengths: IntArray) -> FloatArray:
    return np.where(np.arange(values.shape[1]) < lengths[:, np.newaxis], values, np.nan)


def _two_levels(sizes: int, n: int, tables: int, seed: list[int]) -> Counter[str]:
    """Tables with a false verdict, with a false mark of the best, and with a difference by Welch's test alone.

    Each round is on one of two levels, and the noise of a test has a cv of 1 to 30 %; a test has so many `sizes`.
    """
    rng, counts = np.random.default_rng(seed), Counter(tables=tables)
    tests = COLUMNS // sizes
    kinds = np.tile(np.repeat(np.arange(tests), sizes), ROWS)
    contests = [[row * COLUMNS + column for row in range(ROWS)] for column in range(COLUMNS)]
    places = np.arange((ROWS - 1) * COLUMNS)
    for _ in range(tables):
        cv = np.repeat(0.01 * 30 ** rng.random((1, tests, 1)), sizes, axis=1)
        every = Cells.of_values(
            np.exp(cv * NOISE["two levels"](rng, (ROWS, COLUMNS, n))).reshape(-1, n), looks=1, kinds=kinds
        )
        compared = compare(every.take(places), every.take(places % COLUMNS + places.size), checked=False)
        counts["verdict"] += any(verdict in CALLED for verdict in compared.verdict)
        counts["best"] += any(len(best.members) < ROWS for best in best_sets(every, contests, [True] * COLUMNS))
    return counts


def _planned(tables: int) -> dict[int, Share]:
    """Tables with one true difference, of the size for which `benchagent plan check` promises 80 %, that is found."""
    found = {}
    for n in ROUNDS:
        low, high = 0.0, 100.0
        while high - low > 1e-4:
            middle = (low + high) / 2
            low, high = (middle, high) if power(n, middle, CV, (ROWS - 1) * COLUMNS) < 0.8 else (low, middle)
        rng, called = np.random.default_rng([SEED, n]), 0
        for _ in range(tables):
            logs = CV * rng.standard_normal((ROWS, COLUMNS, n))
            logs[0, 0] += np.log1p(high)
            base = np.broadcast_to(logs[-1:], (ROWS - 1, COLUMNS, n)).reshape(-1, n)
            sides = [Cells.of_values(np.exp(side), looks=1) for side in (logs[:-1].reshape(-1, n), base)]
            called += compare(*sides, checked=False).verdict[0] is Verdict.BETTER
        found[n] = Share(called, tables)
    return found


def _outliers(cells: int) -> dict[int, Share]:
    found = {}
    for n in ROUNDS[1:]:
        values = np.random.default_rng([SEED, n]).standard_normal((cells, n))
        outside = tukey_outliers(values, sort_rows(values), np.full(cells, n)).outside
        found[n] = Share(int(outside.any(axis=1).sum()), cells)
    return found
