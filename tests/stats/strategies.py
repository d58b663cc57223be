"""Hypothesis strategies for the statistics: typical measurements, and numbers that no tool should print."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from benchdb.stats.arrays import FloatArray

SHAPES = hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=12)

# From a nanosecond in seconds to a terabyte per second in bytes.
MEASUREMENTS = st.floats(min_value=1e-9, max_value=1e12, allow_nan=False)


def measurements(shape: st.SearchStrategy[tuple[int, ...]] = SHAPES) -> st.SearchStrategy[FloatArray]:
    """(R, n) arrays of positive values."""
    return hnp.arrays(np.float64, shape, elements=MEASUREMENTS)


def anything(shape: st.SearchStrategy[tuple[int, ...]] = SHAPES) -> st.SearchStrategy[FloatArray]:
    """(R, n) arrays of any floats: NaN, infinities, zeros, negative, subnormal and huge ones, many equal."""
    few = st.sampled_from([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, 1.0, 2.0, -3.0, 5e-324, 1e99, 1.7e308])
    return hnp.arrays(np.float64, shape, elements=st.one_of(few, st.floats()))
