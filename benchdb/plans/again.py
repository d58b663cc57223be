"""The plan that measures a run's workload again, on any machine: written from what the run's document says of it."""

from __future__ import annotations

import json
import re
from typing import Any

from benchdb.runs.models import Run, Source, source_of

from .reading import FaultyPlan, read_plan

Settings = dict[str, Any]

BARE = re.compile(r"[A-Za-z0-9_-]+")
FORCE = ("-f", "-F", "-q")  # of mkfs: the agent adds its own
HEAD = "# {tool} as in run {run}.\n"


def plan_again(run: Run) -> str | None:
    """A plan of one point in TOML, as the agent reads it.

    None where the run says too little: figures that others measured, and steps such as mkfs that are no workload of
    their own. An image is made anew where its options can be had again; else the directory that `--directory` names is
    measured. Mount options stay out: the run knows them with all defaults of its kernel.
    """
    if source_of(run) is not Source.MEASURED:
        return None
    for target in (_image(run), {"kind": "directory"}):
        if target is not None:
            text = _written(run, target)
            try:
                return read_plan(text).text
            except FaultyPlan:
                continue
    return None


def needs_root(plan: str) -> bool:
    """Whether the plan formats and mounts images."""
    return any(target.kind != "directory" for target in read_plan(plan).plan.targets)


def _image(run: Run) -> Settings | None:
    facts = run.target.facts
    size = next((layer.get("size") for layer in facts["stack"] if layer["kind"] in ("image", "loop")), None)
    if facts["kind"] != "image" or not size or not run.target.file_system:
        return None
    options = [word for word in (facts["file_system"].get("mkfs_command") or [])[1:] if word not in FORCE]
    found = {"kind": "image", "size": size, "file_system": run.target.file_system, "mkfs_options": options}
    return {name: value for name, value in found.items() if value}


def _written(run: Run, target: Settings) -> str:
    said = run.protocol
    plan = {
        "name": f"again-{run.tool}",
        "rounds": max(run.round_count, 1),
        "order": said["order"],
        "cache": said["cache"],
    }
    if said.get("seed"):
        plan["seed"] = said["seed"]
    workload = {"tool": run.tool, **run.parameters}
    head = HEAD.format(tool=" ".join(filter(None, [run.tool, run.tool_version])), run=run.id)
    return f"{head}{_table(plan)}\n[[targets]]\n{_table(target)}\n[[workloads]]\n{_table(workload)}"


def _table(settings: Settings) -> str:
    return "".join(f"{_key(name)} = {_value(value)}\n" for name, value in settings.items() if value is not None)


def _key(name: str) -> str:
    return name if BARE.fullmatch(name) else json.dumps(name)


def _value(value: Any) -> str:
    """In TOML; strings, numbers and booleans are written as in JSON."""
    if isinstance(value, dict):
        pairs = (f"{_key(name)} = {_value(own)}" for name, own in value.items() if own is not None)
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
