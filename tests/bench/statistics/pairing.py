"""Pairs of rounds and campaigns, several machines, and conclusions that rest on one value."""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor

import numpy as np

from benchdb.stats import (
    NO_BLOCK,
    NONE,
    Cells,
    Correction,
    Verdict,
    WarningCode,
    compare,
    geometric_mean,
    part_it_rests_on,
    random_effects,
)
from benchdb.stats.arrays import BoolArray, FloatArray
from tests.bench.statistics.claims import ROUNDS, Claim, Share

TOPIC = "Pairing"
SEED = 9
SAMPLES = 10_000
TABLES_AT_ONCE = 250
CELLS = 8  # of a geometric mean
FOUND_IN_80_PERCENT = {3: 3.0, 5: 2.0, 10: 1.3, 30: 0.75}  # differences in units of the rounds' sd, by rounds


def pairing(pool: Executor, effort: float) -> list[Claim]:
    """The claims of docs/statistics.md about pairs, machines and robustness."""
    samples = max(int(SAMPLES * effort), 100)
    parts = (geometric_means, campaigns, machines, rests_on_a_round, rests_on_a_test)
    return [claim for part in parts for claim in part(samples)]


def share(flags: BoolArray) -> Share:
    return Share(int(flags.sum()), flags.size)


def by_rounds(found: Callable[[int], Share], rounds: tuple[int, ...] = ROUNDS) -> dict[int, Share]:
    return {n: found(n) for n in rounds}


def two_sides(rng: np.random.Generator, samples: int, n: int, correlation: float) -> list[FloatArray]:
    """Logarithms of two equal sides, (samples · CELLS, n); the means of their rounds have this correlation."""
    common = rng.standard_normal((samples, 1, n))
    sides = []
    for _ in range(2):
        own = rng.standard_normal((samples, 1, n))
        moments = np.sqrt(correlation) * common + np.sqrt(1 - correlation) * own
        sides.append((0.1 * moments + 0.05 * rng.standard_normal((samples, CELLS, n))).reshape(-1, n))
    return sides


