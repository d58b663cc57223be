"""Geometric means of ratios: one number for each value of the factor, from the cells that all values have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from benchdb.runs.cells.cell import Cell
from benchdb.stats import Cells, Comparisons, geometric_mean, optional

from .pivot import AxisKey

FEWEST = 2  # cells; the mean of a single one would be its ratio
KINDS = ("device", "cached", "unknown")


def geometric_means(
    pairs: Sequence[tuple[Cell, Cell]],
    sides: tuple[Cells, Cells],
    compared: Comparisons,
    higher_is_better: Sequence[bool],
    values: Sequence[AxisKey],
    beside: Sequence[AxisKey],
    labels: Mapping[AxisKey, str],
) -> list[dict[str, Any]]:
    """`[{"row", "metric", "device", "cached", "unknown"}]`; the last three are `{ratio, low, high, cells}` or None.

    `pairs` are the cells with their baselines, `sides` the same as columns, `compared` the results of the comparison;
    `values` has the factor's value of each pair, `beside` all other values. A cell counts only if every compared value
    of the factor has a valid ratio for it. Cells that measured memory, the device, and an unknown one are separate.
    """
    members: dict[tuple[AxisKey, str, str], list[int]] = defaultdict(list)
    together: dict[AxisKey, list[int]] = defaultdict(list)
    for index, others in enumerate(beside):
        together[others].append(index)
    whole, valid = len(set(values)), compared.valid
    for indices in together.values():
        if len(indices) == whole and valid[indices].all():
            kind = _kind([cell for index in indices for cell in pairs[index]])
            for index in indices:
                members[values[index], pairs[index][0]["metric"], kind].append(index)
    members = {key: indices for key, indices in members.items() if len(indices) >= FEWEST}
    if not members:
        return []
    groups = np.zeros((len(members), len(pairs)), dtype=bool)
    for group, indices in zip(groups, members.values(), strict=True):
        group[indices] = True
    means = geometric_mean(*sides, groups, higher_is_better=higher_is_better, ratios=compared.ratios)
    figures = zip(*map(optional, (means.ratio, *means.interval)), means.cells.tolist(), strict=True)
    mean_of = {
        key: dict(zip(("ratio", "low", "high", "cells"), row, strict=True))
        for key, row in zip(members, figures, strict=True)
    }
    rows = dict.fromkeys((value, metric) for value, metric, _ in members)
    return [
        {"row": labels[value], "metric": metric, **{kind: mean_of.get((value, metric, kind)) for kind in KINDS}}
        for value, metric in rows
    ]


def _kind(cells: Sequence[Cell]) -> str:
    """`device` if all cells measured the device, `cached` if one measured memory at least in part."""
    verdicts = {cell["cache"]["verdict"] for cell in cells}
    if verdicts & {"cached", "mixed"}:
        return "cached"
    return "device" if verdicts == {"device"} else "unknown"
