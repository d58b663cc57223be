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


def confirm(plan: Plan, agreed: Collection[str], source: Source) -> dict[str, Device]:
    """The plan's devices that may be formatted, by path: named in `agreed` (--yes-wipe), or agreed to on the terminal.

    Devices that cannot be formatted are not asked about; their points are skipped. Raises NotConfirmed where somebody
    says no or nobody can be asked, UsageError where `agreed` names what no target does.
    """
    targets = {each.path: each for each in plan.targets if each.kind == "device" and each.path}
    said = {str(BY_ID / each) for each in agreed}  # a whole path stays what it is
    if wrong := sorted(said - set(targets)):
        raise UsageError(f"--yes-wipe {wrong[0]}: no target of the plan is that device.")
    found = {path: device for path, each in targets.items() if (device := _formattable(each, source))}
    asked = [device for path, device in found.items() if path not in said]
    if asked:
        _ask_all(asked, source, sys.stdin, sys.stderr)
    return found


def _formattable(target: Target, source: Source) -> Device | None:
    try:
        device = look_at(target.path or "", source)
    except PreparationError:
        return None  # its points are skipped, with these words
    return device if why_not_format(device, wipe=target.wipe) is None else None


def _ask_all(devices: Sequence[Device], source: Source, answers: TextIO, questions: TextIO) -> None:
    if not (answers.isatty() and questions.isatty()):
        names = " ".join(f"--yes-wipe {Path(each.path).name}" for each in devices)
        raise NotConfirmed(
            f"The plan formats {', '.join(each.path for each in devices)}, and there is no terminal to ask on. "
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
        f"holds {_in_words(device.signatures)}",
        *(f"{node} holds {_in_words(signatures(node))}" for node in partitions(device, source)),
    ]
    return "\n  ".join(lines)


def _in_words(found: Sequence[str]) -> str:
    return ", ".join(found) or "no known signature"
