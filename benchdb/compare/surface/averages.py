"""What stands under a surface: averages, the highest and the lowest cell, apart for cells that measured a cache."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchdb.compare.verdicts.pairs import stack
from benchdb.runs.cells.cell import Cell
from benchdb.stats import geometric_mean, optional

SurfaceCells = Sequence[Sequence[Cell | None]]  # [file size][record size]
GridIndex = tuple[int, int]

# A place of two runs is as much cached as the more cached of them.
CACHED_FIRST = ("cached", "mixed", "unknown", "device")
GROUPS = ("device", "mixed", "cached", "unknown")
ALL = "all"


def statistic_of(cell: Cell, statistic: str) -> float | None:
    """Mean or sd in base units, or their ratio (cv); None where the cell has none."""
    if statistic != "cv":
        found: float | None = cell[statistic]
        return found
    mean, sd = cell["mean"], cell["sd"]
    return None if sd is None or not mean else sd / abs(mean)


def grouped(surfaces: Sequence[SurfaceCells]) -> dict[str, list[GridIndex]]:
    """The places that count in every surface, by cache verdict: those of GROUPS that exist, and ALL of several groups.

    A place counts where each surface has a figure that its tool's clock could measure.
    """
    found: dict[str, list[GridIndex]] = {group: [] for group in GROUPS}
    for i, line in enumerate(surfaces[0]):
        for j in range(len(line)):
            here = [cells[i][j] for cells in surfaces]
            if all(_counts(cell) for cell in here):
                verdicts = [cell["cache"]["verdict"] for cell in here if cell is not None]
                found[min(verdicts, key=CACHED_FIRST.index)].append((i, j))
    there = {group: places for group, places in found.items() if places}
    if len(there) > 1:
        there[ALL] = sorted(place for places in there.values() for place in places)
    return there


def _counts(cell: Cell | None) -> bool:
    return cell is not None and cell.get("mean") is not None and not _too_coarse(cell)


def _too_coarse(cell: Cell) -> bool:
    return bool((cell.get("clock") or {}).get("verdict") == "unusable")


def averages(cells: SurfaceCells, groups: dict[str, list[GridIndex]], statistic: str) -> list[dict[str, Any]]:
    """`[{of, cells, average, highest, lowest, warnings}]`, one a group; figures in base units, `cv` a ratio.

    `highest` and `lowest` are `{value, place: [file, record]}` with indices into the axes. A group without any figure
    (sd of single values) is left out.
    """
    found = []
    for group, places in groups.items():
        here = [(cell, place) for place in places if (cell := cells[place[0]][place[1]]) is not None]
        values = [(value, place) for cell, place in here if (value := statistic_of(cell, statistic)) is not None]
        if values:
            found.append(
                {
                    "of": group,
                    "cells": len(values),
                    "average": sum(value for value, _ in values) / len(values),
                    "highest": _end(max(values)),
                    "lowest": _end(min(values)),
                    "warnings": _warnings(group, groups),
                }
            )
    return found


def _end(found: tuple[float, GridIndex]) -> dict[str, Any]:
    return {"value": found[0], "place": list(found[1])}


def _warnings(group: str, groups: dict[str, list[GridIndex]]) -> list[dict[str, Any]]:
    """An average over cached cells is an average of memory; mixed with others it is one of the choice of sizes."""
    if group == "cached":
        text = "These cells measured memory, not the device: their average says nothing about the disks."
        return [{"code": "average_of_cache", "numbers": {}, "text": text}]
    if group != ALL or not (cached := len(groups.get("cached", []))):
        return []
    every = len(groups[ALL])
    text = (
        f"{cached} of {every} cells measured memory, not the device: this average says more about which sizes were"
        " chosen than about the file system."
    )
    return [{"code": "average_over_cache", "numbers": {"cached": cached, "cells": every}, "text": text}]


def ratio_averages(
    surfaces: Sequence[SurfaceCells], groups: dict[str, list[GridIndex]], *, higher_is_better: bool
) -> list[dict[str, Any]]:
    """Geometric means of the second surface's ratios to the first, `[{of, cells, ratio, low, high}]`, one a group."""
    if len(surfaces) == 1 or not groups:
        return []
    places = sorted({place for own in groups.values() for place in own})
    baseline, compared = ([cell for i, j in places if (cell := cells[i][j]) is not None] for cells in surfaces)
    members = [[place in own for place in places] for own in map(set, groups.values())]
    means = geometric_mean(stack(compared), stack(baseline), members, higher_is_better=higher_is_better)
    columns = (optional(column) for column in (means.ratio, means.interval.low, means.interval.high))
    rows = zip(groups.items(), *columns, strict=True)
    return [
        {"of": of, "cells": len(own), "ratio": ratio, "low": low, "high": high} for (of, own), ratio, low, high in rows
    ]


def left_out(surfaces: Sequence[SurfaceCells]) -> str | None:
    """Why some cells are in no average, as a sentence; None where all that were measured are."""
    whys: dict[str, int] = {}
    for i, line in enumerate(surfaces[0]):
        for j in range(len(line)):
            why = _why([cells[i][j] for cells in surfaces])
            if why:
                whys[why] = whys.get(why, 0) + 1
    said = ", ".join(f"{number} {why}" for why, number in whys.items())
    return f"Left out of averages, highest and lowest: {said}." if said else None


WHYS = {
    "failed": "failed",
    "unmeasurable": "too fast to measure",
    "computing": "not computed yet",
}


def _why(here: Sequence[Cell | None]) -> str:
    there = [cell for cell in here if cell is not None]
    if not there or (len(there) == len(here) and all(map(_counts, there))):
        return ""
    if any(map(_too_coarse, there)):
        return "under 10 ticks of the tool's clock"
    for status, why in WHYS.items():
        if any(cell["status"] == status for cell in there):
            return why
    return "measured in one run only"
