"""Removes the figures of deleted runs from the content of a surface. Pure functions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from .content import RunSurface, SurfaceContent


def without_runs(content: SurfaceContent, deleted: Collection[str]) -> SurfaceContent | None:
    """The surfaces of the runs that are left, without the ratio; None if all runs are in `deleted` (their ids)."""
    surfaces = content.surfaces
    left = [i for i, surface in enumerate(surfaces) if surface.run not in deleted]
    if not left:
        return None
    return replace(
        content,
        surfaces=[_without_verdicts(surfaces[i]) for i in left],
        marks=[replace(mark, of=of) for mark in content.marks if (of := _moved(mark.of, left))],
        shape=[replace(each, of=of) for each in content.shape if (of := _moved(each.of, left))],
        ratio=None,
        ratio_averages=[],
        left_out=None,
    )


def _moved(of: Sequence[int], left: Sequence[int]) -> list[int]:
    """The indices of these surfaces among those that are left."""
    return [left.index(s) for s in of if s in left]


def _without_verdicts(surface: RunSurface) -> RunSurface:
    return replace(surface, cells=[[cell and replace(cell, verdict=None) for cell in line] for line in surface.cells])
