"""Simulated tables of systems without differences, with several kinds of noise, and the verdicts of the comparison."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial

import numpy as np

from benchdb.stats import Cells, Verdict, WarningCode, compare, summarise
from benchdb.stats.arrays import BoolArray, FloatArray

ROWS, COLUMNS = 4, 52  # three file systems against a fourth; 13 tests x 4 record sizes
CELLS = (ROWS - 1) * COLUMNS
ORDER = {WarningCode.DRIFT, WarningCode.AUTOCORRELATED}
CALLED = (Verdict.BETTER, Verdict.WORSE)
TABLES_AT_ONCE = 50


@dataclass(frozen=True)
class World:
    """The model of the values: ln value = run's effect + round's effect. Only one cell differs, by `gain`.

    `cv` bounds the standard deviation of a round's effect, drawn for each column. `follows`: correlation of successive
    rounds. `run_share`: standard deviation of a run's effect in units of a round's; all cells share half its variance.
    """

    name: str
    cv: tuple[float, float] = (0.05, 0.3)
    rounds: int = 10
    runs: int = 1
    follows: float = 0.0
    run_share: float = 0.0
    gain: float = 0.0


def values_of(world: World, rng: np.random.Generator) -> FloatArray:
    """One table's values, (ROWS, COLUMNS, runs, rounds); the last row is the baseline."""
    shape = (ROWS, COLUMNS, world.runs, world.rounds)
    noise = rng.standard_normal(shape)
    for at in range(1, world.rounds if world.follows else 0):
        noise[..., at] = world.follows * noise[..., at - 1] + np.sqrt(1 - world.follows**2) * noise[..., at]
    if world.run_share:
        shared, separate = rng.standard_normal((ROWS, 1, world.runs, 1)), rng.standard_normal((*shape[:3], 1))
        noise += world.run_share * (shared + separate) / np.sqrt(2)
    low, high = world.cv
    cv = low * (high / low) ** rng.random((1, COLUMNS, 1, 1))
    values: FloatArray = np.exp(cv * noise)
    values[0, 0] *= 1 + world.gain
    return values


def cells_of(values: FloatArray) -> Cells:
    """The cells as a page has them: a single run's rounds are the sample, or the means of several runs."""
    _, _, runs, rounds = values.shape
    sample = values.reshape(-1, rounds) if runs == 1 else values.mean(axis=3).reshape(-1, runs)
    return Cells.of_values(sample, runs=runs, looks=int(runs == 1))


def judge(world: World, rng: np.random.Generator) -> Counter[str]:
    """Count the kinds of claims in one table."""
    values = values_of(world, rng)
    baseline = np.broadcast_to(values[-1:], (ROWS - 1, *values.shape[1:]))
    compared = compare(cells_of(values[:-1]), cells_of(baseline))
    called = [cell for cell, verdict in enumerate(compared.verdict) if verdict in CALLED]
    counts = Counter(tables=1, gained=int(compared.verdict[0] is Verdict.BETTER))
    false = [cell for cell in called if cell or not world.gain]
    if false:
        order = _of_order(values[:-1], false) | _of_order(baseline, false)
        one_run = [
            WarningCode.WITHIN_ONE_RUN in {warning.code for warning in compared.warnings[cell]} for cell in false
        ]
        counts["false"] = 1
        counts["flagged"] = int((order | one_run).all())
        counts["order"] = int(order.any())
        counts["one_run"] = int(all(one_run))
    return counts


def _of_order(values: FloatArray, places: list[int]) -> BoolArray:
    """The cells that have a run with a warning about the order of its rounds."""
    rounds = values.reshape(-1, *values.shape[2:])[places]
    found = summarise(rounds.reshape(-1, rounds.shape[-1])).warnings
    flagged = np.array([any(warning.code in ORDER for warning in warnings) for warnings in found])
    return np.asarray(flagged.reshape(len(places), -1).any(axis=1), dtype=bool)


def _block(world: World, tables: int, seed: list[int]) -> Counter[str]:
    rng = np.random.default_rng(seed)
    return sum((judge(world, rng) for _ in range(tables)), Counter())


def simulate(world: World, tables: int, pool: Executor, seed: int) -> Counter[str]:
    """Counts over this many tables, in blocks over the pool's processes."""
    sizes = list(_blocks(tables))
    seeds = [[seed, block] for block in range(len(sizes))]
    return sum(pool.map(partial(_block, world), sizes, seeds), Counter())


def _blocks(tables: int) -> Iterator[int]:
    for done in range(0, tables, TABLES_AT_ONCE):
        yield min(TABLES_AT_ONCE, tables - done)
