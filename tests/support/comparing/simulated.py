"""Simulated tables, and the texts of their findings."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from benchdb.compare.table.content import TableContent
from benchdb.compare.table.findings import findings
from benchdb.compare.table.grid import grid_of
from benchdb.runs.cells.cell import Cell
from tests.support.comparing.contents import cells, content

MIB = 1024**2
FILE_SYSTEMS = ("ext4", "xfs", "btrfs")
TESTS = ("Write", "Random read", "fread")
SIZES = ("1 MiB", "4 MiB", "16 MiB")
Effect = Callable[[str, str, str], float]


def table(
    effect: Effect = lambda split, row, head: 1.0,
    *,
    rows: Sequence[str] = FILE_SYSTEMS,
    heads: Sequence[str] = TESTS,
    splits: Sequence[str] = ("1 MiB",),
    noise: float = 0.01,
    seed: int = 1,
    changes: Any = (),
    **fields: Any,
) -> TableContent:
    """A table of ten rounds a cell: 100 MiB/s times the effect of (split, row, head), with relative noise."""
    random = np.random.default_rng(seed)
    keys = [(split, row, head) for split in splits for row in rows for head in heads]
    means = np.array([[100 * MIB * effect(*key)] for key in keys])
    cell_by_key = dict(zip(keys, cells(means * (1 + noise * random.standard_normal((len(keys), 10)))), strict=True))
    cell_by_key.update(changes)
    return content(rows, heads, cell_by_key, splits=splits, **fields)


def texts(made: TableContent) -> list[str]:
    """The texts of the findings."""
    return [found.text for found in findings(grid_of(made))]


def cell(mean: float, **fields: Any) -> Cell:
    """A cell with a spread of half a per cent."""
    spread = np.array([0.995, 1.004, 1.001, 0.998, 1.006, 0.996])
    return replace(cells([mean * spread])[0], **fields)
