"""One side of a comparison: C cells of a table, each with its n, mean and sd, and its values where they are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from benchdb.stats.arrays import BoolArray, FloatArray, IntArray, as_column, as_matrix, row_any, usable
from benchdb.stats.moments import Moments, moments

from .verdict import NoVerdict


@dataclass(frozen=True)
class Cells:
    """Columns of length C. Make them with `of_values` or `of_moments`, which check the shapes.

    `values` is (C, k), NaN where a round failed and in every place of a cell whose values are not known. `barred` are
    the cells the caller forbids a verdict on: the test failed (FAILED), or the clock was too coarse (CLOCK). `runs`
    is the number of runs that met in each cell; with more than one, the values are the runs' means. `taken_from`: the
    cells that these are some of, and which; what is worked out of a cell is worked out there once, however many pairs
    the cell is in.
    """

    n: IntArray
    mean: FloatArray
    sd: FloatArray
    values: FloatArray
    barred: tuple[NoVerdict | None, ...]
    runs: IntArray
    taken_from: tuple[Cells, IntArray] | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of_values(
        cls,
        values: npt.ArrayLike,
        *,
        barred: Sequence[NoVerdict | None] | None = None,
        runs: npt.ArrayLike = 1,
    ) -> Cells:
        """Cells from a (C, k) array of values; n, mean and sd are computed from it."""
        given = as_matrix(values)
        measured = np.where(usable(given), given, np.nan)
        n, mean, sd = moments(measured)
        return cls.of_moments(n, mean, sd, values=measured, barred=barred, runs=runs)

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
    ) -> Cells:
        """Cells from stored or published figures (n = 0: not known; NaN: no such figure).

        `values` (C, k) may be given for the cells that have them; the figures must be those of the values. Raises
        ValueError where the columns differ in length.
        """
        length = np.size(mean)
        matrix = np.full((length, 0), np.nan) if values is None else as_matrix(values)
        reasons = (None,) * length if barred is None else tuple(barred)
        if len(matrix) != length or len(reasons) != length:
            raise ValueError(f"{length} cells, but {len(matrix)} rows of values and {len(reasons)} reasons")
        return cls(
            n=as_column(n, length, "n").astype(np.int64),
            mean=as_column(mean, length, "mean"),
            sd=as_column(sd, length, "sd"),
            values=np.where(usable(matrix), matrix, np.nan),
            barred=reasons,
            runs=as_column(runs, length, "runs").astype(np.int64),
        )

    def __len__(self) -> int:
        return len(self.mean)

    def take(self, indices: Sequence[int] | IntArray) -> Cells:
        """The cells at these places, in this order."""
        places = np.asarray(indices, dtype=np.int64)
        return Cells(
            self.n[places],
            self.mean[places],
            self.sd[places],
            self.values[places],
            tuple(self.barred[place] for place in places.tolist()),
            self.runs[places],
            (self, places),
        )

    @cached_property
    def has_values(self) -> BoolArray:
        """Where at least one value is known."""
        return row_any(~np.isnan(self.values))

    @cached_property
    def all_positive(self) -> BoolArray:
        """Where values are known and every one of them is above 0, so that they have logarithms."""
        return self.has_values & ~row_any(self.values <= 0)

    @cached_property
    def logarithms(self) -> FloatArray:
        """The natural logarithms of `values`; NaN for all of a cell unless every known value of it is above 0."""
        if self.taken_from is not None:
            every, places = self.taken_from
            return every.logarithms[places]
        fit = self.all_positive[:, np.newaxis] & (self.values > 0)
        return np.log(self.values, out=np.full(self.values.shape, np.nan), where=fit)

    @cached_property
    def log_moments(self) -> Moments:
        """n, mean and sd of the natural logarithms; NaN where not all values are known and positive."""
        if self.taken_from is not None:
            every, places = self.taken_from
            return every.log_moments.take(places)
        return moments(self.logarithms)

    @cached_property
    def reasons(self) -> tuple[NoVerdict | None, ...]:
        """Why each cell can take part in no verdict; None where it can."""
        if self.taken_from is not None:
            every, places = self.taken_from
            return tuple([every.reasons[place] for place in places.tolist()])
        conditions = {
            NoVerdict.NOT_MEASURED: np.isnan(self.mean),
            NoVerdict.N_UNKNOWN: self.n == 0,
            NoVerdict.TOO_FEW_VALUES: self.n == 1,
            NoVerdict.NO_SD: np.isnan(self.sd),
            NoVerdict.NOT_POSITIVE: self.mean <= 0,
        }
        reasons: list[NoVerdict | None] = list(self.barred)
        for code, where in conditions.items():
            for place in where.nonzero()[0].tolist():
                reasons[place] = reasons[place] or code
        return tuple(reasons)
