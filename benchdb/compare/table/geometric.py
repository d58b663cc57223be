"""Geometric means of ratios: one number for each value of the factor, from the cells that all values have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from benchdb.runs.cells.cell import Cell
from benchdb.stats import Cells, Comparisons, geometric_mean, optional

from .content import MeanRatio, MeanRatios
from .pivot import AxisKey, CellKey

FEWEST = 2  # cells; the mean of a single one would be its ratio


class RatioPair(NamedTuple):
    """A cell and its baseline; `value` is the factor's value of the cell, `beside` all of its other values."""

    cell: CellKey
    against: CellKey
    value: AxisKey
    beside: AxisKey


def geometric_means(
    pairs: Sequence[RatioPair],
    cells: Mapping[CellKey, Cell],
    sides: tuple[Cells, Cells],
    compared: Comparisons,
    labels: Mapping[AxisKey, str],
) -> list[MeanRatios]:
    """The means by value of the factor and metric; `labels` name the values.

    `sides` are the pairs as columns, `compared` the results of the comparison. A cell counts only if every compared
    value of the factor has a valid ratio for it, and not if some measured memory and others the device. Cells that
    measured memory, the device, and an unknown one are separate.
    """
    members = _members(pairs, cells, compared)
    if not members:
        return []
    groups = np.zeros((len(members), len(pairs)), dtype=bool)
    for group, indices in zip(groups, members.values(), strict=True):
        group[indices] = True
    means = geometric_mean(*sides, groups, ratios=compared.ratios)
    figures = zip(*map(optional, (means.ratio, *means.interval)), means.cells.tolist(), strict=True)
    mean_of = {key: MeanRatio(*row) for key, row in zip(members, figures, strict=True)}
    return [
        MeanRatios(
            labels[value],
            metric,
            mean_of.get((value, metric, "device")),
            mean_of.get((value, metric, "cached")),
            mean_of.get((value, metric, "unknown")),
        )
        for value, metric in dict.fromkeys((value, metric) for value, metric, _ in members)
    ]


def _members(
    pairs: Sequence[RatioPair], cells: Mapping[CellKey, Cell], compared: Comparisons
) -> dict[tuple[AxisKey, str, str], list[int]]:
    """The indices of the pairs of each mean, by value of the factor, metric and what was measured."""
    members: dict[tuple[AxisKey, str, str], list[int]] = defaultdict(list)
    together: dict[AxisKey, list[int]] = defaultdict(list)
    for index, pair in enumerate(pairs):
        together[pair.beside].append(index)
    whole, valid = len({pair.value for pair in pairs}), compared.valid
    for indices in together.values():
        if len(indices) == whole and valid[indices].all():
            kind = _kind([cells[key] for index in indices for key in (pairs[index].cell, pairs[index].against)])
            for index in indices if kind else ():
                members[pairs[index].value, cells[pairs[index].cell].metric, kind].append(index)
    return {key: indices for key, indices in members.items() if len(indices) >= FEWEST}


def _kind(cells: Sequence[Cell]) -> str:
    """`device` if all cells measured the device, `cached` if one measured memory at least in part.

    Empty if some measured memory and others the device: these cannot be compared.
    """
    verdicts = {cell.cache.verdict for cell in cells}
    if {"device", "cached"} <= verdicts:
        return ""
    if verdicts & {"cached", "mixed"}:
        return "cached"
    return "device" if verdicts == {"device"} else "unknown"
