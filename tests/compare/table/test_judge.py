"""Verdicts and marks of a table together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from benchdb.compare.table.grid import grid_of
from benchdb.compare.table.judge import judge
from benchdb.compare.verdicts.pairs import stack
from tests.support.comparing.contents import cells, content

SHAKE = np.array([-3.0, 1.5, 0.0, 3.0, -1.5, 0.5, 2.0, -2.0])
FILE_SYSTEMS = ("ext4", "xfs", "btrfs")


def test_a_cell_worse_than_the_baseline_is_not_best_beside_it() -> None:
    """xfs is worse at p = 0.02; the marks, one of four rows being selected, would need p < 1.25 %."""
    means = [(102.8, 100.0, 50.0), *[(100.0, 100.1, 99.9)] * 3]
    tests = ("Write", "Read", "Rewrite", "Reread")
    keys = [("", name, test) for test in tests for name in FILE_SYSTEMS]
    measured = cells([mean + SHAKE for row in means for mean in row])
    made = content(FILE_SYSTEMS, tests, dict(zip(keys, measured, strict=True)), margin=0.02)
    table = grid_of(replace(made, correction="uncorrected"))

    found = judge(table, stack(table.cells))

    of_write = {table.value_of(cell): cell for cell in range(len(table.cells)) if table.label(cell, "test") == "Write"}
    assert (found.verdicts[of_write["xfs"]].kind, found.best) == ("worse", {of_write["ext4"]})
