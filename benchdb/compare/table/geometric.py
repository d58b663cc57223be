"""Geometric means of ratios: one number for each value of the factor, over the cells that all of them have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from benchdb.runs.cells.cell import Cell
from benchdb.stats import Cells, Comparisons, geometric_mean, optional

from .pivot import AxisKey

FEWEST = 2  # cells; of one the mean is its ratio
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
    """`[{"row", "metric", "device", "cached", "unknown"}]`; of the three each `{ratio, low, high, cells}` or None.

    `pairs` are the cells with their baselines, `sides` the same as columns, `compared` what the comparison found;
    `values` is the factor's value of each, `beside` all else. Only where every value of the factor that is compared
    anywhere has a valid ratio does a cell count; those that measured memory are apart from those that measured the
    device, and from those of which neither is known.
    """
    members: dict[tuple[AxisKey, str, str], list[int]] = defaultdict(list)
    together: dict[AxisKey, list[int]] = defaultdict(list)
    for place, others in enumerate(beside):
        together[others].append(place)
    whole, valid = len(set(values)), compared.valid
    for places in together.values():
        if len(places) == whole and valid[places].all():
            kind = _kind([cell for place in places for cell in pairs[place]])
            for place in places:
                members[values[place], pairs[place][0]["metric"], kind].append(place)
    members = {key: places for key, places in members.items() if len(places) >= FEWEST}
    if not members:
        return []
    groups = np.zeros((len(members), len(pairs)), dtype=bool)
    for group, places in zip(groups, members.values(), strict=True):
        group[places] = True
    found = geometric_mean(*sides, groups, higher_is_better=higher_is_better, ratios=compared.ratios)
    figures = zip(*map(optional, (found.ratio, *found.interval)), found.cells.tolist(), strict=True)
    said = {
        key: dict(zip(("ratio", "low", "high", "cells"), row, strict=True))
        for key, row in zip(members, figures, strict=True)
    }
    rows = dict.fromkeys((value, metric) for value, metric, _ in members)
    return [
        {"row": labels[value], "metric": metric, **{kind: said.get((value, metric, kind)) for kind in KINDS}}
        for value, metric in rows
    ]


def _kind(cells: Sequence[Cell]) -> str:
    """`device` where all of them measured it, `cached` where one measured memory at least in part."""
    verdicts = {cell["cache"]["verdict"] for cell in cells}
    if verdicts & {"cached", "mixed"}:
        return "cached"
    return "device" if verdicts == {"device"} else "unknown"
