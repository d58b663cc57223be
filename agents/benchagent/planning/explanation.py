"""Describes a plan and its cost for `benchagent plan check`, as plain data for JSON."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from benchagent.plan.model import PREPARATION, TUNABLES, Plan, Point, Target, Workload
from benchagent.plan.workloads import bytes_written, own_seconds
from benchagent.targets.file_systems import mkfs_command, tune_command
from benchagent.tools import TOOLS, CommandContext

from .detection import detection
from .explained import (
    ExplainedDetection,
    ExplainedPlan,
    ExplainedPoint,
    ExplainedTarget,
    ExplainedTotals,
    ExplainedWorkload,
    Explanation,
)
from .history import PastRuns, key_of

SCHEMA = "benchagent.plan/1"
DEVICE, POINT = "DEVICE", "DIRECTORY"  # placeholders for names that differ between machines
MOST_ROUNDS = 10_000  # counted; an estimate for a longer plan is useless
# The running time in seconds in profiles of FFSB and Filebench; fsload parses them properly.
_OWN_TIME = re.compile(r"^\s*(?:time\s*=\s*|(?:ps)?run\s+(?:-?[0-9]+\s+)?)([0-9]+)\s*$", re.MULTILINE)
# The basis of an expected time.
EARLIER, OWN, TIMEOUT, NOTHING = "earlier runs", "its own time", "its timeout", "nothing"


@dataclass(frozen=True)
class MachineFacts:
    """Facts of the machine: reasons to skip points, its earlier runs, memory in bytes; all may be empty."""

    skipped: Mapping[str, str]
    history: PastRuns = field(default_factory=PastRuns)
    memory: int | None = None


def explain(plan: Plan, machine: MachineFacts) -> Explanation:
    """The description of the plan without the devices, which `commands/plan.py` adds."""
    points = [_point(point, plan, machine) for point in plan.points()]
    by_id = {point["id"]: point for point in points}
    totals = _totals(plan, by_id)
    return {
        "schema": SCHEMA,
        "plan": _protocol(plan),
        "targets": [_target(target) for target in plan.targets],
        "workloads": [_workload(workload, plan) for workload in plan.workloads],
        "points": points,
        "totals": totals,
        "detection": _detection(plan, totals, by_id, machine.history),
    }


def _protocol(plan: Plan) -> ExplainedPlan:
    return {
        "name": plan.name,
        "rounds": plan.rounds,
        "warm_ups": plan.warm_ups,
        "min_rounds": plan.min_rounds,
        "time_budget": plan.time_budget,
        "precision": plan.precision,
        "order": plan.order,
        "seed": plan.seed,
        "cache": plan.cache,
        "memory": plan.memory,
        "labels": dict(plan.labels),
    }


def _target(target: Target) -> ExplainedTarget:
    return {
        "name": target.name,
        "kind": target.kind,
        "path": target.path,
        "size": target.size or None,
        "file_system": target.file_system or None,
        "commands": _commands(target),
        "tunables": {key: getattr(target, key) for key in TUNABLES if getattr(target, key) is not None},
        "age": target.age,
        "wipe": target.wipe,
        "notes": list(target.notes),
        "refused": target.refused,
    }


def _commands(target: Target) -> list[list[str]]:
    """The commands that make and mount the target; none if the agent does not make it."""
    if not target.is_made or target.refused is not None:
        return []
    options = ["-o", ",".join(target.mount_options)] if target.mount_options else []
    tune = [[*tune_command(target), DEVICE]] if target.tune2fs else []
    mount = ["mount", "-t", target.file_system, *options, DEVICE, POINT]
    return [[*mkfs_command(target), DEVICE], *tune, mount]


def _workload(workload: Workload, plan: Plan) -> ExplainedWorkload:
    tool, given = TOOLS.get(workload.tool), workload.parameters
    return {
        "name": workload.name,
        "tool": workload.tool,
        "commands": _command_lines(workload, plan),
        "parameters": dict(workload.parameters),
        "files": [file.name for file in workload.files],
        "work": [
            line for file in workload.files if tool and file.text for line in tool.described_text(given, file.text)
        ],
        "timeout": workload.timeout,
    }


def _command_lines(workload: Workload, plan: Plan) -> list[list[str]]:
    """The commands of one round; none for a workload without a tool."""
    tool = TOOLS.get(workload.tool)
    if tool is None:
        return []
    return tool.commands(workload.parameters, CommandContext(seed=plan.seed, root=True), cold=plan.cache == "cold")


def _point(point: Point, plan: Plan, machine: MachineFacts) -> ExplainedPoint:
    seconds, rests_on = _time(point, machine)
    return {
        "id": point.id,
        "skipped": machine.skipped.get(point.id, point.target.refused),
        "seconds": seconds,
        "rests_on": rests_on,
        "bytes_written": bytes_written(point.workload, plan.memory or machine.memory),
    }


def _time(point: Point, machine: MachineFacts) -> tuple[float | None, str]:
    """The seconds of the point in one round, and the basis of this number."""
    if key_of(point) in machine.history.seconds:
        return machine.history.seconds[key_of(point)], EARLIER
    if point.workload.tool == PREPARATION:
        return None, NOTHING
    own_time = _own_time(point.workload)
    return (own_time, OWN) if own_time is not None else (point.workload.timeout, TIMEOUT)


def _own_time(workload: Workload) -> float | None:
    seconds = own_seconds(workload.tool, workload.parameters)
    if seconds is not None:
        return seconds
    if "operations" in workload.parameters:
        return None
    times = [_OWN_TIME.findall(file.text or "") for file in workload.files]
    return float(times[0][-1]) if times and times[0] else None


def _totals(plan: Plan, points: Mapping[str, ExplainedPoint]) -> ExplainedTotals:
    measured = {id_: point for id_, point in points.items() if point["skipped"] is None}
    rounds, seconds = _expected(plan, measured)
    written = [point["bytes_written"] for point in measured.values()]
    return {
        "points": len(points),
        "skipped": len(points) - len(measured),
        "rounds": rounds,
        "bytes_written": sum(size or 0 for size in written) * (rounds or 0),
        "points_of_unknown_bytes": sum(size is None for size in written),
        "seconds": seconds,
        "rests_on": dict(Counter(point["rests_on"] for point in measured.values())),
    }


def _detection(
    plan: Plan, totals: ExplainedTotals, points: Mapping[str, ExplainedPoint], history: PastRuns
) -> ExplainedDetection:
    """What the plan can find, by the spread of its earlier runs, or of all runs on this machine if it has none."""
    measured = [
        point for point in plan.points() if point.workload.tool != PREPARATION and points[point.id]["skipped"] is None
    ]
    own = [history.spreads[key_of(point)] for point in measured if key_of(point) in history.spreads]
    known = own or list(history.spreads.values())
    rounds = None if totals["rounds"] is None else max(totals["rounds"] - plan.warm_ups, 0)
    results = sum(map(len, own)) / len(own) if own else None
    return detection(plan, rounds, [cv for spreads in known for cv in spreads], results, len(measured))


def _expected(plan: Plan, measured: Mapping[str, ExplainedPoint]) -> tuple[int | None, float]:
    """Rounds and seconds of all blocks, warm-ups included. Each block ends separately; the most rounds are returned."""
    most, seconds = 0, 0.0
    for block in plan.blocks():
        ids = [point.id for target in block for point in plan.points_of(target) if point.id in measured]
        round_seconds = sum(measured[id_]["seconds"] or 0.0 for id_ in ids)
        rounds, elapsed = -plan.warm_ups, 0.0
        while ids and rounds < MOST_ROUNDS and not plan.is_over(rounds, elapsed):
            rounds, elapsed = rounds + 1, elapsed + round_seconds
        most, seconds = max(most, rounds + plan.warm_ups if ids else 0), seconds + elapsed
    return (most if most < MOST_ROUNDS else None), seconds
