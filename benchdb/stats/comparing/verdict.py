"""The possible verdicts of a comparison, and the reasons for none."""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from benchdb.stats.arrays import BoolArray

EQUIVALENCE_CONFIDENCE = 0.90
"""Of the interval that must be inside the margin: two one-sided tests at 5 % (Schuirmann 1987)."""


class Verdict(StrEnum):
    """The verdicts, in the order in which they are tried."""

    NONE = "none"
    EQUIVALENT = "equivalent"
    BETTER = "better"
    WORSE = "worse"
    INCONCLUSIVE = "inconclusive"


class NoVerdict(StrEnum):
    """The reasons for no verdict. The first that applies to either side, or to both together, is given.

    MIXED: one side has runs of several machines, disks or workloads, which have no common figure.
    CACHE: one side measured memory, the other the device. It comes before reasons that more rounds would remove.
    """

    FAILED = "failed"
    MIXED = "mixed"
    COMPUTING = "computing"
    CLOCK = "clock"
    NOT_MEASURED = "not_measured"
    CACHE = "cache"
    N_UNKNOWN = "n_unknown"
    TOO_FEW_VALUES = "too_few_values"
    NO_SD = "no_sd"
    NOT_POSITIVE = "not_positive"
    NO_VARIATION = "no_variation"


def decide(*, barred: BoolArray, equivalent: BoolArray, significant: BoolArray, up: BoolArray) -> tuple[Verdict, ...]:
    """One verdict per cell, tried in the order none, equivalent, better or worse, inconclusive.

    `barred`: there is a reason for none. `up`: the difference is in the good direction.
    """
    order = (Verdict.NONE, Verdict.EQUIVALENT, Verdict.BETTER, Verdict.WORSE, Verdict.INCONCLUSIVE)
    conditions = [barred, equivalent, significant & up, significant & ~up]
    chosen = np.select(conditions, [0, 1, 2, 3], default=4)
    return tuple(order[index] for index in chosen.tolist())