def geometric_means(samples: int) -> Iterator[Claim]:
    """The coverage of the 95 % interval, and its half width beside that without pairs."""
    blocks_of_tables = range(max(samples // TABLES_AT_ONCE, 1))
    groups = np.repeat(np.eye(TABLES_AT_ONCE, dtype=bool), CELLS, axis=1)
    for correlation in (0.0, 0.6, 0.8):
        widths: dict[bool, list[str]] = {True: [], False: []}
        found: dict[bool, dict[int, Share]] = {True: {}, False: {}}
        for n in ROUNDS:
            tables = [
                two_sides(np.random.default_rng([SEED, n, block]), TABLES_AT_ONCE, n, correlation)
                for block in blocks_of_tables
            ]
            for paired in (True, False):
                blocks = np.broadcast_to(np.arange(n) if paired else NO_BLOCK, tables[0][0].shape)
                means = [
                    geometric_mean(*(Cells.of_values(np.exp(side), blocks=blocks) for side in sides), groups)
                    for sides in tables
                ]
                low, high = np.concatenate([mean.interval for mean in means], axis=1)
                found[paired][n] = share((low <= 1) & (high >= 1))
                widths[paired].append(f"{50 * np.median(np.log(high / low)):.1f}")
        text = (
            f"geometric mean, rounds of both sides correlate by {correlation:g}: the interval covers the truth; "
            f"half widths ± {', '.join(widths[True])} %, not paired ± {', '.join(widths[False])} %"
        )
        yield Claim(TOPIC, text, found[True], least=0.93, before=found[False])


def campaigns(samples: int) -> Iterator[Claim]:
    """Cells of one run of ten rounds in each of several campaigns; days differ as much as rounds, runs half as much."""
    for gain in (0.05, 0.0):
        for number, least in ((3, 0.42), (4, 0.70), (5, 0.88)):
            rng = np.random.default_rng([SEED, number, int(100 * gain)])
            day = rng.standard_normal((samples, number))
            sides = [
                0.03 * (day + 0.5 * rng.standard_normal(day.shape) + rng.standard_normal(day.shape) / np.sqrt(10))
                for _ in range(2)
            ]
            values = [np.exp(sides[0] + gain), np.exp(sides[1])]
            found = {}
            for blocks in (None, np.broadcast_to(np.arange(number), day.shape)):
                cells = [Cells.of_values(side, runs=number, blocks=blocks) for side in values]
                p = compare(*cells, correction=Correction.UNCORRECTED, checked=False).p
                found[blocks is not None] = {10: share(p < 0.05)}
            text = f"{number} campaigns on both sides: {'a true +5 % has p < 0.05' if gain else 'false p < 0.05'}"
            bounds = {"least": least} if gain else {"most": 0.06}
            yield Claim(TOPIC, text, found[True], before=found[False], **bounds)


def machines(samples: int) -> Iterator[Claim]:
    """The measurement on one more machine, whose precision may be another."""
    for number in (3, 5, 8):
        for between, unequal, size in ((1, 0.0, "one error"), (1, 0.5, "one error, unequal"), (3, 0.0, "three errors")):
            found = {n: predicted(samples, number, n, between, unequal) for n in ROUNDS}
            text = f"{number} machines, which differ by {size}: another one is within the prediction interval"
            yield Claim(TOPIC, text, found, least=0.93)


def predicted(samples: int, machines: int, n: int, between: float, unequal: float) -> Share:
    """How often the prediction interval has the effect on one more machine; errors are those of n rounds a side."""
    rng = np.random.default_rng([SEED, machines, n, int(between), int(10 * unequal)])
    errors = np.exp(unequal * rng.standard_normal((samples, machines + 1)))
    effects = between * rng.standard_normal(errors.shape) + errors * rng.standard_normal(errors.shape)
    degrees = 2 * (n - 1)
    estimated = errors * np.sqrt(rng.chisquare(degrees, errors.shape) / degrees)
    low, high = random_effects(effects[:, 1:], estimated[:, 1:]).prediction
    return share((low <= effects[:, 0]) & (effects[:, 0] <= high))


def warned(n: int, samples: int, gain: Mapping[int, float], times: float) -> Share:
    """Of the verdicts better or worse, those with a warning that they rest on one round."""
    rng = np.random.default_rng([SEED, n, int(10 * times)])
    first, second = rng.normal(0.1 * times * gain.get(n, 0), 0.1, (samples, n)), rng.normal(0, 0.1, (samples, n))
    cells = (Cells.of_values(np.exp(side), looks=1) for side in (first, second))
    compared = compare(*cells, correction=Correction.UNCORRECTED, margin=1e-6)
    called = [code in (Verdict.BETTER, Verdict.WORSE) for code in compared.verdict]
    rests = [any(w.code is WarningCode.RESTS_ON_ONE_ROUND for w in row) for row in compared.warnings]
    return share(np.array(rests)[called])


def rests_on_a_round(samples: int) -> Iterator[Claim]:
    rounds = (5, 10, 30)
    for text, times, bounds in (
        ("a false verdict: the page says that it rests on one round", 0.0, {"least": 0.35}),
        ("the same for a true difference that is found in 80 %", 1.0, {"most": 0.4}),
        ("the same for a true difference of twice that size", 2.0, {"most": 0.05}),
    ):
        tables = 3 * samples if not times else samples

        def found(n: int, tables: int = tables, times: float = times) -> Share:
            return warned(n, tables, FOUND_IN_80_PERCENT, times)

        yield Claim(TOPIC, text, by_rounds(found, rounds), **bounds)


def rests_on_a_test(samples: int) -> Iterator[Claim]:
    """Eight tests of one cell each; of those intervals that exclude 1, the share that rests on one test."""
    for text, gains, bounds in (
        ("one of eight tests is faster, by 80 %: the page says that the mean rests on one test", [0.8], {"least": 0.9}),
        ("the same if all eight tests are 15 % faster", [0.15] * CELLS, {"most": 0.1}),
    ):
        gain = np.log1p([*gains, *[0.0] * (CELLS - len(gains))])[:, np.newaxis]

        def found(n: int, gain: FloatArray = gain) -> Share:
            rng = np.random.default_rng([SEED, n])
            rests = [
                rest
                for _ in range(samples // 20)
                if (rest := _rests(rng.normal(0, 0.05, (2, CELLS, n)), gain)) is not None
            ]
            return share(np.array(rests) != NONE)

        yield Claim(TOPIC, text, by_rounds(found), **bounds)


def _rests(noise: FloatArray, gain: FloatArray) -> int | None:
    """The test on which the mean of one table rests; None if the interval contains 1."""
    cells = [Cells.of_values(np.exp(side)) for side in (noise[0] + gain, noise[1])]
    ((low,), (high,)) = geometric_mean(*cells, [[True] * CELLS]).interval
    if low <= 1 <= high:
        return None
    return int(part_it_rests_on(*cells, [[True] * CELLS], range(CELLS))[0])
