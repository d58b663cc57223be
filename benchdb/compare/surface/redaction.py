"""Removes the figures of deleted runs from the content of a surface. Pure functions."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from .content import RunSurface, SurfaceContent


def without_runs(content: SurfaceContent, deleted: Collection[str]) -> SurfaceContent | None:
    """The surface of the run that is left, without the ratio; None if all runs are in `deleted` (their ids)."""
    surfaces = content.surfaces
    left = [i for i, surface in enumerate(surfaces) if surface.run not in deleted]
    if not left:
        return None
    return replace(
        content,
        surfaces=[_without_verdicts(surfaces[i]) for i in left],
        marks=[replace(mark, of=[0]) for mark in content.marks if left[0] in mark.of],
        ratio=None,
        ratio_averages=[],
        left_out=None,
    )


def _without_verdicts(surface: RunSurface) -> RunSurface:
    return replace(surface, cells=[[cell and replace(cell, verdict=None) for cell in line] for line in surface.cells])
