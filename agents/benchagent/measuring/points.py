"""Finds the points that this machine can measure, and their command lines."""

from __future__ import annotations

from typing import Callable

from benchagent.plan.maintenance import MAINTENANCE
from benchagent.plan.model import PREPARATION, Point
from benchagent.system.caches import DROP_CACHES, can_drop_caches
from benchagent.system.programs import replacing
from benchagent.targets.file_systems import mkfs_command
from benchagent.targets.preparable import why_not_prepared
from benchagent.targets.work_directory import WorkDirectory
from benchagent.toml.tables import Parameters, ParameterValue
from benchagent.tools import TOOLS

from .maintenance import commands_of, why_no_maintenance
from .tool_round import Bench, command_of


def why_not_measured(point: Point, work: WorkDirectory, bench: Bench) -> str | None:
    """Why this machine cannot measure the point; None if it can."""
    side = point.target.side
    with replacing(dict(side.programs) if side else {}):
        return why_not_prepared(point.target, work) or _why_no_tool(point) or _why_not_cold(point, bench)


def recorded_command(point: Point, bench: Bench) -> tuple[str, ...]:
    """The command line of a point as recorded, scrubbed."""
    return tuple(bench.scrub(word) for word in _command(point, bench))


def recorded_parameters(point: Point, scrub: Callable[[str], str]) -> Parameters:
    """The parameters of a point as recorded, scrubbed because a person wrote them. Each is a scalar or a list."""

    def scrubbed(value: ParameterValue) -> ParameterValue:
        if isinstance(value, list):
            return [scrub(item) for item in value if isinstance(item, str)] or value
        return scrub(value) if isinstance(value, str) else value

    return {name: scrubbed(value) for name, value in point.workload.parameters.items()}


def _command(point: Point, bench: Bench) -> tuple[str, ...]:
    if point.workload.tool == PREPARATION:
        return mkfs_command(point.target)
    return commands_of(point, bench) if point.workload.tool == MAINTENANCE else command_of(point, bench)


def _why_no_tool(point: Point) -> str | None:
    if point.workload.tool == PREPARATION:
        return None
    if point.workload.tool == MAINTENANCE:
        return why_no_maintenance(point)
    tool = TOOLS[point.workload.tool]
    return tool.missing if tool.find() is None else None


def _why_not_cold(point: Point, bench: Bench) -> str | None:
    if not bench.cold or point.target.is_made or can_drop_caches():
        return None
    return f"only root can drop this machine's caches, by {DROP_CACHES}"
