"""One side of a comparison: C cells of a table, each with n, mean and sd, and its values if known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from benchdb.stats.arrays import BoolArray, FloatArray, IntArray, as_column, as_matrix, row_any, usable
from benchdb.stats.moments import Moments, moments, variation
from benchdb.stats.trust.cache import CacheVerdict

from .paired import NO_BLOCK, Blocked
from .verdict import NoVerdict

NO_KIND = -1  # the test and metric are unknown
REASONS: tuple[NoVerdict | None, ...] = (*NoVerdict, None)
"""The order in which reasons are given; None: there is no reason."""


@dataclass(frozen=True)
class Cells:
    """Columns of length C. Use `of_values` or `of_moments`, which check the shapes.

    `values` is (C, k), NaN for failed rounds and for all rounds of a cell with unknown values. `barred` are reasons
    of the caller against a verdict on a cell: the test failed (FAILED), or the clock was too coarse (CLOCK). `runs`
    is the number of runs in each cell; with more than one, the values are the runs' means. `cache` is what each cell
    measured: the device, memory, both, or unknown (the default). `looks` counts how often the growing run of a cell
    was looked at, 0 if it cannot grow (looks.py). `blocks` (C, k) numbers the block of each value: a round of a
    campaign, or for cells of several runs a campaign. Values of the same block were measured under the same
    conditions, those of `NO_BLOCK` under unknown ones. `kinds` numbers, from 0, what a cell measured: cells of the
    same test and metric have the same number, because noise differs from test to test (few_rounds.py); `NO_KIND` if
    unknown. `taken_from`: the larger set from which these cells were taken, and their indices there; derived columns
    are computed once for that set, however many pairs contain a cell.
    """

    n: IntArray
    mean: FloatArray
    sd: FloatArray
    values: FloatArray
    barred: tuple[NoVerdict | None, ...]
    runs: IntArray
    cache: tuple[CacheVerdict, ...]
    looks: IntArray
    blocks: IntArray
    kinds: IntArray
    taken_from: tuple[Cells, IntArray] | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of_values(
        cls,
        values: npt.ArrayLike,
        *,
        barred: Sequence[NoVerdict | None] | None = None,
        runs: npt.ArrayLike = 1,
        cache: Sequence[CacheVerdict] | None = None,
        looks: npt.ArrayLike = 0,
        blocks: npt.ArrayLike | None = None,
        kinds: npt.ArrayLike = NO_KIND,
    ) -> Cells:
        """Cells from a (C, k) array of values, with the n, mean and sd of each row."""
        given = as_matrix(values)
        measured = np.where(usable(given), given, np.nan)
        n, mean, sd = moments(measured)
        return cls.of_moments(
            n,
            mean,
            sd,
            values=measured,
            barred=barred,
            runs=runs,
            cache=cache,
            looks=looks,
            blocks=blocks,
            kinds=kinds,
        )

    @classmethod
    def of_moments(
        cls,
        n: npt.ArrayLike,
        mean: npt.ArrayLike,
        sd: npt.ArrayLike,
        *,
        values: npt.ArrayLike | None = None,
        barred: Sequence[NoVerdict | None] | None = None,
        runs: npt.ArrayLike = 1,
        cache: Sequence[CacheVerdict] | None = None,
        looks: npt.ArrayLike = 0,
        blocks: npt.ArrayLike | None = None,
        kinds: npt.ArrayLike = NO_KIND,
    ) -> Cells:
        """Cells from stored or published figures (n = 0: unknown; NaN: no such figure).

        `values` (C, k) are the values of cells that have any; their figures must agree with them. Raises ValueError if
        the columns differ in length.
        """
        length = np.size(mean)
        matrix = np.full((length, 0), np.nan) if values is None else as_matrix(values)
        reasons = (None,) * length if barred is None else tuple(barred)
        measured = (CacheVerdict.UNKNOWN,) * length if cache is None else tuple(cache)
        if not len(matrix) == len(reasons) == len(measured) == length:
            columns = f"{len(matrix)} rows of values, {len(reasons)} reasons and {len(measured)} cache verdicts"
            raise ValueError(f"{length} cells, but {columns}")
        numbered = np.full(matrix.shape, NO_BLOCK) if blocks is None else np.asarray(blocks, dtype=np.int64)
        if numbered.shape != matrix.shape:
            raise ValueError(f"blocks of shape {numbered.shape} do not fit values of shape {matrix.shape}")
        return cls(
            n=as_column(n, length, "n").astype(np.int64),
            mean=as_column(mean, length, "mean"),
            sd=as_column(sd, length, "sd"),
            values=np.where(usable(matrix), matrix, np.nan),
            barred=reasons,
            runs=as_column(runs, length, "runs").astype(np.int64),
            cache=measured,
            looks=as_column(looks, length, "looks").astype(np.int64),
            blocks=numbered,
            kinds=as_column(kinds, length, "kinds").astype(np.int64),
        )

    def __len__(self) -> int:
        return len(self.mean)

    def take(self, indices: Sequence[int] | IntArray) -> Cells:
        """The cells at these indices, in this order."""
        positions = np.asarray(indices, dtype=np.int64)
        places = positions.tolist()
        return Cells(
            self.n[positions],
            self.mean[positions],
            self.sd[positions],
            self.values[positions],
            tuple(map(self.barred.__getitem__, places)),
            self.runs[positions],
            tuple(map(self.cache.__getitem__, places)),
            self.looks[positions],
            self.blocks[positions],
            self.kinds[positions],
            (self, positions),
        )

    @cached_property
    def has_values(self) -> BoolArray:
        """Flags of cells with at least one known value."""
        return row_any(~np.isnan(self.values))

    @cached_property
    def all_positive(self) -> BoolArray:
        """Flags of cells with values that are all above 0, so that they have logarithms."""
        return self.has_values & ~row_any(self.values <= 0)

    @cached_property
    def logarithms(self) -> FloatArray:
        """The natural logarithms of `values`; NaN for a whole cell unless all its known values are above 0."""
        if self.taken_from is not None:
            every, positions = self.taken_from
            return every.logarithms[positions]
        fit = self.all_positive[:, np.newaxis] & (self.values > 0)
        return np.log(self.values, out=np.full(self.values.shape, np.nan), where=fit)

    @cached_property
    def log_moments(self) -> Moments:
        """n, mean and sd of the natural logarithms; NaN unless a cell has values that are all positive."""
        if self.taken_from is not None:
            every, positions = self.taken_from
            return every.log_moments.take(positions)
        return moments(self.logarithms)

    @cached_property
    def blocked(self) -> Blocked:
        """The logarithms in the order of their blocks."""
        if self.taken_from is not None:
            every, positions = self.taken_from
            return every.blocked.take(positions)
        return Blocked.of(self.logarithms, self.blocks, self.runs)

    @cached_property
    def reasons(self) -> tuple[NoVerdict | None, ...]:
        """The reason against a verdict on each cell, or None."""
        if self.taken_from is not None:
            every, positions = self.taken_from
            return tuple(map(every.reasons.__getitem__, positions.tolist()))
        conditions = {
            NoVerdict.NOT_MEASURED: np.isnan(self.mean),
            NoVerdict.N_UNKNOWN: self.n == 0,
            NoVerdict.TOO_FEW_VALUES: self.n == 1,
            NoVerdict.NO_SD: np.isnan(self.sd),
            NoVerdict.NOT_POSITIVE: self.mean <= 0,
        }
        reasons: list[NoVerdict | None] = list(self.barred)
        for code, rows in conditions.items():
            for position in rows.nonzero()[0].tolist():
                reasons[position] = reasons[position] or code
        return tuple(reasons)

    @cached_property
    def ranks(self) -> IntArray:
        """The place of each of the `reasons` in `REASONS`."""
        if self.taken_from is not None:
            every, positions = self.taken_from
            return every.ranks[positions]
        return np.array([REASONS.index(reason) for reason in self.reasons], dtype=np.int64)

    @property
    def table(self) -> Cells:
        """The whole set of cells from which these were taken."""
        return self if self.taken_from is None else self.taken_from[0].table

    @cached_property
    def spreads(self) -> FloatArray:
        """The sd of each cell's logarithms, or its cv if they are unknown; NaN if it is 0 or nothing can be tested."""
        sd = np.where(self.all_positive, self.log_moments.sd, variation(self.mean, self.sd))
        tested = np.array([reason is None for reason in self.reasons], dtype=bool)
        return np.where(tested & (sd > 0), sd, np.nan)

    @cached_property
    def on_device(self) -> BoolArray:
        """Flags of cells that measured the device."""
        if self.taken_from is not None:
            every, positions = self.taken_from
            return every.on_device[positions]
        return np.array([each is CacheVerdict.DEVICE for each in self.cache], dtype=bool)

    @cached_property
    def in_memory(self) -> BoolArray:
        """Flags of cells that measured memory."""
        if self.taken_from is not None:
            every, positions = self.taken_from
            return every.in_memory[positions]
        return np.array([each is CacheVerdict.CACHED for each in self.cache], dtype=bool)


def unlike(first: Cells, second: Cells) -> BoolArray:
    """Flags of pairs that cannot be compared: one cell measured memory, the other the device."""
    return (first.on_device & second.in_memory) | (first.in_memory & second.on_device)
