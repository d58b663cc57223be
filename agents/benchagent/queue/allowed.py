"""Limits the targets of queued plans to those that the agent's own config file allows.

The server is not trusted, because others may control it. A plan is refused as a whole, with every reason.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

from benchagent.config import Config
from benchagent.plan.model import TUNABLES, Plan, Target


def faults_here(plan: Plan, config: Config) -> list[str]:
    """The reasons why this machine refuses the plan's targets; empty if it accepts them."""
    return [f"target {target.name}: {fault}" for target in plan.targets for fault in _faults(target, config)]


def with_own_paths(plan: Plan, config: Config) -> Plan:
    """The plan with the real paths of its directories, without symbolic links.

    A directory target without a path gets the first directory of the config file. The plan must have no faults.
    """
    return replace(plan, targets=tuple(_with_own_path(target, config) for target in plan.targets))


def devices_of(plan: Plan) -> list[str]:
    """The block devices that the plan formats; the config file has agreed to each."""
    return list(dict.fromkeys(target.path for target in plan.targets if target.kind == "device" and target.path))


def _faults(target: Target, config: Config) -> list[str]:
    if target.kind == "image":
        return [] if config.images else [_not_allowed("images", "images = true")]
    if target.kind == "device":
        return _faults_of_device(target, config)
    faults = []
    if _directory(target, config.directories) is None:
        faults.append(_not_allowed(f"the directory {target.path or 'that it leaves open'}", "directories"))
    if any(getattr(target, tunable) is not None for tunable in TUNABLES):
        faults.append("a queued plan can tune images and devices, not the device below a directory, which others use")
    return faults


def _faults_of_device(target: Target, config: Config) -> list[str]:
    # The path must have the same spelling as in the config file.
    if target.path not in config.devices:
        return [_not_allowed(f"the device {target.path}", "devices")]
    return [_not_allowed(f"to wipe {target.path}", "wipe")] if target.wipe and target.path not in config.wipe else []


def _not_allowed(what: str, key: str) -> str:
    return f"this agent's config file does not allow {what}; `[targets] {key}` would"


def _directory(target: Target, allowed: Sequence[str]) -> str | None:
    """The target's directory without symbolic links, if it is an allowed directory or inside one; else None."""
    if target.path is None:
        return os.path.realpath(allowed[0]) if allowed else None
    if not target.path.startswith("/"):
        return None
    path = os.path.realpath(target.path)
    inside = any(os.path.commonpath([path, root]) == root for root in map(os.path.realpath, allowed))
    return path if inside else None


def _with_own_path(target: Target, config: Config) -> Target:
    return target if target.kind != "directory" else replace(target, path=_directory(target, config.directories))
