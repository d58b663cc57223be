"""Adapts a plan to this machine: the memory for `ram`, the kernel's option names, the files beside the plan."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from benchagent.inventory import Environment
from benchagent.plan.model import Plan
from benchagent.plan.reading import load

from .files import with_files
from .translation import translated


def planned(source: str, folder: Path, environment: Environment, directory: Path | None = None) -> Plan:
    """The plan read from `source`, with its files from `folder` and the machine's `environment` as in documents.

    `directory` replaces the paths of directory targets. Raises PlanError with every fault found.
    """
    plan = with_files(load(source, (environment.get("memory") or {}).get("usable")), folder)
    plan = translated(plan, (environment.get("kernel") or {}).get("release"))
    return plan if directory is None else in_directory(plan, directory)


def in_directory(plan: Plan, directory: Path) -> Plan:
    """The plan with all its directory targets in `directory`."""
    path = str(directory.absolute())
    targets = tuple(replace(target, path=path) if target.kind == "directory" else target for target in plan.targets)
    return replace(plan, targets=targets)
