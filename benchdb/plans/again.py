"""Write a plan that measures a run's workload again, on any machine, from the run's document."""

from __future__ import annotations

import json
import re

from benchdb.catalog.facets import FORCE
from benchdb.runs.models import Run, Source, source_of
from benchdb.runs.models.json_columns import StoredProtocol, StoredTarget

from .plan_texts import FaultyPlan, read_plan

TomlValues = dict[str, object]

BARE = re.compile(r"[A-Za-z0-9_-]+")
HEAD = "# {tool} as in run {run}.\n"


def plan_again(run: Run) -> str | None:
    """A plan of one point in TOML, as the agent reads it.

    None if the run has too few facts, as published figures have, or no workload, as mkfs. The target is an image if its
    options are known, otherwise the directory of `--directory`. Mount options are left out, because the run lists them
    with all defaults of its kernel.
    """
    if source_of(run) is not Source.MEASURED:
        return None
    targets: tuple[TomlValues | None, ...] = (_image(run), {"kind": "directory"})
    for target in targets:
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


def _image(run: Run) -> TomlValues | None:
    facts: StoredTarget = run.target.facts
    size = next((layer.get("size") for layer in facts["stack"] if layer["kind"] in ("image", "loop")), None)
    if facts["kind"] != "image" or not size or not run.target.file_system:
        return None
    options = [word for word in (facts["file_system"].get("mkfs_command") or [])[1:] if word not in FORCE]
    target: TomlValues = {"kind": "image", "size": size, "file_system": run.target.file_system, "mkfs_options": options}
    return {name: value for name, value in target.items() if value}


def _written(run: Run, target: TomlValues) -> str:
    protocol: StoredProtocol = run.protocol
    plan: TomlValues = {
        "name": f"again-{run.tool}",
        "rounds": max(run.round_count, 1),
        "order": protocol["order"],
        "cache": protocol["cache"],
    }
    if protocol.get("seed"):
        plan["seed"] = protocol["seed"]
    workload: TomlValues = {"tool": run.tool, **run.parameters}
    head = HEAD.format(tool=" ".join(filter(None, [run.tool, run.tool_version])), run=run.id)
    return f"{head}{_table(plan)}\n[[targets]]\n{_table(target)}\n[[workloads]]\n{_table(workload)}"


def _table(settings: TomlValues) -> str:
    return "".join(f"{_key(name)} = {_value(value)}\n" for name, value in settings.items() if value is not None)


def _key(name: str) -> str:
    return name if BARE.fullmatch(name) else json.dumps(name)


def _value(value: object) -> str:
    """A value in TOML; strings, numbers and booleans are written as in JSON."""
    if isinstance(value, dict):
        pairs = (f"{_key(name)} = {_value(item)}" for name, item in value.items() if item is not None)
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
