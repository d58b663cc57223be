"""Tables whose targets affect the next one, by the order of the rounds, and the test of positions."""

from collections.abc import Callable
from concurrent.futures import Executor
from functools import partial

import numpy as np

from benchagent.plan.model import Plan, Target, Workload
from benchdb.stats import Cells, Verdict, compare
from benchdb.stats.arrays import FloatArray, IntArray
from benchdb.stats.trust.position import POSITION_LEVEL, position_effect
from tests.bench.statistics.claims import Claim, Share

TOPIC = "Order of rounds"
SEED = 10
SYSTEMS, COLUMNS = 4, 52
NOISE = 0.03
CARRY_OVER = 0.02
AT_ONCE = 50
CLAIMING = (Verdict.BETTER, Verdict.WORSE)


def measured_order(order: str, rounds: int, seed: int) -> IntArray:
    """The systems in the order of their measurement, (rounds, SYSTEMS), as the agent measures them."""
    targets = tuple(Target(str(system), "directory") for system in range(SYSTEMS))
    plan = Plan("order", targets, (Workload("sweep", "fsload"),), order=order, seed=seed)
    return np.array([[int(v.target.name) for v in plan.visits(targets, number)] for number in range(rounds)])


def logs_of(order: IntArray, rng: np.random.Generator, share: float = 0.0) -> FloatArray:
    """The logarithms of values without differences, (SYSTEMS, COLUMNS, rounds); `share` is common to a visit."""
    shape = (SYSTEMS, COLUMNS, len(order))
    common = rng.standard_normal((SYSTEMS, 1, len(order)))
    noise: FloatArray = NOISE * (np.sqrt(1 - share) * rng.standard_normal(shape) + np.sqrt(share) * common)
    return noise


def false_table(order: str, rounds: int, rng: np.random.Generator) -> bool:
    """Whether a table claims a difference; all that is measured after system 0 is slower, also in the next round."""
    systems = measured_order(order, rounds, int(rng.integers(2**31)))
    logs = logs_of(systems, rng)
    before, after = systems.ravel()[:-1], systems.ravel()[1:]
    rounds_after = np.repeat(np.arange(rounds), SYSTEMS)[1:]
    np.add.at(logs, (after, slice(None), rounds_after), -CARRY_OVER * (before == 0)[:, np.newaxis])
    values = np.exp(logs)
    baseline = np.broadcast_to(values[:1], values[1:].shape)
    found = compare(*(Cells.of_values(side.reshape(-1, rounds), looks=1) for side in (values[1:], baseline)))
    return any(verdict in CLAIMING for verdict in found.verdict)


def position_found(slope: float, rounds: int, rng: np.random.Generator) -> bool:
    """Whether a table of rotated rounds, in which each position is slower than the one before, gets the warning."""
    systems = measured_order("rotated", rounds, 0)
    positions = systems.argsort(axis=1).T
    values = np.exp(logs_of(systems, rng, share=0.3) + slope * positions[:, np.newaxis])
    points = np.repeat(np.arange(SYSTEMS), COLUMNS)
    found = position_effect(values.reshape(-1, rounds), points, positions)
    return found is not None and found.p < POSITION_LEVEL


def _block(case: Callable[[np.random.Generator], bool], seed: list[int]) -> int:
    rng = np.random.default_rng(seed)
    return sum(case(rng) for _ in range(AT_ONCE))


def share(pool: Executor, case: Callable[[np.random.Generator], bool], tables: float) -> Share:
    """The share of tables in which the case is true."""
    blocks = max(1, round(tables / AT_ONCE))
    return Share(sum(pool.map(partial(_block, case), [[SEED, block] for block in range(blocks)])), blocks * AT_ONCE)


def order(pool: Executor, effort: float) -> list[Claim]:
    """False tables by carry-over, and false rate and power of the test of positions."""
    claims = []
    for name, most in (("interleaved", None), ("shuffled", None), ("rotated", 0.06)):
        text = f"false table if one of four targets slows the next one by 2 %, order {name}"
        found = {n: share(pool, partial(false_table, name, n), 1000 * effort) for n in (5, 8, 10, 30)}
        claims.append(Claim(TOPIC, text, found, most=most))
    for slope, most in ((0.0, 0.02), (-0.01, None)):
        what = f"each position {100 * -slope:.0f} % slower" if slope else "no effect"
        found = {n: share(pool, partial(position_found, slope, n), 3000 * effort) for n in (5, 10, 30)}
        claims.append(Claim(TOPIC, f"warning about positions, {what}", found, most=most))
    return claims
