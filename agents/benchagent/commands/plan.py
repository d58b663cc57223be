"""`benchagent plan check`: explains a plan to a person, before anything is measured."""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchagent import config, inventory
from benchagent.errors import NothingMeasured, PreparationError
from benchagent.measuring.runner import Runner
from benchagent.plan.model import Plan
from benchagent.planning.adaptation import planned
from benchagent.planning.explained import (
    ExplainedDetection,
    ExplainedDevice,
    ExplainedPlan,
    ExplainedTarget,
    ExplainedTotals,
    ExplainedWorkload,
    Explanation,
)
from benchagent.planning.explanation import EARLIER, NOTHING, OWN, TIMEOUT, MachineFacts, explain
from benchagent.planning.history import history
from benchagent.planning.shipped import plan_argument
from benchagent.progress import Silent, counted, json_text, one_line
from benchagent.queue.allowed import devices_of
from benchagent.system.interrupts import raising
from benchagent.targets import devices
from benchagent.targets.work_directory import WorkDirectory
from benchagent.toml.quantities import format_duration, format_rough_size, format_size
from benchagent.toml.tables import Parameters
from benchagent.tools import CommandContext

from . import options


def declare(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = "Look at plans without measuring."
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    check = commands.add_parser(
        "check",
        help="preview a plan: points, cost, and points that this machine skips",
        description="Preview PLAN on this machine: what it creates and runs, skipped points with reasons, bytes "
        "written, duration. As root, small images are mounted to test which options the kernel accepts.",
    )
    check.add_argument("plan", metavar="PLAN", type=plan_argument, help="a TOML file, or the name of a shipped plan")
    check.add_argument("--directory", metavar="DIR", type=Path, help="directory for the plan's directory targets")
    options.add_work(check)
    options.add_spool(check)
    options.add_json(check, "print JSON")


def run(args: argparse.Namespace) -> int:
    """Explain a plan. Raises PlanError if it has faults; the code of NothingMeasured if all points are skipped."""
    source = inventory.Source()
    environment = inventory.environment(source)
    plan = planned(options.read_file(args.plan), args.plan.parent, environment, args.directory)
    skipped, why_unknown = _skipped(plan, args, source)
    usable = (environment.get("memory") or {}).get("usable")
    explanation = explain(plan, MachineFacts(skipped, history(options.open_spool(args)), usable))
    explanation["devices"] = [_device(path, source) for path in devices_of(plan)]
    explanation["machine_not_asked"] = why_unknown
    print(json_text(explanation, indent=2) if args.json else "\n".join(map(one_line, described(explanation))))
    totals = explanation["totals"]
    return NothingMeasured.exit_code if totals["skipped"] == totals["points"] else 0


def _device(path: str, source: inventory.Source) -> ExplainedDevice:
    try:
        device = devices.look_at(path, source)
    except PreparationError as error:
        return {"path": path, "fault": str(error)}
    return {
        "path": device.path,
        "node": device.node,
        "model": device.model,
        "size": device.size,
        "signatures": list(device.signatures),
        "fault": None,
    }


def described(explanation: Explanation) -> Iterator[str]:
    """The explanation as lines for people."""
    yield from _heading(explanation["plan"], explanation["totals"])
    for title, lines in (
        ("Targets", [line for target in explanation["targets"] for line in _target(target)]),
        ("Workloads", [line for workload in explanation["workloads"] for line in _workload(workload)]),
        ("Skipped on this machine", list(_why_skipped(explanation))),
        ("Devices to format; all their data will be lost", list(map(_wiped, explanation["devices"]))),
        ("Cost", list(_cost(explanation))),
        ("Detectable differences", list(_detection(explanation["detection"], explanation["totals"]))),
    ):
        if lines:
            yield ""
            yield title
            yield from (f"  {line}" for line in lines)


def _heading(plan: ExplainedPlan, totals: ExplainedTotals) -> Iterator[str]:
    yield f"{plan['name']}: {counted(totals['points'], 'point')}, {_bounds(plan)}"
    protocol = f"{plan['order']} order, seed {plan['seed']}, {plan['cache']} cache"
    yield protocol + (f", memory limited to {format_size(plan['memory'])}" if plan["memory"] else "")


def _bounds(plan: ExplainedPlan) -> str:
    bounds = []
    if plan["precision"] is not None:
        bounds.append(f"until every mean has a precision of {plan['precision']:.3g}")
    if plan["time_budget"] is not None:
        bounds.append(f"until {format_duration(plan['time_budget'])} are used up")
    if plan["rounds"] is not None:
        bounds.append(f"at most {counted(plan['rounds'], 'round')}" if bounds else counted(plan["rounds"], "round"))
    if len(bounds) > 1 or plan["rounds"] is None:
        bounds.append(f"at least {plan['min_rounds']}")
    return ", ".join(bounds)


def _target(target: ExplainedTarget) -> Iterator[str]:
    size = f" of {format_size(target['size'])}" if target["size"] else ""
    path = f" {target['path'] or 'named with --directory'}" if target["kind"] != "image" else ""
    yield f"{target['name']}: {target['kind']}{size}{path}"
    yield from (f"  {' '.join(command)}" for command in target["commands"])
    for key, value in target["tunables"].items():
        yield f"  {key} {format_size(value) if key == 'read_ahead' and isinstance(value, int) else value}"
    if target["age"] is not None:
        yield f"  aged once, then restored: {_parameters(target['age']) or 'by fsload with its own settings'}"
    yield from (f"  note: {note}" for note in target["notes"])


def _workload(workload: ExplainedWorkload) -> Iterator[str]:
    yield f"{workload['name']}: {workload['tool']}"
    if not workload["commands"]:
        yield f"  by the agent itself: {_parameters(workload['parameters']) or 'all tests'}"
    yield from (f"  {' '.join(command)}" for command in workload["commands"])
    yield from (f"    {line}" for line in workload["work"])


def _parameters(parameters: Parameters) -> str:
    return ", ".join(f"{key} {_value(key, value)}" for key, value in parameters.items())


def _value(key: str, value: object) -> object:
    if isinstance(value, list):
        return " ".join(map(str, value))
    is_size = key.endswith("_size") or key in ("fill", "capacity")
    return format_size(value) if is_size and isinstance(value, int) else value


def _why_skipped(explanation: Explanation) -> Iterator[str]:
    if explanation["machine_not_asked"]:
        yield explanation["machine_not_asked"]
    point_counts = Counter(_target_of(point["id"]) for point in explanation["points"])
    reasons: dict[str, list[str]] = {}
    for point in explanation["points"]:
        if point["skipped"] is not None:
            reasons.setdefault(point["skipped"], []).append(point["id"])
    for why, ids in reasons.items():
        by_target: dict[str, list[str]] = {}
        for id_ in ids:
            by_target.setdefault(_target_of(id_), []).append(id_)
        whole = {target for target, points in by_target.items() if len(points) == point_counts[target]}
        named = [f"all of {target}" if target in whole else ", ".join(points) for target, points in by_target.items()]
        yield f"{', '.join(named)}: {why}"


def _target_of(point: str) -> str:
    return point.partition("/")[0]


def _wiped(device: ExplainedDevice) -> str:
    if device["fault"] is not None:
        return f"not formatted: {device['fault']}"
    holds = ", ".join(device["signatures"]) or "no known signature"
    model = device["model"] or "no model known"
    return f"{device['path']} ({device['node']}), {model}, {format_size(device['size'])}, holds {holds}"


def _cost(explanation: Explanation) -> Iterator[str]:
    totals = explanation["totals"]
    measured = totals["points"] - totals["skipped"]
    if not measured:
        yield "nothing, because every point is skipped"
        return
    rounds = "unknown in advance" if totals["rounds"] is None else counted(totals["rounds"], "round")
    yield f"{counted(measured, 'point')} measured, {rounds}"
    unknown, written = totals["points_of_unknown_bytes"], format_rough_size(totals["bytes_written"])
    if unknown < measured:
        yield f"about {written} written into files" + (", counting points with a known size" if unknown else "")
    if unknown:
        yield f"  {counted(unknown, 'point')}: unknown how much, because time, disk or files decide"
    rests = totals["rests_on"]
    yield f"{'at most' if rests.get(TIMEOUT) else 'about'} {format_duration(totals['seconds'])}"
    for kind, words in _RESTS.items():
        if rests.get(kind):
            yield f"  {counted(rests[kind], 'point')}: {words}"


def _detection(found: ExplainedDetection, totals: ExplainedTotals) -> Iterator[str]:
    if totals["points"] == totals["skipped"]:
        return
    past = found["spread_of_results"]
    spread = f"this machine's past spread of {found['spread']:.2g}" if past else f"a spread of {found['spread']:.2g}"
    share, more = found["found"], found["rounds_wanted"]
    if share is None or found["rounds"] is None:
        yield "more rounds than can be foreseen"
    else:
        yield (
            f"with {counted(found['rounds'], 'round')} and {spread}, a difference of {found['difference']:.0%} "
            f"in one of {counted(found['comparisons'], 'comparison')} is found in {share:.0%} of cases"
        )
    if share is None or share < found["wanted"]:
        yield f"  {'not even 1000 rounds' if more is None else counted(more, 'round')}: {found['wanted']:.0%}"
    if not past:
        yield "  assumed spread, because nothing was measured here yet"
    if not found["results_known"]:
        yield "  these points were never measured here: the number of comparisons is assumed"


_RESTS = {
    EARLIER: "as long as in this machine's earlier runs, from the spool",
    OWN: "as long as the workload says, without making and removing its files",
    TIMEOUT: "never measured here; counted with the timeout, the upper limit",
    NOTHING: "preparations, never measured here and not counted",
}


def _skipped(plan: Plan, args: argparse.Namespace, source: inventory.Source) -> tuple[dict[str, str], str | None]:
    """The reasons why `run` would skip points, by id; or the reason why they cannot be determined now."""
    work = WorkDirectory(config.work_directory(args.work_dir), plan.seed, plan.memory, source)
    runner = Runner(plan, work, Silent(), source, CommandContext(seed=plan.seed, root=os.geteuid() == 0))
    try:
        with raising(), work.opened():
            runner.choose()
    except PreparationError as error:
        return {}, f"unknown, because the work directory cannot be used: {error}"
    return {id_: record.skipped for id_, record in runner.records.items() if record.skipped is not None}, None
