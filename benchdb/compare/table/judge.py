"""Judges the cells of a table against their baseline and finds the best."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from benchagent.formats.vocabulary import METRICS
from benchdb.compare.query.selection import MARGIN
from benchdb.compare.verdicts.pairs import Stacked, compare_sides, verdicts_of
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.verdict import CellVerdict
from benchdb.stats import best_sets

from .content import AcrossMachines, MeanRatios
from .factor import Factor
from .geometric import RatioPair, across_machines, geometric_means
from .pivot import AxisKey, CellKey

# All pairs of rivals are compared to find the best; with more rivals that is slow, and the marks are hard to read.
MOST_RIVALS = 200


@dataclass(frozen=True)
class Judged:
    """The verdicts of cells by key, the cells that are best of their rivals, the baselines, and the mean ratios.

    `against` is the key of the baseline with which each cell with a verdict was compared.
    """

    verdicts: Mapping[CellKey, CellVerdict] = field(default_factory=dict)
    best: frozenset[CellKey] = frozenset()
    baselines: frozenset[CellKey] = frozenset()
    means: Sequence[MeanRatios] = ()
    across_machines: Sequence[AcrossMachines] = ()
    against: Mapping[CellKey, CellKey] = field(default_factory=dict)


def judge(
    stacked: Stacked[CellKey],
    factor: Factor,
    baseline: AxisKey,
    *,
    margin: float = MARGIN,
    correction: str = "benjamini_hochberg",
) -> Judged:
    """Compare every cell with its rival that has the baseline's value, and find the best of the rivals.

    All verdicts of the table are one family for the correction of p.
    """
    cells = stacked.cells
    contests = {others: [key for key in keys if key in cells] for others, keys in factor.rivals.items()}
    best = frozenset(_best([*contests.values()], stacked))
    machine_at = factor.others.index("machine") if "machine" in factor.others else None
    baselines: list[CellKey] = []
    pairs: list[RatioPair] = []
    for others, keys in contests.items():
        against = next((key for key in keys if factor.of[key] == baseline), None)
        if against is not None:
            baselines.append(against)
            machine = others[machine_at] if machine_at is not None else None
            beside = tuple(value for i, value in enumerate(others) if i != machine_at)
            pairs += [RatioPair(key, against, factor.of[key], machine, beside) for key in keys if key != against]
    if not pairs:
        return Judged(best=best, baselines=frozenset(baselines))
    upward = [_is_higher_better(cells[pair.cell]) for pair in pairs]
    sides = stacked.sides([(pair.cell, pair.against) for pair in pairs])
    compared = compare_sides(sides, upward, margin=margin, correction=correction)
    verdicts = verdicts_of(compared, (cells[pair.cell] for pair in pairs))
    # A mark and a verdict about the same two cells never contradict each other: best has the stricter families.
    kinds = [(pair, verdict.kind) for pair, verdict in zip(pairs, verdicts, strict=True)]
    beaten = {pair.cell for pair, kind in kinds if kind == "worse"}
    beaten |= {pair.against for pair, kind in kinds if kind == "better"}
    return Judged(
        {pair.cell: verdict for pair, verdict in zip(pairs, verdicts, strict=True)},
        best - beaten,
        frozenset(baselines),
        geometric_means(pairs, cells, sides, compared, factor.labels),
        across_machines(pairs, cells, sides, compared, factor.labels),
        {pair.cell: pair.against for pair in pairs},
    )


def _is_higher_better(cell: Cell) -> bool:
    return METRICS[cell.metric].higher_is_better


def _best(contests: Sequence[Sequence[CellKey]], stacked: Stacked[CellKey]) -> Iterator[CellKey]:
    considered = [rivals for rivals in contests if 2 <= len(rivals) <= MOST_RIVALS]
    rows = [stacked.indices(rivals) for rivals in considered]
    upward = [_is_higher_better(stacked.cells[rivals[0]]) for rivals in considered]
    for rivals, best_set in zip(considered, best_sets(stacked.columns, rows, upward), strict=True):
        # If all tested rivals tie, none is marked, because those that could not be tested are not worse.
        if len(best_set.members) + len(best_set.left_out) < len(rivals):
            yield from (rivals[index] for index in best_set.members)
