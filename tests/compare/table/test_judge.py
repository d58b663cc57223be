"""Verdicts and marks of a table together."""

from __future__ import annotations

import numpy as np

from benchdb.compare.table.factor import Factor
from benchdb.compare.table.judge import judge
from benchdb.compare.verdicts.pairs import Stacked
from tests.support.comparing.contents import cells

SHAKE = np.array([-3.0, 1.5, 0.0, 3.0, -1.5, 0.5, 2.0, -2.0])
FILE_SYSTEMS = ("ext4", "xfs", "btrfs")


def test_a_cell_worse_than_the_baseline_is_not_best_beside_it() -> None:
    """xfs is worse at p = 0.02; the marks, one of four rows being selected, would need p < 1.25 %."""
    means = [(102.8, 100.0, 50.0), *[(100.0, 100.1, 99.9)] * 3]
    keys = [((), (name,), (test,)) for test in range(4) for name in FILE_SYSTEMS]
    measured = cells([mean + SHAKE for row in means for mean in row])
    factor = Factor(
        ("file_system",),
        ("test",),
        {(name,): name for name in FILE_SYSTEMS},
        {key: key[1] for key in keys},
        {(test,): [((), (name,), (test,)) for name in FILE_SYSTEMS] for test in range(4)},
    )

    found = judge(
        Stacked(dict(zip(keys, measured, strict=True))), factor, ("ext4",), margin=0.02, correction="uncorrected"
    )

    assert (found.verdicts[keys[1]].kind, found.best) == ("worse", {keys[0]})
