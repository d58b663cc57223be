"""The error that each look at a growing run may spend."""

from __future__ import annotations

import numpy as np

from benchdb.stats.arrays import FloatArray, IntArray

FIRST = 0.9
"""The share of the error that the first look spends: most runs are never continued."""


def p_over_looks(p: FloatArray, looks: IntArray) -> FloatArray:
    """(C,) p divided by the share of its look, at most 1; below the level at any look with at most this probability.

    `looks` are the later of both sides' looks. A cell that nobody can continue has look 0, and its p is unchanged.
    """
    return np.minimum(p / share_of_look(looks), 1.0)


def share_of_look(look: IntArray) -> FloatArray:
    """The share of the error that look 1, 2, … spends: 0.9, 0.05, 0.025, …; each later look half of what is left.

    The shares of any number of looks sum to less than 1, so by Boole's inequality all looks together keep the level,
    whatever the numbers of rounds between them (Lan and DeMets 1983: any spending function α(k) that only rises). 1 for
    look 0: a sample that cannot grow.
    """
    later = (1 - FIRST) * 0.5 ** np.maximum(look - 1, 0)
    return np.where(look <= 0, 1.0, np.where(look == 1, FIRST, later))
