"""The scale of a surface's colours, common to its maps, its figures in three dimensions and its pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import log, sqrt

from django.http import QueryDict

from benchdb.runs.cells.cell import Cell
from benchdb.wording.axes import is_wide

from .averages import statistic_of
from .content import SurfaceContent
from .figures import say_figure, unit_of
from .selection import COLOURS

ALL, DEVICE = COLOURS
CHOICES = {ALL: "all cells", DEVICE: "device only"}


@dataclass(frozen=True, slots=True)
class ColourScale:
    """From the lowest to the highest figure in base units; `clipped` if cells outside have the colour of the end."""

    low: float
    high: float
    logarithmic: bool
    clipped: bool

    def share(self, figure: float) -> float:
        """The place of a figure on the scale from 0 to 1; a figure outside is at the end."""
        if self.high <= self.low:
            return 0.0
        inside = min(max(figure, self.low), self.high)
        if self.logarithmic:
            return log(inside / self.low) / log(self.high / self.low)
        return (inside - self.low) / (self.high - self.low)


def colours_of(content: SurfaceContent) -> str:
    """The choice in the selection: ALL or DEVICE."""
    return QueryDict(content.query).get("colours", ALL)


def colour_scale(content: SurfaceContent) -> ColourScale | None:
    """The scale of all cells, or of those that measured the device if there are any; None without a figure.

    It is logarithmic if the figures span more than 30 times the smallest.
    """
    every = list(_figures(content))
    if not every:
        return None
    device = [figure for figure, of_device in every if of_device] if colours_of(content) == DEVICE else []
    figures = device or [figure for figure, _ in every]
    low, high = min(figures), max(figures)
    return ColourScale(low, high, is_wide(figures), any(not low <= figure <= high for figure, _ in every))


def _figures(content: SurfaceContent) -> Iterator[tuple[float, bool]]:
    """The chosen statistic of each cell, and whether the cell measured the device."""
    for surface in content.surfaces:
        for cell in (cell for line in surface.cells for cell in line if cell is not None):
            if (figure := figure_of(cell, content)) is not None:
                yield figure, cell.cache.verdict == "device"


def figure_of(cell: Cell, content: SurfaceContent) -> float | None:
    """The chosen statistic in base units; None if the cell has none."""
    return None if cell.mean is None else statistic_of(cell, content.statistic)


def say_ends(scale: ColourScale, content: SurfaceContent) -> list[str]:
    """The texts along the scale: its ends, and the middle of a logarithmic one."""
    middle = [say_figure(sqrt(scale.low * scale.high), content)] if scale.logarithmic else []
    of = " (device only; others have the colour of the end)" if scale.clipped else ""
    return [say_figure(scale.low, content), *middle, f"{say_figure(scale.high, content)} {unit_of(content).name}{of}"]
