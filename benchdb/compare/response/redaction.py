"""Removes the figures of deleted runs from the content of response curves. Pure functions."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from .content import ResponseContent, ResponseCurve, ResponsePoint
from .knees import without_knee


def without_runs(content: ResponseContent, deleted: Collection[str]) -> ResponseContent | None:
    """The curves without the points that have a run in `deleted` (their ids); None if no point is left.

    A curve that loses a point loses its knee.
    """
    curves = [left for curve in content.curves if (left := _without(curve, deleted)).points]
    return replace(content, curves=curves) if curves else None


def _without(curve: ResponseCurve, deleted: Collection[str]) -> ResponseCurve:
    left = [point for point in curve.points if not _has_run_of(point, deleted)]
    return curve if len(left) == len(curve.points) else replace(curve, points=left, knee=without_knee())


def _has_run_of(point: ResponsePoint, deleted: Collection[str]) -> bool:
    cells = [cell for cell in (point.throughput, point.latency) if cell is not None]
    return any(run in deleted for cell in cells for run in cell.runs)
