"""The error that each look at a growing run may spend."""

from __future__ import annotations

import numpy as np

from benchdb.stats.arrays import FloatArray, IntArray

FIRST, LATER = 0.98, 0.75
"""The share of the error that the first look spends, and that of what is left which each later look spends.

Most runs are never continued, so the first look loses hardly any power. A run that is continued has more rounds.
"""


def p_over_looks(p: FloatArray, looks: IntArray) -> FloatArray:
    """(C,) p divided by the share of its look, at most 1; below the level at any look with at most this probability.

    `looks` are the later of both sides' looks. A cell that nobody can continue has look 0, and its p is unchanged.
    """
    return np.minimum(p / share_of_look(looks), 1.0)


def share_of_look(look: IntArray) -> FloatArray:
    """The share of the error that look 1, 2, … spends: 0.98, 0.015, 0.00375, …; later ones 3/4 of what is left.

    The shares of any number of looks sum to less than 1, so by Boole's inequality all looks together keep the level,
    whatever the numbers of rounds between them (Lan and DeMets 1983: any spending function α(k) that only rises). 1 for
    look 0: a sample that cannot grow.
    """
    later = (1 - FIRST) * LATER * (1 - LATER) ** np.maximum(look - 2, 0)
    return np.where(look <= 0, 1.0, np.where(look == 1, FIRST, later))
