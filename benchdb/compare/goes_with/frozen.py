"""What goes with the differences of a table that is shared: computed once, because permalinks keep no samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from uuid import UUID

from benchdb.compare.table.content import ChangedQuantity, GoesWith, GoesWithPair, TableContent
from benchdb.compare.table.grid import Grid, grid_of
from benchdb.runs.costs import before_totals
from benchdb.runs.store.round_totals import runs_with_totals, totals_of_runs

from .compared import ComparedQuantity, ComparedRival, ComparedRivals, compare_rivals, is_different
from .files import per_of

MOST_CONTESTS = 8  # of different runs
MOST_QUANTITIES = 12  # of a pair

Runs = tuple[tuple[str, ...], ...]


def what_goes_with(content: TableContent) -> GoesWith | None:
    """The changed quantities of all rivals; None if no pair has samples. Two queries, one without samples.

    Rivals of the same runs share their quantities, because samples are of rounds and not of tests.
    """
    sampled = runs_with_totals(UUID(line.id) for line in content.run_list)
    table = grid_of(content)
    by_runs: dict[Runs, list[list[int]]] = {}
    for rivals in table.all_rivals():
        if len(cells := _comparable(table, rivals, sampled)) > 1:
            by_runs.setdefault(tuple(tuple(table.cells[cell].runs) for cell in cells), []).append(cells)
    if not by_runs:
        return None
    before_totals(sum(line.rounds for line in content.run_list if UUID(line.id) in sampled))
    totals = totals_of_runs(sampled)
    kept = [*by_runs.values()][:MOST_CONTESTS]
    left_out = sum(len(contests[0]) - 1 for contests in by_runs.values())
    pairs: list[GoesWithPair] = []
    for contests in kept:
        if (compared := compare_rivals(table, contests[0], totals)) is not None:
            of_rival = _cells_by_rival(contests)
            pairs += [_pair(table, rival, compared, of_rival[rival.cell]) for rival in compared.rivals]
    return GoesWith(pairs, left_out - len(pairs)) if pairs else None


def _comparable(table: Grid, contest: Sequence[int], sampled: set[UUID]) -> list[int]:
    """The baseline, then each rival that has a verdict and runs of its own; only those with samples of the machine."""
    cells = table.cells
    baseline, *others = contest
    if not cells[baseline].baseline:
        return []
    rivals = [each for each in others if cells[each].verdict is not None and cells[each].runs != cells[baseline].runs]
    return [each for each in (baseline, *rivals) if all(UUID(run) in sampled for run in cells[each].runs)]


def _cells_by_rival(contests: Sequence[Sequence[int]]) -> Mapping[int, Sequence[int]]:
    """The cells of each rival in contests of the same runs, by its cell in the first one."""
    return {cells[0]: cells for cells in zip(*contests, strict=True)}


def _pair(table: Grid, rival: ComparedRival, compared: ComparedRivals, cells: Sequence[int]) -> GoesWithPair:
    runs = [*table.cells[compared.baseline].runs, *table.cells[rival.cell].runs]
    return GoesWithPair(
        rival=rival.label,
        baseline=compared.baseline_label,
        work=compared.work.value,
        cells=len(cells),
        different=sum(is_different(table.cells[cell]) for cell in cells),
        runs=list(dict.fromkeys(runs)),
        tested=len(rival.quantities),
        changed=len(rival.changed),
        quantities=[_quantity(each, compared) for each in rival.changed[:MOST_QUANTITIES]],
    )


def _quantity(each: ComparedQuantity, compared: ComparedRivals) -> ChangedQuantity:
    quantity = each.quantity
    return ChangedQuantity(
        name=quantity.name,
        unit=quantity.unit,
        per=per_of(quantity, compared.work),
        baseline=each.baseline,
        rival=each.rival,
        ratio=each.ratio,
        low=each.low if isfinite(each.low) else None,
        high=each.high if isfinite(each.high) else None,
        p=each.p,
        p_adjusted=each.p_adjusted,
    )
