"""Judges the cells of a table against their baseline and marks the best."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchagent.formats.vocabulary import METRICS
from benchdb.compare.query.selection import MARGIN
from benchdb.compare.verdicts.pairs import CellPair, Stacked, judge_sides
from benchdb.runs.cells.cell import Cell
from benchdb.stats import best_sets

from .factor import Factor
from .geometric import geometric_means
from .pivot import AxisKey, CellGrid

# All pairs of rivals are compared to find the best; with more rivals that is slow, and the marks are hard to read.
MOST_RIVALS = 200


def judge(
    grid: CellGrid,
    stacked: Stacked,
    factor: Factor,
    baseline: AxisKey,
    *,
    margin: float = MARGIN,
    correction: str = "benjamini_hochberg",
) -> list[dict[str, Any]]:
    """Give every cell its `verdict` against its rival with the baseline's value, mark the `best` of the rivals.

    `stacked` are the grid's cells. All verdicts of the table are one family for the correction of p. Returns the
    geometric means of the ratios.
    """
    pairs: list[CellPair] = []
    values: list[AxisKey] = []
    beside: list[AxisKey] = []
    contests: list[list[Cell]] = []
    for others, keys in factor.rivals.items():
        rivals = {factor.of[key]: grid.cells[key] for key in keys if key in grid.cells}
        contests.append(list(rivals.values()))
        against = rivals.pop(baseline, None)
        if against is None:
            continue
        against["baseline"] = True
        pairs += [(cell, against) for cell in rivals.values()]
        values += rivals
        beside += [others] * len(rivals)
    _mark_best(contests, stacked)
    if not pairs:
        return []
    upward = [METRICS[cell["metric"]].higher_is_better for cell, _ in pairs]
    sides = stacked.sides(pairs)
    compared = judge_sides(pairs, sides, upward, margin=margin, correction=correction)
    return geometric_means(pairs, sides, compared, upward, values, beside, factor.labels)


def _mark_best(contests: Sequence[Sequence[Cell]], stacked: Stacked) -> None:
    considered = [rivals for rivals in contests if 2 <= len(rivals) <= MOST_RIVALS]
    rows = [stacked.places(rivals) for rivals in considered]
    upward = [METRICS[rivals[0]["metric"]].higher_is_better for rivals in considered]
    for rivals, best_set in zip(considered, best_sets(stacked.columns, rows, upward), strict=True):
        # If all tested rivals tie, none is marked, because those that could not be tested are not worse.
        if len(best_set.members) + len(best_set.left_out) < len(rivals):
            for index in best_set.members:
                rivals[index]["best"] = True
