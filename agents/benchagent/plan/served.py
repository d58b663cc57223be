"""Checks plans that come from a server against rules for all machines. Pure: the server refuses by the same rules.

The agent trusts nothing in such a plan: the agent's own parser, which has no commands, reads it, and its options are
checked against lists (`benchagent.filesystems`). An option that is not listed is refused, so that one of a newer
program does no harm before it was reviewed. `allowed.py` has the directories and devices that this machine offers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from benchagent.filesystems import named
from benchagent.filesystems.ext import TUNE2FS
from benchagent.filesystems.options import Flags
from benchagent.toml.quantities import format_size
from benchagent.tools import TOOLS
from benchagent.tools.values import number, sizes

from .model import Plan, Target, Workload
from .workloads import file_parameters, text_in_plan

MOST_TEXT = 64 * 1024  # characters of a plan
MOST_THREADS = 1024
MOST_BUFFERS = 2**30  # bytes of records that all threads of a tool hold at the same time
NO_FILES: Mapping[str, str] = MappingProxyType({})
SCHEDULER = re.compile(r"[a-z][a-z0-9-]{0,31}")
_ANY_MOUNT = (
    "defaults|noatime|atime|relatime|norelatime|strictatime|nostrictatime|diratime|nodiratime|lazytime|nolazytime"
    "|sync|async|dirsync|barrier|nobarrier|barrier=[01]|discard|nodiscard"
)


def faults_of(plan: Plan, files: Mapping[str, str] = NO_FILES) -> list[str]:
    """Why the plan is refused, each fault with its position; empty if it may be served.

    `files` are the texts that came with the plan, by the names that its workloads give them.
    """
    faults = ["sides: a queued plan can have none, because they run commands"] if plan.sides else []
    faults += [fault for target in plan.targets for fault in _faults_of_target(target)]
    for workload in plan.workloads:
        subject = f"workload {workload.name}"
        for key, is_text in file_parameters(workload.tool, workload.parameters).items():
            if not is_text:
                faults.append(f"{subject}: {key} is {workload.parameters[key]!r}; a queued plan can bring no archive")
        threads = workload.parameters.get("threads")
        if isinstance(threads, int) and threads > MOST_THREADS:
            faults.append(f"{subject}: threads is {threads}; expected at most {MOST_THREADS} in a queued plan")
        buffers = _buffers(workload)
        if buffers > MOST_BUFFERS:
            faults.append(
                f"{subject}: its threads hold {format_size(buffers)} of records; a queued plan has at most 1 GiB"
            )
        faults += [f"{subject}: {fault}" for fault in _faults_of_texts(workload, files)]
    return faults


def _faults_of_texts(workload: Workload, files: Mapping[str, str]) -> Iterator[str]:
    """The faults in the texts of a workload that only its tool can find."""
    if workload.tool in TOOLS:
        named = [str(workload.parameters[key]) for key in file_parameters(workload.tool, workload.parameters)]
        texts = [files[name] for name in named if name in files]
        inside = text_in_plan(workload.tool, workload.parameters)
        for text in [*texts, *([inside.text] if inside else [])]:
            yield from TOOLS[workload.tool].served_faults(workload.parameters, text)


def _buffers(workload: Workload) -> int:
    """The bytes of the largest records that the threads of a workload hold at the same time."""
    keys = ("record_sizes", "max_record_size", "record_size", "block_size", "chunk_size")
    largest = max((size for key in keys for size in sizes(workload.parameters, key)), default=0)
    return largest * number(workload.parameters, "threads", 1) * number(workload.parameters, "depth", 1)


def file_names(plan: Plan) -> list[str]:
    """The text files that the plan's workloads name, relative to the plan's folder."""
    names = [
        str(workload.parameters[key])
        for workload in plan.workloads
        for key, is_text in file_parameters(workload.tool, workload.parameters).items()
        if is_text
    ]
    return list(dict.fromkeys(names))


def _faults_of_target(target: Target) -> list[str]:
    refused_by_key = {
        "mkfs_options": refused_arguments(named(target.file_system).mkfs_options, target.mkfs_options),
        "tune2fs": refused_arguments(TUNE2FS, target.tune2fs),
        "mount_options": refused_mount_options(target.file_system, target.mount_options),
        "scheduler": [target.scheduler] if target.scheduler and not SCHEDULER.fullmatch(target.scheduler) else [],
    }
    return [
        f"target {target.name}: {key} {', '.join(map(repr, refused))}; "
        "a queued plan can have only options that stay on the target"
        for key, refused in refused_by_key.items()
        if refused
    ]


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
