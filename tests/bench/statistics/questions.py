"""Questions to all runs: designed campaigns of 2⁵ points, configurations on several machines, shares of variance.

n is the number of rounds of a run in designed campaigns, and the number of machines in the others.
"""

import itertools
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from functools import partial

import numpy as np

from benchdb.stats.arrays import FloatArray, IntArray
from benchdb.stats.questions.best_configurations import BestConfigurations, Standing, best_configurations
from benchdb.stats.questions.designed import DesignedEffects, designed_effects
from benchdb.stats.questions.variance import FEWEST_TO_COMPARE_MACHINES, explained_variance

from .claims import ROUNDS, Claim, Share
from .gates import noise

SEED = 732
BLOCKS = 8
CASES = 2000
FACTORS = np.array(list(itertools.product([0, 1], repeat=5))).T
EFFECTS = {(0,): 0.2, (1,): -0.1, (0, 2): 0.1}
"""The logarithms of the true effects of a designed campaign; all others are 0."""
OF_ROUND, OF_RUN = 0.05, 0.03  # noise
CONFIGURATIONS = 8
Outcome = Callable[[np.random.Generator, int], Sequence[bool | None]]


def campaign(rng: np.random.Generator, rounds: int, effects: dict[tuple[int, ...], float], kind: str) -> FloatArray:
    """Logarithms of the 32 runs of a campaign; each has noise of its own and the mean noise of its rounds."""
    signs = 2 * FACTORS - 1
    logs = sum((0.5 ** len(term) * log * signs[list(term)].prod(axis=0) for term, log in effects.items()), np.zeros(32))
    return np.asarray(
        logs + OF_RUN * noise(kind, rng, (32,)) + OF_ROUND * noise(kind, rng, (32, rounds)).mean(axis=1), dtype=float
    )


def designed(
    rng: np.random.Generator, rounds: int, effects: dict[tuple[int, ...], float], kind: str
) -> DesignedEffects:
    found = designed_effects(campaign(rng, rounds, effects, kind), FACTORS, np.zeros(32, dtype=np.int64))
    assert found is not None
    return found


def of_design(kind: str, effects: dict[tuple[int, ...], float], rng: np.random.Generator, n: int) -> list[bool]:
    """Whether an effect of 0 was called, all others were, and the intervals of the first and of one of 0 cover."""
    found = designed(rng, n, effects, kind)
    truth = np.array([effects.get(tuple(term), 0.0) for term in found.terms])
    covers = (found.low <= truth) & (truth <= found.high)
    return [bool((found.called & (truth == 0)).any()), bool(found.called[truth != 0].all()), *covers[[0, 4]].tolist()]


def unbalanced(rng: np.random.Generator, machines: int, share: float) -> tuple[IntArray, IntArray]:
    """Machine and configuration of each run: this share of the configurations on each machine, in 1 to 5 runs."""
    runs = rng.integers(1, 6, (machines, CONFIGURATIONS)) * (rng.random((machines, CONFIGURATIONS)) < share)
    machine, configuration = np.nonzero(runs)
    each = runs[machine, configuration]
    return np.repeat(machine, each), np.repeat(configuration, each)


def best(rng: np.random.Generator, machines: int, gap: float, share: float, kind: str) -> BestConfigurations | None:
    """The last configuration is the best, by `gap` before the next; effects differ between machines by 5 %."""
    effects = np.sort(rng.normal(0, 0.1, CONFIGURATIONS))
    effects[-1] = effects[-2] + gap
    machine, configuration = unbalanced(rng, machines, share)
    of_machine = 0.05 * rng.choice([0.5, 1.5], machines)[:, np.newaxis] * rng.normal(0, 1, (machines, CONFIGURATIONS))
    logs = rng.normal(0, 0.5, machines)[machine] + effects[configuration] + of_machine[machine, configuration]
    logs = logs + 0.05 * noise(kind, rng, logs.shape)
    return best_configurations(logs, configuration, machine, machine, higher_is_better=True)


def of_best(gap: float, share: float, kind: str, rng: np.random.Generator, n: int) -> list[bool | None]:
    """Whether the best was called worse than another one; whether it was left as the only one."""
    found = best(rng, n, gap, share, kind)
    if found is None or len(found.standing) < CONFIGURATIONS:
        return [None, None]
    only = [place for place, each in enumerate(found.standing) if each is Standing.MAYBE_BEST]
    return [found.standing[-1] is Standing.WORSE, only == [CONFIGURATIONS - 1]]


