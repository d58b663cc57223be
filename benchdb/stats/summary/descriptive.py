"""Summaries of all results of a run, computed at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from benchdb.stats.arrays import as_column, as_matrix, usable
from benchdb.stats.intervals import Interval, mean_interval, median_interval
from benchdb.stats.moments import moments, variation
from benchdb.stats.ordering import order_statistic, quantile, sort_rows

from .autocorrelation import Autocorrelation, autocorrelation
from .diagnosis import diagnose, diagnose_moments
from .drift import Drift, drift
from .modes import Modes, modes
from .outliers import tukey_outliers
from .summaries import Summaries


def summarise(values: npt.ArrayLike, rounds: npt.ArrayLike | None = None) -> Summaries:
    """Summaries of a (R, n) array: one result per row in the order of the rounds, NaN for failed rounds.

    `rounds` (R,) is the number of rounds of each row if some rows are padded, as by `arrays.matrix`. Numbers that
    cannot be computed with (infinite, or 1e100 and more) count as not measured and give a warning. Raises ValueError if
    a shape does not fit.
    """
    given = as_matrix(values)
    measured = np.where(usable(given), given, np.nan)
    n, mean, sd = moments(measured)
    ordered = sort_rows(measured)
    outliers = tukey_outliers(measured, ordered, n)
    summaries = Summaries(
        n=n,
        mean=mean,
        sd=sd,
        cv=variation(mean, sd),
        median=quantile(ordered, n, 0.5),
        minimum=order_statistic(ordered, np.zeros_like(n)),
        maximum=order_statistic(ordered, n - 1),
        mean_interval=mean_interval(n, mean, sd),
        median_interval=median_interval(ordered, n),
        drift=drift(measured, ordered, n, mean),
        autocorrelation=autocorrelation(measured, n, mean),
        modes=modes(ordered, n),
        outliers=outliers.outside,
    )
    expected = as_column(given.shape[1] if rounds is None else rounds, len(n), "rounds").astype(np.int64)
    return diagnose(summaries, given, expected, outliers.far)


def summarise_moments(n: npt.ArrayLike, mean: npt.ArrayLike, sd: npt.ArrayLike) -> Summaries:
    """Summaries of R published results without values: only mean, sd (NaN: not given) and n (0: not given).

    All other figures are NaN. Raises ValueError if the columns differ in length.
    """
    rows = np.size(mean)
    means = as_column(mean, rows, "mean")
    sizes = as_column(n, rows, "n").astype(np.int64)
    # One value has no spread; a printed sd would be a mistake of the source.
    sds = np.where(sizes == 1, np.nan, as_column(sd, rows, "sd"))
    nothing = np.full(rows, np.nan)
    summaries = Summaries(
        n=sizes,
        mean=means,
        sd=sds,
        cv=variation(means, sds),
        median=nothing,
        minimum=nothing,
        maximum=nothing,
        mean_interval=mean_interval(sizes, means, sds),
        median_interval=Interval(nothing, nothing),
        drift=Drift(nothing, nothing, nothing),
        autocorrelation=Autocorrelation(nothing, nothing),
        modes=Modes(nothing, nothing),
        outliers=np.zeros((rows, 0), dtype=bool),
    )
    return diagnose_moments(summaries)
