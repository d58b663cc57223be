"""The labels that tell the sides of a gate apart in comparisons."""

from __future__ import annotations

from benchagent.plan.model import Point

SIDE, PLACE = "side", "place"


def labels_of_gate(point: Point) -> dict[str, str]:
    """The side, and the target and workload without it, which both sides share. None for a point of another plan."""
    side = point.target.side
    if side is None:
        return {}
    return {SIDE: side.name, PLACE: f"{point.target.name_of_both_sides}/{point.workload.name}"}
