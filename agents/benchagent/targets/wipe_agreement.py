"""Asks a person before a block device is formatted."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TextIO

from benchagent.errors import NotConfirmed, PreparationError, UsageError
from benchagent.inventory import Source
from benchagent.plan.model import Plan, Target
from benchagent.toml.quantities import format_size

from .devices import BY_ID, Device, look_at, partitions, signatures, why_not_format


def agree_on_wiping(plan: Plan, agreed: Collection[str], source: Source) -> dict[str, Device]:
    """The plan's devices that may be formatted, by path: named in `agreed` (--yes-wipe), or agreed to on the terminal.

    There is no question about devices that cannot be formatted; their points are skipped. Raises NotConfirmed if a
    person declines or there is no terminal, UsageError if `agreed` names a device that is not a target.
    """
    targets = {target.path: target for target in plan.targets if target.kind == "device" and target.path}
    agreed_paths = {str(BY_ID / name) for name in agreed}  # joining leaves an absolute path unchanged
    if wrong := sorted(agreed_paths - set(targets)):
        raise UsageError(f"--yes-wipe {wrong[0]}: no target of the plan is that device.")
    devices = {path: device for path, target in targets.items() if (device := _formattable(target, source))}
    undecided = [device for path, device in devices.items() if path not in agreed_paths]
    if undecided:
        _ask_all(undecided, source, sys.stdin, sys.stderr)
    return devices


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
