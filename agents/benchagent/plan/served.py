"""What a plan that comes from a server may ask for, on any machine. Pure: the server refuses by the same rules.

The agent takes the plan's word for nothing: it is read by the agent's own parser, which knows no commands, and its
options are held against lists. Which directories and devices this machine offers is `allowed.py`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .model import Plan, Target
from .served_options import MKFS, TUNE2FS, refused_arguments, refused_mount_options
from .workloads import file_parameters

MOST_TEXT = 64 * 1024  # characters of a plan
MOST_THREADS = 1024
SCHEDULER = re.compile(r"[a-z][a-z0-9-]{0,31}")


def faults_of(plan: Plan) -> list[str]:
    """Why the plan is refused, each fault with its place; empty where it may be served."""
    faults = [fault for target in plan.targets for fault in _faults_of_target(target)]
    for workload in plan.workloads:
        place = f"workload {workload.name}"
        for key, is_text in file_parameters(workload.tool, workload.parameters).items():
            if not is_text:
                faults.append(f"{place}: {key} is {workload.parameters[key]!r}; a queued plan can bring no archive")
        threads = workload.parameters.get("threads")
        if isinstance(threads, int) and threads > MOST_THREADS:
            faults.append(f"{place}: threads is {threads}; expected at most {MOST_THREADS} in a queued plan")
    return faults


def file_names(plan: Plan) -> list[str]:
    """The text files that the plan's workloads name; each lies beside the plan."""
    names = [
        str(workload.parameters[key])
        for workload in plan.workloads
        for key, is_text in file_parameters(workload.tool, workload.parameters).items()
        if is_text
    ]
    return list(dict.fromkeys(names))


def _faults_of_target(target: Target) -> list[str]:
    found = {
        "mkfs_options": refused_arguments(MKFS.get(target.file_system, {}), target.mkfs_options),
        "tune2fs": refused_arguments(TUNE2FS, target.tune2fs),
        "mount_options": refused_mount_options(target.file_system, target.mount_options),
        "scheduler": [target.scheduler] if target.scheduler and not SCHEDULER.fullmatch(target.scheduler) else [],
    }
    return [
        f"target {target.name}: {key} {_quoted(refused)}; a queued plan can have only options that stay on the target"
        for key, refused in found.items()
        if refused
    ]


def _quoted(refused: Sequence[str]) -> str:
    return ", ".join(map(repr, refused))
