"""The effects of a card's rows: the ratio of each compared value over the cells of a test, with its interval."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from math import exp, fsum, log

import numpy as np

from benchdb.compare.table.content import TableContent
from benchdb.compare.verdicts.blocks import Campaigns, MeasuredIn
from benchdb.compare.verdicts.pairs import stack
from benchdb.stats import geometric_mean, optional
from benchdb.wording.numbers import say_change, say_changes

from .facts import Effect
from .pairs import ComparedCell

TOGETHER = 400  # cells whose means are computed together

Members = Mapping[str, Sequence[ComparedCell]]  # the cells of a test, by value of the factor


def common_cells(cells: Iterable[ComparedCell]) -> dict[str, list[ComparedCell]]:
    """The cells of a test that count, by value of the factor: those at places where every value has one that counts.

    A value without any cell that counts excludes nothing. Cells with an unknown cache state
    count only if no cell is known to have measured the device.
    """
    counting = [cell for cell in cells if cell.counts]
    kinds = {cell.measured for cell in counting}
    kind = next((kind for kind in ("device", "unknown", "cached") if kind in kinds), "")
    counting = [cell for cell in counting if cell.measured == kind]
    values = {cell.value for cell in counting}
    at: dict[int, set[str]] = defaultdict(set)
    for cell in counting:
        at[cell.place].add(cell.value)
    found: dict[str, list[ComparedCell]] = defaultdict(list)
    for cell in counting:
        if at[cell.place] == values:
            found[cell.value].append(cell)
    return found


def effects_of(content: TableContent, tests: Sequence[Members]) -> list[dict[str, Effect]]:
    """The effects of each test by value of the factor.

    A test with one cell has the ratio and interval of its verdict. Several cells have their geometric mean, whose
    interval is that of the rounds (`stats.geometric_mean`), paired if the means of the whole table are. Without an
    interval each cell is a dot.
    """
    groups = [cells for test in tests for cells in test.values() if len(cells) > 1]
    paired = _paired_runs(content, groups)
    means = chain.from_iterable(_means(batch, paired) for batch in _batches(groups))
    return [
        {value: _of_one(cells[0]) if len(cells) == 1 else next(means) for value, cells in test.items()}
        for test in tests
    ]


def effect(ratio: float, low: float | None, high: float | None, dots: tuple[float, ...] = ()) -> Effect:
    """An effect with its words: `+8.2 %`, `+8.2 % (+7.1 % to +9.3 %)`."""
    if low is None or high is None:
        return Effect(ratio, None, None, say_change(ratio), dots)
    change, lowest, highest = say_changes(ratio, low, high)
    return Effect(ratio, low, high, f"{change} ({lowest} to {highest})")


def _of_one(compared: ComparedCell) -> Effect:
    verdict = compared.verdict
    assert verdict.ratio is not None  # it counts
    return effect(verdict.ratio, verdict.low, verdict.high)


def _batches(groups: Sequence[Sequence[ComparedCell]]) -> Iterator[list[Sequence[ComparedCell]]]:
    """The groups, so many together that the matrix of groups and cells stays small."""
    batch: list[Sequence[ComparedCell]] = []
    for group in groups:
        batch.append(group)
        if sum(map(len, batch)) >= TOGETHER:
            yield batch
            batch = []
    if batch:
        yield batch


def _means(groups: Sequence[Sequence[ComparedCell]], paired: Campaigns) -> list[Effect]:
    cells = [cell for group in groups for cell in group]
    members = np.zeros((len(groups), len(cells)), dtype=bool)
    ends = np.cumsum([len(group) for group in groups])
    for line, end, group in zip(members, ends.tolist(), groups, strict=True):
        line[end - len(group) : end] = True
    sides = (stack([cell.cell for cell in cells], paired), stack([cell.base for cell in cells], paired))
    means = geometric_mean(*sides, members)
    columns = zip(*map(optional, (means.ratio, *means.interval)), strict=True)
    return [_mean(group, *figures) for group, figures in zip(groups, columns, strict=True)]


def _mean(group: Sequence[ComparedCell], ratio: float | None, low: float | None, high: float | None) -> Effect:
    if ratio is not None and low is not None and high is not None:
        return effect(ratio, low, high)
    dots = tuple(cell.verdict.ratio for cell in group if cell.verdict.ratio is not None)
    return effect(exp(fsum(map(log, dots)) / len(dots)), None, None, dots)


def _paired_runs(content: TableContent, groups: Sequence[Sequence[ComparedCell]]) -> Campaigns:
    """The runs whose rounds are pairs, as far as the content shows that.

    A content has no campaigns. But if the mean of a value over the whole table is over pairs of rounds, and the value
    and its baselines have one run each, the rounds of these two runs were measured in turn.
    """
    means = [(row.row, mean) for row in content.geometric_means for mean in (row.device, row.cached, row.unknown)]
    paired = {row for row, mean in means if mean is not None and mean.pairs}
    runs: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for cell in (cell for group in groups for cell in group if cell.value in paired):
        runs[cell.value].add((*cell.cell.runs, *cell.base.runs))
    return {
        run: MeasuredIn(0, in_turn=True)
        for sides in runs.values()
        if len(sides) == 1 and len(*sides) == 2
        for run in next(iter(sides))
    }
