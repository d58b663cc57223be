"""Verdicts of cells against their baselines, computed for all pairs of a comparison at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from benchdb.compare.query.selection import MARGIN
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.verdict import CellVerdict
from benchdb.runs.cells.warnings import with_sentence, with_sentence_about_runs
from benchdb.stats import CacheVerdict, Cells, ComparisonRow, Comparisons, Correction, NoVerdict, compare, matrix

from .blocks import Campaigns, blocks_of
from .sentences import row_in_words, why

LEVEL = 0.05
NO_CAMPAIGNS: Campaigns = {}

Sides = tuple[Cells, Cells]  # the first cells of pairs, and the second


def compare_sides(
    sides: Sides, higher_is_better: npt.ArrayLike, *, margin: float = MARGIN, correction: str = "benjamini_hochberg"
) -> Comparisons:
    """The first cells compared with the second; all comparisons are one family for the correction of p."""
    return compare(
        *sides, higher_is_better=higher_is_better, margin=margin, level=LEVEL, correction=Correction(correction)
    )


def verdicts_of(compared: Comparisons, cells: Iterable[Cell]) -> list[CellVerdict]:
    """The verdicts of these cells, in the order of the comparisons."""
    return [_verdict(row, cell, compared.margin) for cell, row in zip(cells, compared.rows(), strict=True)]


def stack(cells: Sequence[Cell], campaigns: Campaigns = NO_CAMPAIGNS) -> Cells:
    """Cells of a table as columns for `benchdb.stats`; sides that were measured in the same `campaigns` are paired."""
    values = matrix([cell.values or [] for cell in cells])
    return Cells.of_moments(
        [cell.n or 0 for cell in cells],
        np.array([cell.mean for cell in cells], dtype=float),  # None becomes NaN
        np.array([cell.sd for cell in cells], dtype=float),
        values=values,
        blocks=blocks_of(cells, values.shape[1], campaigns),
        barred=[_barred(cell) for cell in cells],
        runs=[len(cell.runs) for cell in cells],
        cache=[CacheVerdict(cell.cache.verdict) for cell in cells],
        looks=[cell.look for cell in cells],
        kinds=_kinds(cells),
    )


def _kinds(cells: Sequence[Cell]) -> list[int]:
    """A number for each test and metric, in the order in which they come."""
    numbers: dict[tuple[str | None, str], int] = {}
    return [numbers.setdefault((cell.test, cell.metric), len(numbers)) for cell in cells]


def _barred(cell: Cell) -> NoVerdict | None:
    if cell.status == "failed":
        return NoVerdict.FAILED
    if cell.status == "mixed":
        return NoVerdict.MIXED
    if cell.status == "computing":
        return NoVerdict.COMPUTING
    return NoVerdict.CLOCK if cell.clock.verdict == "unusable" else None


def _verdict(row: ComparisonRow, cell: Cell, margin: float) -> CellVerdict:
    several_runs, words = len(cell.runs) > 1, row_in_words(row, cell.metric)
    return CellVerdict(
        kind=row.verdict.value,
        reason=row.reason and row.reason.value,
        ratio=row.ratio,
        low=row.low,
        high=row.high,
        ratio_of_means=row.ratio_of_means,
        p=row.p,
        p_of_claims=row.p_of_claims,
        p_adjusted=row.p_adjusted,
        look=row.look,
        rounds_for_precision=row.rounds_for_precision,
        rounds_to_decide=row.rounds_to_decide,
        method=row.method.value,
        warnings=[(with_sentence_about_runs if several_runs else with_sentence)(warning) for warning in row.warnings],
        change=words.change if words else "",
        why=why(row, words, "run" if several_runs else "round", margin),
    )
