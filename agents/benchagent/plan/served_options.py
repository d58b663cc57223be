"""Checks the options that a plan from a server gives to mkfs, tune2fs and mount: only those that stay on the target.

An option that is not listed is refused, so that a new option of a newer program does no harm before it was reviewed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from benchagent.filesystems import named
from benchagent.filesystems.options import Flags

_ANY_MOUNT = (
    "defaults|noatime|atime|relatime|norelatime|strictatime|nostrictatime|diratime|nodiratime|lazytime|nolazytime"
    "|sync|async|dirsync|barrier|nobarrier|barrier=[01]|discard|nodiscard"
)


def refused_arguments(flags: Flags, arguments: Sequence[str]) -> list[str]:
    """The arguments of a program that are not among `flags`, or have a value that is not allowed."""
    refused, waiting = [], list(arguments)
    while waiting:
        argument = waiting.pop(0)
        flag, value = _split(flags, argument)
        if flag is None:
            refused.append(argument)
        elif not flags[flag]:
            refused += [argument] if value is not None else []
        else:
            value = waiting.pop(0) if value is None and waiting else value
            if value is None or not all(re.fullmatch(flags[flag], part, re.ASCII) for part in value.split(",")):
                refused.append(" ".join(dict.fromkeys((argument, value or argument))))
    return refused


def refused_mount_options(file_system: str, options: Sequence[str]) -> list[str]:
    """The mount options that a plan from a server may not use."""
    allowed = f"{_ANY_MOUNT}|{named(file_system).mount_options}"
    single = [item for option in options for item in option.split(",")]  # mount splits them like this
    return [option for option in single if not re.fullmatch(allowed, option, re.ASCII)]


def _split(flags: Flags, argument: str) -> tuple[str | None, str | None]:
    """`-b4096` → (`-b`, `4096`), `--csum=xxhash` → (`--csum`, `xxhash`), `-b` → (`-b`, None)."""
    if argument in flags:
        return argument, None
    if argument.startswith("--"):
        flag, separator, value = argument.partition("=")
        return (flag if separator and flag in flags else None), value
    flag, value = argument[:2], argument[2:]
    return (flag if flag in flags else None), value
