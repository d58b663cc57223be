"""What agents offer to queued plans, why a plan cannot run on a machine, and the config file that allows it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self, TypedDict

from benchagent.plan.model import Plan

from .models import Listener


class StoredOffer(TypedDict):
    """An offer as agents report it; `directories` and `devices` are numbers."""

    root: bool
    images: bool
    directories: int
    devices: int
    tools: list[str]
    file_systems: list[str]


@dataclass(frozen=True, slots=True)
class MachineOffer:
    """The targets that the agent's config file allows, and the tools and file systems that it can use."""

    root: bool
    images: bool
    directories: int
    devices: int
    tools: frozenset[str]
    file_systems: frozenset[str]

    @classmethod
    def of(cls, listener: Listener | None) -> Self | None:
        """The last reported offer; None if the agent never reported one."""
        stored: StoredOffer | None = listener.offer if listener else None
        if stored is None:
            return None
        tools, file_systems = frozenset(stored["tools"]), frozenset(stored["file_systems"])
        return cls(stored["root"], stored["images"], stored["directories"], stored["devices"], tools, file_systems)

    @property
    def text(self) -> str:
        """The allowed targets in words."""
        kinds = {"directories": self.directories > 0, "devices": self.devices > 0, "images": self.images}
        allowed = [kind for kind, is_allowed in kinds.items() if is_allowed]
        return f"allows {' and '.join(allowed)}" if allowed else "allows no targets"


def why_not(plan: Plan, offer: MachineOffer) -> list[str]:
    """Why the agent would refuse the plan or skip all of it; empty if it may run, at least in part."""
    return [*_refused(plan, offer), *_skipped(plan, offer)]


def _refused(plan: Plan, offer: MachineOffer) -> Iterator[str]:
    kinds = {target.kind for target in plan.targets}
    allowed = {"directory": offer.directories > 0, "device": offer.devices > 0, "image": offer.images}
    words = {"directory": "no directories", "device": "no devices", "image": "no images"}
    if missing := [words[kind] for kind in words if kind in kinds and not allowed[kind]]:
        yield f"the agent’s config file allows {' and '.join(missing)}"


def _skipped(plan: Plan, offer: MachineOffer) -> Iterator[str]:
    if all(target.is_made for target in plan.targets):
        file_systems = list(dict.fromkeys(target.file_system for target in plan.targets))
        if not offer.root:
            yield "the agent does not run as root"
        elif not offer.file_systems.intersection(file_systems):
            yield f"the machine cannot make {', '.join(file_systems)}"
    tools = list(dict.fromkeys(workload.tool for workload in plan.workloads))
    if not offer.tools.intersection(tools):
        yield f"{', '.join(tools)} {'is' if len(tools) == 1 else 'are'} not installed"


def needs_root(plan: Plan | None) -> bool:
    """Whether the agent must be root to measure all targets of the plan."""
    return plan is not None and any(target.is_made for target in plan.targets)


def config_lines(plan: Plan | None) -> list[str]:
    """The `[targets]` of a config file that allow the plan, as words of a shell command.

    Without a plan, or if the plan names no directory, the directory is the one in which the command runs.
    """
    targets = plan.targets if plan else ()
    directories = list(dict.fromkeys(target.path for target in targets if target.kind == "directory"))
    devices = list(dict.fromkeys(target.path for target in targets if target.kind == "device" and target.path))
    wiped = list(dict.fromkeys(target.path for target in targets if target.wipe and target.path))
    lines = [shlex.quote("[targets]")]
    if plan is None or None in directories:
        lines.append('"directories = [\\"$PWD\\"]"')
    elif directories:
        lines.append(_list("directories", [path for path in directories if path]))
    if any(target.kind == "image" for target in targets):
        lines.append(shlex.quote("images = true"))
    if devices:
        lines.append(_list("devices", devices))
    if wiped:
        lines.append(_list("wipe", wiped))
    return lines


def _list(name: str, values: list[str]) -> str:
    quoted = ", ".join(f'"{value}"' for value in values)
    return shlex.quote(f"{name} = [{quoted}]")
