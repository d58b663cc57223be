"""A plan as this machine will measure it: its memory for `ram`, its kernel's names, the files beside the plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchagent.plan.model import Plan
from benchagent.plan.reading import load

from .files import with_files
from .translation import translated


def planned(source: str, folder: Path, environment: Mapping[str, Any], directory: Path | None = None) -> Plan:
    """The plan read from `source`, whose files lie in `folder`; `environment` is the machine's, as documents hold it.

    `directory` takes the place of what directory targets name. Raises PlanError with every fault found.
    """
    plan = with_files(load(source, (environment.get("memory") or {}).get("usable")), folder)
    plan = translated(plan, (environment.get("kernel") or {}).get("release"))
    return plan if directory is None else in_directory(plan, directory)


def in_directory(plan: Plan, directory: Path) -> Plan:
    """The plan with all its directory targets in `directory`."""
    path = str(directory.absolute())
    targets = tuple(replace(each, path=path) if each.kind == "directory" else each for each in plan.targets)
    return replace(plan, targets=targets)
