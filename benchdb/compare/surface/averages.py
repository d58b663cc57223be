"""Averages, highest and lowest cells of a surface, separately for cells that measured the device and a cache."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchdb.compare.verdicts.pairs import stack
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.verdict import CellWarning
from benchdb.stats import geometric_mean, optional


@dataclass(frozen=True, slots=True)
class Extreme:
    """The highest or lowest figure of a group; `place` has the indices of its file size and its record size."""

    value: float
    place: list[int]


@dataclass(frozen=True, slots=True)
class Average:
    """The average of a group of so many cells and its extremes; figures in base units, `cv` as a ratio."""

    of: str
    cells: int
    average: float
    highest: Extreme
    lowest: Extreme
    warnings: list[CellWarning]


@dataclass(frozen=True, slots=True)
class RatioAverage:
    """The geometric mean of the ratios of a group of so many cells, with its 95 % interval."""

    of: str
    cells: int
    ratio: float | None
    low: float | None
    high: float | None


SurfaceCells = Sequence[Sequence[Cell | None]]  # [file size][record size]
GridIndex = tuple[int, int]

# Of several runs, the most cached one decides the group of a cell.
CACHED_FIRST = ("cached", "mixed", "unknown", "device")
GROUPS = ("device", "mixed", "cached", "unknown")
ALL = "all"


def statistic_of(cell: Cell, statistic: str) -> float | None:
    """Mean or sd in base units, or their ratio (cv); None if the cell has none."""
    if statistic != "cv":
        return cell.sd if statistic == "sd" else cell.mean
    return None if cell.sd is None or not cell.mean else cell.sd / abs(cell.mean)


def grouped(surfaces: Sequence[SurfaceCells]) -> dict[str, list[GridIndex]]:
    """The indices of cells that count in averages, by cache verdict; groups without a cell are left out.

    If there are several groups, ALL has the cells of all of them. A cell counts if each surface has a figure for it
    that the clock of its tool could measure, unless one of them measured memory and another one the device.
    """
    by_verdict: dict[str, list[GridIndex]] = {group: [] for group in GROUPS}
    for i, line in enumerate(surfaces[0]):
        for j in range(len(line)):
            cells_at = [cells[i][j] for cells in surfaces]
            if all(_counts(cell) for cell in cells_at) and not _unlike(cells_at):
                verdicts = [cell.cache.verdict for cell in cells_at if cell is not None]
                by_verdict[min(verdicts, key=CACHED_FIRST.index)].append((i, j))
    nonempty = {group: indices for group, indices in by_verdict.items() if indices}
    if len(nonempty) > 1:
        nonempty[ALL] = sorted(index for indices in nonempty.values() for index in indices)
    return nonempty


def _counts(cell: Cell | None) -> bool:
    return cell is not None and cell.mean is not None and not _too_coarse(cell)


def _unlike(cells_at: Sequence[Cell | None]) -> bool:
    """Whether one of these cells measured memory and another one the device."""
    return {"cached", "device"} <= {cell.cache.verdict for cell in cells_at if cell is not None}


def _too_coarse(cell: Cell) -> bool:
    return cell.clock.verdict == "unusable"


def averages(cells: SurfaceCells, groups: dict[str, list[GridIndex]], statistic: str) -> list[Average]:
    """The average of each group. A group without any figure (the sd of single values) is left out."""
    rows = []
    for group, indices in groups.items():
        measured = [(cell, index) for index in indices if (cell := cells[index[0]][index[1]]) is not None]
        values = [(value, index) for cell, index in measured if (value := statistic_of(cell, statistic)) is not None]
        if values:
            rows.append(
                Average(
                    of=group,
                    cells=len(values),
                    average=sum(value for value, _ in values) / len(values),
                    highest=_end(max(values)),
                    lowest=_end(min(values)),
                    warnings=_warnings(group, groups),
                )
            )
    return rows


def _end(extreme: tuple[float, GridIndex]) -> Extreme:
    return Extreme(extreme[0], list(extreme[1]))


def _warnings(group: str, groups: dict[str, list[GridIndex]]) -> list[CellWarning]:
    """Warnings about averages of cached cells, which measured memory, and of mixtures, which depend on the sizes."""
    if group == "cached":
        text = "These cells measured memory, not the device: their average says nothing about the disks."
        return [CellWarning("average_of_cache", {}, text)]
    if group != ALL or not (cached := len(groups.get("cached", []))):
        return []
    all_cells = len(groups[ALL])
    text = (
        f"{cached} of {all_cells} cells measured memory, not the device: this average says more about which sizes were"
        " chosen than about the file system."
    )
    return [CellWarning("average_over_cache", {"cached": cached, "cells": all_cells}, text)]


def ratio_averages(surfaces: Sequence[SurfaceCells], groups: dict[str, list[GridIndex]]) -> list[RatioAverage]:
    """Geometric means of the second of two surfaces' ratios to the first, one a group; none for another number."""
    if len(surfaces) != 2 or not groups:
        return []
    indices = sorted({index for group in groups.values() for index in group})
    baseline, compared = ([cell for i, j in indices if (cell := cells[i][j]) is not None] for cells in surfaces)
    members = [[index in group for index in indices] for group in map(set, groups.values())]
    means = geometric_mean(stack(compared), stack(baseline), members)
    columns = (optional(column) for column in (means.ratio, means.interval.low, means.interval.high))
    rows = zip(groups.items(), *columns, strict=True)
    return [RatioAverage(of, len(group), ratio, low, high) for (of, group), ratio, low, high in rows]


def left_out(surfaces: Sequence[SurfaceCells]) -> str | None:
    """A sentence on why some cells are in no average; None if all measured cells are in one."""
    reasons: dict[str, int] = {}
    for i, line in enumerate(surfaces[0]):
        for j in range(len(line)):
            reason = _reason_left_out([cells[i][j] for cells in surfaces])
            if reason:
                reasons[reason] = reasons.get(reason, 0) + 1
    counts = ", ".join(f"{number} {reason}" for reason, number in reasons.items())
    return f"Left out of averages, highest and lowest: {counts}." if counts else None


REASONS = {
    "failed": "failed",
    "unmeasurable": "too fast to measure",
    "computing": "not computed yet",
}


def _reason_left_out(cells_at: Sequence[Cell | None]) -> str:
    measured = [cell for cell in cells_at if cell is not None]
    if not measured:
        return ""
    if len(measured) == len(cells_at) and all(map(_counts, measured)):
        return "from memory in one run and from the device in another" if _unlike(measured) else ""
    if any(map(_too_coarse, measured)):
        return "under 10 ticks of the tool's clock"
    for status, reason in REASONS.items():
        if any(cell.status == status for cell in measured):
            return reason
    return "not measured in all runs"
