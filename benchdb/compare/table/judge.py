"""Judges the cells of a table against their baseline and finds the best."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from benchdb.compare.verdicts.pairs import compare_sides, verdicts_of
from benchdb.runs.cells.verdict import CellVerdict
from benchdb.stats import Cells, best_sets

from .content import AcrossMachines, MeanRatios
from .geometric import RatioPairs, across_machines, geometric_means
from .grid import Grid

# All pairs of rivals are compared to find the best; with more rivals that is slow, and the marks are hard to read.
MOST_RIVALS = 200


@dataclass(frozen=True)
class Judged:
    """The verdicts of cells by index, the cells that are best of their rivals, the baselines, and the mean ratios.

    `against` is the baseline with which each cell with a verdict was compared.
    """

    verdicts: Mapping[int, CellVerdict] = field(default_factory=dict)
    best: frozenset[int] = frozenset()
    baselines: frozenset[int] = frozenset()
    means: Sequence[MeanRatios] = ()
    across_machines: Sequence[AcrossMachines] = ()
    against: Mapping[int, int] = field(default_factory=dict)


def judge(table: Grid, columns: Cells) -> Judged:
    """Compare every cell with its rival that has the baseline's value, and find the best of the rivals.

    All verdicts of the table are one family for the correction of p. `columns` are its cells for `benchdb.stats`.
    """
    upward = np.array([measure.higher_is_better for measure in table.measures], dtype=bool)
    best = frozenset(_best(table, columns, upward.tolist()))
    baselines = frozenset(table.base[table.base >= 0].tolist())
    compared = np.flatnonzero((table.base >= 0) & (table.base != np.arange(len(table.base))))
    if not len(compared):
        return Judged(best=best, baselines=baselines)
    against = table.base[compared]
    sides = columns.take(compared), columns.take(against)
    content = table.content
    found = compare_sides(sides, upward[compared], margin=content.margin, correction=content.correction)
    indices = compared.tolist()
    verdicts = verdicts_of(found, (table.cells[cell] for cell in indices))
    # A mark and a verdict about the same two cells never contradict each other: best has the stricter families.
    pairs = [*zip(indices, against.tolist(), verdicts, strict=True)]
    beaten = {cell for cell, _, verdict in pairs if verdict.kind == "worse"}
    beaten |= {base for _, base, verdict in pairs if verdict.kind == "better"}
    ratios = RatioPairs(table, compared, against, sides, found)
    return Judged(
        {cell: verdict for cell, _, verdict in pairs},
        best - beaten,
        baselines,
        geometric_means(ratios),
        across_machines(ratios),
        {cell: base for cell, base, _ in pairs},
    )


def _best(table: Grid, columns: Cells, upward: Sequence[bool]) -> Iterator[int]:
    contests = [[cell for cell in row if cell >= 0] for row in table.rivals.tolist()]
    rows = [rivals for rivals in contests if 2 <= len(rivals) <= MOST_RIVALS]
    for rivals, best_set in zip(rows, best_sets(columns, rows, [upward[rivals[0]] for rivals in rows]), strict=True):
        # If all tested rivals tie, none is marked, because those that could not be tested are not worse.
        if len(best_set.members) + len(best_set.left_out) < len(rivals):
            yield from (rivals[index] for index in best_set.members)
