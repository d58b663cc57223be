"""Asks a person before a block device is formatted, or used by a job file."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TextIO

from benchagent.errors import NotConfirmed, PreparationError, UsageError
from benchagent.inventory import Source
from benchagent.plan.model import Plan, Target
from benchagent.toml.quantities import format_size
from benchagent.tools import TOOLS

from .devices import BY_ID, Device, look_at, partitions, signatures, why_not_format


def agree_on_wiping(plan: Plan, agreed: Collection[str], source: Source) -> dict[str, Device]:
    """The plan's devices that may be formatted, by path: named in `agreed` (--yes-wipe), or agreed to on the terminal.

    There is no question about devices that cannot be formatted; their points are skipped. Raises NotConfirmed if a
    person declines or there is no terminal, UsageError if `agreed` names a device that is not a target.
    Paths below /dev that job files name need the same agreement.
    """
    targets = {target.path: target for target in plan.targets if target.kind == "device" and target.path}
    agreed_paths = {str(BY_ID / name) for name in agreed}  # joining leaves an absolute path unchanged
    used = _used_by_job_files(plan)
    if wrong := sorted(agreed_paths - set(targets) - set(used)):
        raise UsageError(f"--yes-wipe {wrong[0]}: no target of the plan is that device, and no job file names it.")
    if undecided_paths := [path for path in used if path not in agreed_paths]:
        _ask_about(undecided_paths, sys.stdin, sys.stderr)
    devices = {path: device for path, target in targets.items() if (device := _formattable(target, source))}
    undecided = [device for path, device in devices.items() if path not in agreed_paths]
    if undecided:
        _ask_all(undecided, source, sys.stdin, sys.stderr)
    return devices


def _used_by_job_files(plan: Plan) -> list[str]:
    """The paths in files of the plan's workloads that are devices, or directories with devices; each once."""
    workloads = [workload for workload in plan.workloads if workload.tool in TOOLS]
    texts = [(TOOLS[workload.tool], file.text or "") for workload in workloads for file in workload.files]
    paths = [path for tool, text in texts for path in tool.paths(text)]
    return [path for path in dict.fromkeys(paths) if _may_be_device(os.path.realpath(path))]


def _may_be_device(path: str) -> bool:
    return path in ("/", "/dev") or (path.startswith("/dev/") and not path.startswith("/dev/shm/"))


def _ask_about(paths: Sequence[str], answers: TextIO, questions: TextIO) -> None:
    """Ask about paths that a job file names."""
    if not (answers.isatty() and questions.isatty()):
        named = " ".join(f"--yes-wipe {path}" for path in paths)
        raise NotConfirmed(
            f"Job files of the plan may write to {', '.join(paths)}, and there is no terminal to ask on. "
            f"If all that is on it may be lost, add {named}."
        )
    for path in paths:
        print(f"\nA job file of the plan may write to {path}, whose contents are then lost.", file=questions)
        print("To agree, type the path: ", end="", file=questions, flush=True)
        if answers.readline().strip() != path:
            raise NotConfirmed(f"{path} was not agreed to; nothing was changed.")


def _formattable(target: Target, source: Source) -> Device | None:
    try:
        device = look_at(target.path or "", source)
    except PreparationError:
        return None  # its points are skipped with this reason
    return device if why_not_format(device, wipe=target.wipe) is None else None


def _ask_all(devices: Sequence[Device], source: Source, answers: TextIO, questions: TextIO) -> None:
    if not (answers.isatty() and questions.isatty()):
        names = " ".join(f"--yes-wipe {Path(device.path).name}" for device in devices)
        raise NotConfirmed(
            f"The plan formats {', '.join(device.path for device in devices)}, and there is no terminal to ask on. "
            f"If all that is on it may be lost, add {names}."
        )
    for device in devices:
        print(_described(device, source), file=questions)
        print(f"Everything on it is lost. To agree, type {device.password}: ", end="", file=questions, flush=True)
        if answers.readline().strip() != device.password:
            raise NotConfirmed(f"{device.path} was not agreed to; nothing was changed.")


def _described(device: Device, source: Source) -> str:
    model = device.model or "no model known"
    lines = [
        f"\nThe plan formats {device.path}",
        f"{device.node}, {model}, {format_size(device.size)}",
        f"holds {_signature_text(device.signatures)}",
        *(f"{node} holds {_signature_text(signatures(node))}" for node in partitions(device, source)),
    ]
    return "\n  ".join(lines)


def _signature_text(signatures: Sequence[str]) -> str:
    return ", ".join(signatures) or "no known signature"