def of_variance(rng: np.random.Generator, n: int) -> list[bool | None]:
    """Whether the intervals of two factors on n machines cover the share of the variance in all machines."""
    machine = np.repeat(np.arange(n), 20)
    first, second = np.tile(np.repeat([0, 1], 10), n), np.tile([0, 1], 10 * n)
    logs = rng.normal(0, 0.3, n)[machine] + 0.2 * first + 0.1 * second + rng.normal(0, 0.1, len(machine))
    found = explained_variance(logs, np.stack([first, second, machine]), machine)
    assert found is not None
    whole = 0.01 + 0.0025 + 0.09 + 0.01
    places = {group[0]: place for place, group in enumerate(found.groups)}
    truths = {0: 0.01 / whole, 1: 0.0025 / whole}
    return [bool(found.alone.low[places[k]] <= each <= found.alone.high[places[k]]) for k, each in truths.items()]


def of_equal_machines(changes: bool, rng: np.random.Generator, facts: int) -> list[bool]:
    """Whether the share of any of some facts without effect is surely above 0; 12 machines with 8 runs each.

    Each machine has one value of a fact, but for one run of the first machine if it `changes`.
    """
    machine = np.repeat(np.arange(FEWEST_TO_COMPARE_MACHINES), 8)
    codes = rng.integers(0, 3, (facts, FEWEST_TO_COMPARE_MACHINES))[:, machine]
    if changes:
        codes[:, 0] = 3
    logs = rng.normal(0, 0.3, FEWEST_TO_COMPARE_MACHINES)[machine] + rng.normal(0, 0.1, len(machine))
    found = explained_variance(logs, codes, machine)
    return [found is not None and bool((found.alone.low > 0).any())]


def _block(outcome: Outcome, n: int, count: int, block: int) -> list[list[bool | None]]:
    rng = np.random.default_rng([SEED, n, block])
    return [list(outcome(rng, n)) for _ in range(count)]


def simulated(pool: Executor, outcome: Outcome, count: int, numbers: Sequence[int] = ROUNDS) -> list[dict[int, Share]]:
    """The share of each flag of an outcome, by n."""
    shares: list[dict[int, Share]] = []
    for n in numbers:
        blocks = pool.map(partial(_block, outcome, n, max(1, count // BLOCKS)), range(BLOCKS))
        columns = list(zip(*(each for block in blocks for each in block), strict=True))
        shares = shares or [{} for _ in columns]
        for found, column in zip(shares, columns, strict=True):
            known = [flag for flag in column if flag is not None]
            found[n] = Share(sum(known), max(len(known), 1))
    return shares


def questions(pool: Executor, effort: float) -> list[Claim]:
    """The claims of docs/statistics.md, "Questions to all runs"."""
    count, rows = max(BLOCKS, int(CASES * effort)), []

    def claim(text: str, found: dict[int, Share], most: float | None = None, least: float | None = None) -> None:
        rows.append(Claim("Questions to all runs", text, found, most=most, least=least))

    for kind in ("normal", "skewed", "heavy tails", "outliers"):
        nothing = simulated(pool, partial(of_design, kind, {}), count)
        claim(f"2⁵ campaign without effects, any of 15 called: {kind}", nothing[0], most=0.065)
    for kind in ("normal", "skewed"):
        false, power, large, zero = simulated(pool, partial(of_design, kind, EFFECTS), count)
        claim(f"effects of 22, −10 and an interaction of 10 %, any other called: {kind}", false, most=0.065)
        claim(f"all three of them called: {kind}", power)
        claim(f"interval of the effect of 22 % covers it: {kind}", large, least=0.93)
        claim(f"interval of an effect of 0 covers it: {kind}", zero, least=0.93)
    for gap, kind in ((0.0, "normal"), (0.0, "skewed"), (0.1, "normal")):
        for share in (1.0, 0.6):
            text = f"8 configurations, {share:.0%} of them on each machine, the best leads by {gap:.0%}, {kind}"
            missed, alone = simulated(pool, partial(of_best, gap, share, kind), count)
            claim(f"{text}: called worse", missed, most=0.05)
            claim(f"{text}: the only one left", alone)
    for changes, which in ((False, "only tell 12 machines apart"), (True, "nearly do")):
        (above,) = simulated(pool, partial(of_equal_machines, changes), count)
        claim(f"n facts without effect that {which}: any share alone is surely above 0", above, most=0.05)
    larger, smaller = simulated(pool, of_variance, count, [10, 30])
    claim("share of variance of 8.9 %: the interval covers it", larger, least=0.9)
    claim("share of variance of 2.2 %: the interval covers it", smaller, least=0.88)
    return rows
