"""Configurations compared within machines: the difference to a reference, and which of them may be the best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
import scipy

from benchdb.stats.arrays import BoolArray, FloatArray, IntArray, divide
from benchdb.stats.intervals import t_quantile

LEVEL = 0.05
FEWEST_MACHINES = 3
"""With fewer, the answer is about these machines, and runs are the sample in place of machines."""
FEWEST_DEGREES = 3


class Standing(StrEnum):
    """What is known about a configuration."""

    MAYBE_BEST = "maybe_best"
    """No other one is significantly better where both were measured."""
    WORSE = "worse"
    """Some other one is significantly better."""
    UNTESTED = "untested"
    """It was measured beside another one on too few machines, or in too few runs."""


@dataclass(frozen=True, slots=True, eq=False)
class BestConfigurations:
    """K configurations; `log` (K,) is ln of the configuration ÷ the `reference`, with simultaneous 95 % intervals.

    NaN without a machine that measured both, and of the interval with too few. `shared` (K,) counts these machines,
    `machines` (K,) and `runs` (K,) all of the configuration that were compared with any other. `p_best` (K,) is the
    corrected p of being the best. `similar`: machines are the sample; otherwise the answer is about these machines.
    """

    reference: int
    log: FloatArray
    low: FloatArray
    high: FloatArray
    shared: IntArray
    machines: IntArray
    runs: IntArray
    p_best: FloatArray
    standing: Sequence[Standing]
    similar: bool


@dataclass(frozen=True, slots=True, eq=False)
class _StratumMeans:
    """Means and numbers of runs (S, K) of strata and configurations; `machine` (S,) ascends. `sd` is within cells."""

    mean: FloatArray
    count: IntArray
    machine: IntArray
    sd: float
    degrees: int

    @property
    def starts(self) -> IntArray:
        """The first stratum of each machine."""
        return np.flatnonzero(np.diff(self.machine, prepend=-1))

    def on_machines(self, strata: FloatArray) -> FloatArray:
        """Sums (M, …) over the strata of each machine."""
        return np.asarray(np.add.reduceat(strata, self.starts, axis=0), dtype=np.float64)

    def having(self, configuration: int) -> _StratumMeans:
        """The strata in which a configuration was measured."""
        there = self.count[:, configuration] > 0
        return replace(self, mean=self.mean[there], count=self.count[there], machine=self.machine[there])


def best_configurations(
    logs: FloatArray, configuration: IntArray, stratum: IntArray, machine: IntArray, *, higher_is_better: bool
) -> BestConfigurations | None:
    """Compare configurations on `logs` (N,) of runs; all codes are (N,), those of configurations 0 to K − 1.

    Runs of one stratum are alike in everything but the configuration; a stratum belongs to one machine. None if no
    stratum has two configurations. docs/statistics.md has the formulas.
    """
    cells = _cells(logs, configuration, stratum, machine)
    if cells is None:
        return None
    count = cells.on_machines((cells.count > 0).astype(np.float64)) > 0
    runs, machines = cells.count.sum(axis=0), count.sum(axis=0, dtype=np.int64)
    reference = int(np.lexsort((-runs, -machines))[0])
    similar = len(count) >= FEWEST_MACHINES
    pairs = [_against(cells, own, similar) for own in range(cells.mean.shape[1])]
    sign = 1.0 if higher_is_better else -1.0
    p = np.stack([scipy.special.stdtr(each.degrees, sign * divide(each.log, each.error)) for each in pairs])
    np.fill_diagonal(p, np.nan)
    rivals = np.isfinite(p).sum(axis=1)
    p_best = np.where(rivals > 0, np.minimum(np.fmin.reduce(p, axis=1, initial=1.0) * rivals, 1.0), np.nan)
    beside = pairs[reference]
    tests = max(int(rivals[reference]), 1)
    half = t_quantile(beside.degrees, 1 - LEVEL / (2 * tests)) * beside.error
    log = -beside.log
    half[reference] = np.nan
    return BestConfigurations(
        reference, log, log - half, log + half, beside.shared, machines, runs, p_best, _standing(p_best), similar
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Against:
    """ln of one configuration ÷ each of K others, its standard error, degrees of freedom and shared machines."""

    log: FloatArray
    error: FloatArray
    degrees: FloatArray
    shared: IntArray


def _cells(logs: FloatArray, configuration: IntArray, stratum: IntArray, machine: IntArray) -> _StratumMeans | None:
    """The cells of strata with several configurations."""
    width, height = int(configuration.max(initial=-1)) + 1, int(stratum.max(initial=-1)) + 1
    if not width or not height:
        return None
    place = stratum * width + configuration
    count = np.bincount(place, minlength=width * height).astype(np.int64)
    mean = divide(np.bincount(place, logs, width * height).astype(np.float64), count)
    squares = np.bincount(place, (logs - mean[place]) ** 2, width * height).reshape(height, width)
    count, mean = count.reshape(height, width), mean.reshape(height, width)
    of_stratum = np.zeros(height, dtype=np.int64)
    of_stratum[stratum] = machine
    kept = np.flatnonzero((count > 0).sum(axis=1) > 1)
    if not kept.size:
        return None
    kept = kept[np.argsort(of_stratum[kept], kind="stable")]
    degrees = int(np.maximum(count[kept] - 1, 0).sum())
    sd = float(np.sqrt(squares[kept].sum() / degrees)) if degrees else float("nan")
    return _StratumMeans(mean[kept], count[kept], of_stratum[kept], sd, degrees)


def _against(cells: _StratumMeans, own: int, similar: bool) -> _Against:
    """One configuration against all: the mean over machines of the mean difference in the machine's strata."""
    cells = cells.having(own)
    both: BoolArray = cells.count > 0
    strata = cells.on_machines(both.astype(np.float64))
    difference = divide(cells.on_machines(np.where(both, cells.mean[:, [own]] - cells.mean, 0.0)), strata)
    shared = (strata > 0).sum(axis=0, dtype=np.int64)
    log = divide(np.where(strata > 0, difference, 0.0).sum(axis=0), shared)
    if similar:
        squares = np.where(strata > 0, (difference - log) ** 2, 0.0).sum(axis=0)
        error = np.sqrt(divide(divide(squares, shared - 1), shared))
        degrees = np.where(shared > 1, shared - 1.0, np.nan)
    else:
        size = np.where(both, divide(np.ones(both.shape), cells.count) + 1 / np.maximum(cells.count[:, [own]], 1), 0.0)
        of_machine = np.nan_to_num(divide(cells.on_machines(size), strata**2))
        error = cells.sd * divide(np.sqrt(of_machine.sum(axis=0)), shared)
        degrees = np.full(len(log), float(cells.degrees) if cells.degrees >= FEWEST_DEGREES else np.nan)
    usable = (error > 0) & (shared > 0)
    return _Against(log, np.where(usable, error, np.nan), np.where(usable, degrees, np.nan), shared)


def _standing(p_best: FloatArray) -> list[Standing]:
    names = np.where(np.isnan(p_best), Standing.UNTESTED, np.where(p_best < LEVEL, Standing.WORSE, Standing.MAYBE_BEST))
    return [Standing(name) for name in names.tolist()]
