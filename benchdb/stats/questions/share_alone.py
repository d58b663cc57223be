"""The share of the variance that one fact explains alone, where runs of a machine resemble each other."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from benchdb.stats.arrays import FloatArray, IntArray

FEWEST_DEGREES = 4  # of freedom left for the residual
SINGULAR = 1e-9


class _Model(NamedTuple):
    """A model without machines: its residual sum of squares, its rank, and tr(P·ZZ′), which is n if machines follow
    from it."""

    residual: float
    rank: int
    trace: float


class _WithMachines(NamedTuple):
    """The same model with a constant for each machine."""

    residual: float
    rank: int


def share_alone(logs: FloatArray, levels: IntArray, machines: IntArray) -> float:
    """1 − Vf/V₀ of centred `logs` (N,): of the variances between and within machines together, with and without a fact.

    Machines are a random effect, so a fact that belongs to machines has their degrees of freedom, one that changes on
    each machine those of runs (Snijders and Bosker 1994). Both components are from Henderson's method 3 (1953), which
    needs no balance and assumes no distribution. If no machine has enough runs for a residual, each run counts as a
    machine of its own: this is adjusted R² (Ezekiel 1930). `levels` and `machines` (N,) are codes from 0. NaN if too
    few runs are left.
    """
    n, squares = len(logs), float(logs @ logs)
    counts, sums = (
        np.bincount(levels * (machines.max() + 1) + machines, weights, (levels.max() + 1) * (machines.max() + 1))
        .reshape(levels.max() + 1, -1)
        .astype(np.float64)
        for weights in (None, logs)
    )
    counts, sums = (each[counts.any(axis=1)][:, counts.any(axis=0)] for each in (counts, sums))
    of_level, of_machine = counts.sum(axis=1), counts.sum(axis=0)
    own = _Model(
        squares - float((sums.sum(axis=1) ** 2 / of_level).sum()),
        len(of_level),
        float((counts**2 / of_level[:, np.newaxis]).sum()),
    )
    none = _Model(squares - float(sums.sum()) ** 2 / n, 1, float(of_machine @ of_machine) / n)
    machine = _WithMachines(squares - float((sums.sum(axis=0) ** 2 / of_machine).sum()), len(of_machine))
    both = _with_fact(machine, counts, sums)
    if n - both.rank >= FEWEST_DEGREES:
        variance, whole = _variance(n, own, both), _variance(n, none, machine)
    elif n - own.rank >= FEWEST_DEGREES:
        variance, whole = own.residual / (n - own.rank), none.residual / (n - 1)
    else:
        return np.nan
    return 1 - variance / whole if whole > SINGULAR * squares / n else np.nan


def _with_fact(machine: _WithMachines, counts: FloatArray, sums: FloatArray) -> _WithMachines:
    """A fact beside machines, from the normal equations of its levels. `counts`, `sums`: (levels, machines)."""
    within = counts / counts.sum(axis=0)
    values, vectors = np.linalg.eigh(np.diag(counts.sum(axis=1)) - within @ counts.T)
    known = values > SINGULAR * counts.sum()
    effects = vectors[:, known].T @ (sums.sum(axis=1) - within @ sums.sum(axis=0))
    explained = float((effects**2 / values[known]).sum())
    return _WithMachines(machine.residual - explained, machine.rank + int(known.sum()))


def _variance(n: int, model: _Model, with_machines: _WithMachines) -> float:
    """The variance of runs plus that of machines."""
    runs = with_machines.residual / (n - with_machines.rank)
    if n - model.trace <= SINGULAR * n:  # machines follow from the model
        return runs
    between = model.residual - with_machines.residual - (with_machines.rank - model.rank) * runs
    return runs + between / (n - model.trace)
