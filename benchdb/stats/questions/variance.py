"""Shares of the variance of ln value that recorded facts explain, with jackknife intervals over machines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import scipy.linalg

from benchdb.stats.arrays import BoolArray, FloatArray, IntArray
from benchdb.stats.intervals import CONFIDENCE, t_quantile

from .partitions import determined_by, joined, renumbered, same_partitions
from .share_alone import FEWEST_DEGREES, SINGULAR, share_alone

FEWEST_RUNS = 8
FEWEST_MACHINES = 6
"""With fewer, blocks of runs are left out in place of machines; the intervals then say nothing about other machines."""
FEWEST_TO_COMPARE_MACHINES = 12
"""With fewer, a fact that belongs to machines has no share alone: of a dozen such facts one seems to explain most."""
FEWEST_DEGREES_OF_MACHINES = 8
"""Machines beyond the number of its values: if few share a value, leaving one out tells nothing of chance."""
MOST_BLOCKS = 20
MOST_LEVELS = 25
"""Of a fact; rarer values count as one."""


@dataclass(frozen=True, slots=True, eq=False)
class Shares:
    """Shares of variance (G,) between 0 and 1, NaN if too few runs are left for the residual.

    All intervals of a kind hold together with 95 %, so that also the largest of many shares has a true one.
    """

    share: FloatArray
    low: FloatArray
    high: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class ExplainedVariance:
    """G groups of facts that always changed together, by the least and then by the likeliest share alone.

    `alone` are the shares of each group without the others, NaN for one that belongs to too few machines, which
    `few_machines` (G,) tells. `beyond` is what a group adds to all others, `total` (1,) the share of all together.
    `groups` are indices of facts, `levels` (G,) the number of different values, `follows_from` the indices of groups
    that determine a group. `machines` is true if the intervals are from leaving out groups of machines, and false if
    they are from leaving out groups of runs.
    """

    groups: Sequence[tuple[int, ...]]
    levels: IntArray
    follows_from: Sequence[tuple[int, ...]]
    alone: Shares
    beyond: Shares
    total: Shares
    few_machines: BoolArray
    runs: int
    blocks: int
    machines: bool


def explained_variance(logs: FloatArray, codes: IntArray, machines: IntArray) -> ExplainedVariance | None:
    """The shares of the variance of `logs` (N,) that facts with these `codes` (F, N) explain; docs/statistics.md.

    `machines` (N,) are codes too. None with fewer than `FEWEST_RUNS` runs, if all logarithms are equal, or if no fact
    changes.
    """
    partitions = renumbered(codes)
    groups = same_partitions(partitions)
    if len(logs) < FEWEST_RUNS or not groups or not np.ptp(logs) > 0:
        return None
    rows = np.stack([partitions[group[0]] for group in groups])
    follows = determined_by(rows)
    blocks, of_machines = _blocks(machines)
    sums = _Sums.of(logs, [joined(row, MOST_LEVELS) for row in rows], blocks)
    everything, without = sums.with_and_without()
    few = _belong_to_few(rows, machines)
    alone = np.stack([_alone(logs, row, machines, blocks) for row in rows])
    alone[few] = np.nan
    beyond = np.where([[bool(others)] for others in follows], 0.0 * everything, everything - without)
    shares = _jackknifed(alone)
    order = np.lexsort([-np.nan_to_num(each, nan=-1.0) for each in (shares.share, shares.low)])
    place = np.argsort(order)
    return ExplainedVariance(
        groups=[groups[group] for group in order],
        levels=rows.max(axis=1)[order] + 1,
        follows_from=[tuple(sorted(int(place[other]) for other in follows[group])) for group in order],
        alone=_jackknifed(alone[order]),
        beyond=_jackknifed(beyond[order]),
        total=_jackknifed(everything[np.newaxis]),
        few_machines=few[order],
        runs=len(logs),
        blocks=int(blocks.max()) + 1,
        machines=of_machines,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Sums:
    """Sums for the normal equations of the P columns of all groups: of all runs, then without each of B blocks.

    `grams` (1 + B, P, P), `moments` (1 + B, P), `squares` (1 + B,). Column 0 is the constant, `starts` are the first
    columns of the groups.
    """

    grams: FloatArray
    moments: FloatArray
    squares: FloatArray
    starts: Sequence[int]

    @classmethod
    def of(cls, logs: FloatArray, rows: Sequence[IntArray], blocks: IntArray) -> _Sums:
        """The sums; each group has an indicator column for each of its levels but the first."""
        y = logs - logs.mean()
        columns = [np.ones((len(y), 1))]
        columns += [(row[:, np.newaxis] == np.arange(1, row.max() + 1)).astype(np.float64) for row in rows]
        x = np.concatenate(columns, axis=1)
        of_blocks = [blocks == block for block in range(int(blocks.max()) + 1)]
        grams = np.stack([x[own].T @ x[own] for own in of_blocks])
        moments = np.stack([x[own].T @ y[own] for own in of_blocks])
        squares = np.array([float(y[own] @ y[own]) for own in of_blocks])
        starts: list[int] = np.cumsum([1, *(each.shape[1] for each in columns[1:])]).tolist()
        return cls(_all_and_without(grams), _all_and_without(moments), _all_and_without(squares), starts)

    def with_and_without(self) -> tuple[FloatArray, FloatArray]:
        """Adjusted R² (Ezekiel 1930) of the model with all groups, (1 + B,), and without each of them, (G, 1 + B)."""
        models = zip(self.grams, self.moments, self.squares, strict=True)
        shares = np.stack([_with_and_without(*model, self.starts) for model in models], axis=1)
        return shares[0], shares[1:]


def _all_and_without(parts: FloatArray) -> FloatArray:
    """The sum over all blocks, then over all but each one: (1 + B, …) from (B, …)."""
    total = parts.sum(axis=0, keepdims=True)
    return np.concatenate([total, total - parts])


def _with_and_without(gram: FloatArray, moment: FloatArray, squares: float, starts: Sequence[int]) -> FloatArray:
    """1 − (RSS/(n − rank)) ÷ (TSS/(n − 1)) with all columns, and without those of each group, (1 + G,).

    One decomposition serves all groups: without columns J, RSS grows by c′(K′G⁻K)⁻¹c with c = K′β, where K spans the
    combinations of J's coefficients that can be estimated, the vectors orthogonal to the null space of G (Searle 1971,
    §5.5). The rank, a generalized inverse G⁻ and the null space are from a Cholesky decomposition with pivots.
    """
    n = gram[0, 0]
    total = squares - moment[0] ** 2 / max(n, 1.0)
    factor, pivots, rank, _ = scipy.linalg.lapack.dpstrf(gram, tol=SINGULAR * max(n, 1.0))
    if n - rank < FEWEST_DEGREES or total <= SINGULAR * squares:
        return np.full(max(len(starts), 1), np.nan)
    kept, others = np.split(pivots - 1, [rank])
    root = scipy.linalg.solve_triangular(np.triu(factor[:rank, :rank]), np.eye(rank), check_finite=False)
    inverse = np.zeros_like(gram)
    inverse[kept[:, np.newaxis], kept] = root @ root.T
    null = np.zeros((len(gram), len(others)))
    null[kept], null[others] = -root @ factor[:rank, rank:], np.eye(len(others))
    slopes = inverse @ moment
    lost = [(0, 0.0)]
    for start, end in pairwise(starts):
        values, vectors = np.linalg.eigh(null[start:end] @ null[start:end].T)
        known = vectors[:, values <= SINGULAR]
        own = known.T @ slopes[start:end]
        errors = known.T @ inverse[start:end, start:end] @ known
        lost.append((len(own), float(own @ np.linalg.solve(errors, own))))
    degrees, sums = np.array(lost).T
    residual = (squares - moment @ slopes + sums) / (n - rank + degrees)
    return np.asarray(1 - residual / (total / (n - 1)), dtype=np.float64)


def _belong_to_few(rows: IntArray, machines: IntArray) -> BoolArray:
    """Whether each of the partitions (G, N) only tells some machines from others, of too few for its values."""
    _, machine = np.unique(machines, return_inverse=True)
    count = int(machine.max()) + 1
    together = determined_by(np.stack([*rows, *renumbered(machine[np.newaxis])]))[:-1]
    few = count < FEWEST_TO_COMPARE_MACHINES
    of_machines = (len(rows) in others for others in together)
    return np.array(
        [
            belongs and (few or count - int(row.max()) - 1 < FEWEST_DEGREES_OF_MACHINES)
            for belongs, row in zip(of_machines, rows, strict=True)
        ]
    )


def _alone(logs: FloatArray, row: IntArray, machines: IntArray, blocks: IntArray) -> FloatArray:
    """The share of one partition without others (1 + B,): of all runs, then without each of B blocks."""
    y, levels = logs - logs.mean(), joined(row, MOST_LEVELS)
    _, machine = np.unique(machines, return_inverse=True)
    kept = [np.ones(len(y), dtype=bool), *(blocks != block for block in range(int(blocks.max()) + 1))]
    return np.array([share_alone(y[own], levels[own], machine[own]) for own in kept])


def _blocks(machines: IntArray) -> tuple[IntArray, bool]:
    """The block of each run, and whether the blocks are of machines."""
    _, machine = np.unique(machines, return_inverse=True)
    count = int(machine.max()) + 1
    if count >= FEWEST_MACHINES:
        return machine % min(count, MOST_BLOCKS), True
    return np.arange(len(machines)) % min(len(machines), MOST_BLOCKS), False


def _jackknifed(shares: FloatArray) -> Shares:
    """The shares (G, 1 + B) of all runs, with the interval of the delete-a-group jackknife (Kott 2001)."""
    own, others = shares[:, 0], shares[:, 1:]
    blocks = others.shape[1]
    centre = others.mean(axis=1, keepdims=True)
    error = np.sqrt((blocks - 1) / blocks * ((others - centre) ** 2).sum(axis=1))
    one_sided = 1 - (1 - CONFIDENCE) / 2 / len(own)  # Bonferroni: all intervals hold together
    half = t_quantile(np.array([blocks - 1.0]), one_sided) * error
    return Shares(*(np.clip(each, 0.0, 1.0) for each in (own, own - half, own + half)))
