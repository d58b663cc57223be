"""Geometric means of ratios: one number for each value of the factor, from the cells that all values have.

Where a value failed, the cells of the others still count: its failures are no reason to say less of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from benchagent.formats.vocabulary import METRICS, test_label
from benchdb.compare.verdicts.pairs import Sides
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.verdict import CellWarning
from benchdb.runs.cells.warnings import with_sentence
from benchdb.stats import (
    NONE,
    Comparisons,
    StatisticsWarning,
    WarningCode,
    geometric_mean,
    judge_means,
    optional,
    part_it_rests_on,
    random_effects,
    rounds_for_means,
)
from benchdb.stats.arrays import BoolArray, IntArray

from .content import AcrossMachines, MeanRatio, MeanRatios
from .grid import Grid

FEWEST = 2  # cells; the mean of a single one would be its ratio
FEWEST_MACHINES = 3
LARGEST_LOG = 700.0  # of a ratio that is a number
KINDS = ("device", "cached", "unknown")


class RatioPairs(NamedTuple):
    """P pairs of a cell and its baseline in a table: the indices of both, (P,), their columns, and the comparisons."""

    table: Grid
    cell: IntArray
    against: IntArray
    sides: Sides
    compared: Comparisons


class _Mean(NamedTuple):
    """The key of a geometric mean, by numbers of the grid; `machine` is None for means over all machines."""

    value: int
    metric: str
    kind: str
    machine: int | None


def geometric_means(pairs: RatioPairs) -> list[MeanRatios]:
    """The means by value of the factor and metric, all judged together.

    A cell counts only if every compared value of the factor has a valid ratio for it or failed, and not if some
    measured memory and others the device. Cells that measured memory, the device, and an unknown one are separate.
    """
    members = {key: indices for key, indices in _members(pairs, across=False).items() if len(indices) >= FEWEST}
    if not members:
        return []
    table, sides, compared = pairs.table, pairs.sides, pairs.compared
    groups = _groups(members, len(pairs.cell))
    means = geometric_mean(*sides, groups, ratios=compared.ratios)
    numbers: dict[str | None, int] = {}
    parts = [numbers.setdefault(table.cells[cell].test, len(numbers)) for cell in pairs.cell.tolist()]
    looks = np.where(groups, np.maximum(*(side.looks for side in sides)), 0).max(axis=1)
    upward = np.array([METRICS[mean.metric].higher_is_better for mean in members], dtype=bool)
    judged = judge_means(means.ratios, looks, higher_is_better=upward, margin=compared.margin)
    rests_on = part_it_rests_on(*sides, groups, parts, ratios=compared.ratios, means=means.ratios, level=judged.level)
    tests = [*numbers]
    warnings = [[] if part == NONE else [_rests_on(tests[part])] for part in rests_on.tolist()]
    figures = map(optional, (means.ratio, *judged.interval))
    kinds = [verdict.value for verdict in judged.verdict]
    further = [
        [number if number > 0 else None for number in numbers.tolist()]
        for numbers in rounds_for_means(means, judged, compared.margin)
    ]
    rows = zip(*figures, means.cells.tolist(), means.pairs.tolist(), warnings, kinds, *further, strict=True)
    mean_of = {key: MeanRatio(*row) for key, row in zip(members, rows, strict=True)}
    return [
        MeanRatios(table.values[value], metric, *(mean_of.get(_Mean(value, metric, kind, None)) for kind in KINDS))
        for value, metric in dict.fromkeys((mean.value, mean.metric) for mean in members)
    ]


def across_machines(pairs: RatioPairs) -> list[AcrossMachines]:
    """The means over three or more machines by value of the factor, metric and what was measured.

    A cell counts only if every machine has a valid ratio for it, for every compared value of the factor that the
    machine has. A value that some machine lacks has no mean.
    """
    machines = _machines(pairs)
    number = 0 if machines is None else len({*machines.tolist()})
    if number < FEWEST_MACHINES:
        return []
    members = _members(pairs, across=True)
    means = geometric_mean(*pairs.sides, _groups(members, len(pairs.cell)), ratios=pairs.compared.ratios)
    of_mean: dict[_Mean, list[int]] = defaultdict(list)
    for place, mean in enumerate(members):
        of_mean[mean._replace(machine=None)].append(place)
    places = {mean: found for mean, found in of_mean.items() if len(found) == number}
    by_machine = np.array(list(places.values()), dtype=np.int64).reshape(len(places), number)
    found = random_effects(means.ratios.log[by_machine], means.ratios.error[by_machine])
    low, high = means.interval
    side = (low > 1).astype(int) - (high < 1)
    holds_on = (side[by_machine] == np.sign(found.mean)[:, np.newaxis]).sum(axis=1)
    figures = np.array([found.mean, *found.interval, *found.prediction])
    known = (found.effects == number) & (np.abs(figures) < LARGEST_LOG).all(axis=0)
    columns = (means.cells[by_machine[:, 0]], holds_on, *np.exp(np.where(known, figures, np.nan)), found.between_sd)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [
        AcrossMachines(pairs.table.values[mean.value], mean.metric, mean.kind, number, *row)
        for mean, row, flag in zip(places, rows, known.tolist(), strict=True)
        if flag
    ]


def _machines(pairs: RatioPairs) -> IntArray | None:
    """The number of the machine of each pair, (P,); None if machines are compared, or on no axis."""
    table = pairs.table
    if "machine" not in table.codes or "machine" in table.content.factor.names:
        return None
    machines: IntArray = table.codes["machine"][pairs.cell]
    return machines


def _rests_on(test: str | None) -> CellWarning:
    label = test_label(test or "")
    return with_sentence(StatisticsWarning(WarningCode.RESTS_ON_ONE_TEST, {"test": label[:1].lower() + label[1:]}))


def _groups(members: Mapping[_Mean, Sequence[int]], length: int) -> BoolArray:
    groups = np.zeros((len(members), length), dtype=bool)
    for group, indices in zip(groups, members.values(), strict=True):
        group[indices] = True
    return groups


def _members(pairs: RatioPairs, *, across: bool) -> dict[_Mean, list[int]]:
    """The indices of the pairs of each mean; `across`: one for each machine, over the cells that all machines have."""
    table, valid, machines = pairs.table, pairs.compared.valid, _machines(pairs)
    value = table.value[pairs.cell].tolist()
    place = table.alike([*table.content.factor.names, *(["machine"] if across else [])])[pairs.cell].tolist()
    machine = [None] * len(value) if machines is None or not across else machines.tolist()
    both = [*zip(pairs.cell.tolist(), pairs.against.tolist(), strict=True)]
    together: dict[int, list[int]] = defaultdict(list)
    for index, of_place in enumerate(place):
        together[of_place].append(index)
    whole = len({*zip(value, machine, strict=True)})
    members: dict[_Mean, list[int]] = defaultdict(list)
    for all_values in together.values():
        indices = [index for index in all_values if table.cells[both[index][0]].status != "failed"]
        if len(all_values) == whole and indices and valid[indices].all():
            kind = kind_of_cells([table.cells[cell] for index in indices for cell in both[index]])
            for index in indices if kind else ():
                metric = table.cells[both[index][0]].metric
                members[_Mean(value[index], metric, kind, machine[index])].append(index)
    return members


def kind_of_cells(cells: Sequence[Cell]) -> str:
    """`device` if all cells measured the device, `cached` if one measured memory at least in part.

    Empty if some measured memory and others the device: these cannot be compared.
    """
    verdicts = {cell.cache.verdict for cell in cells}
    if {"device", "cached"} <= verdicts:
        return ""
    if verdicts & {"cached", "mixed"}:
        return "cached"
    return "device" if verdicts == {"device"} else "unknown"
