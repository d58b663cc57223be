"""Finds out which options a kernel refuses, by mounting a small image with and without them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from benchagent.plan.model import Target

from .formatting import formatted
from .prepared_target import MOUNT, Mounted, StepFailed
from .work_directory import WorkDirectory

NAME = "probe"
SIZE = 512 * 1024**2  # bytes, sparse: room for the smallest xfs (300 MiB)


def refused_options(target: Target, work: WorkDirectory) -> str | None:
    """The reason why this kernel cannot mount the target, with the options that it refuses; None if it can.

    A refusal by mkfs is no reason: the options may fit the target's size but not that of the small image. mkfs reports
    the refusal in each round.
    """
    key = (target.file_system, target.mkfs_options, target.mount_options)
    if not (target.mkfs_options or target.mount_options):
        return None
    if key not in work.refused:
        work.refused[key] = _probe(target, work)
    return work.refused[key]


def _probe(target: Target, work: WorkDirectory) -> str | None:
    kind, options = target.file_system, target.mount_options
    small = Target(NAME, "image", size=SIZE, file_system=kind, mkfs_options=target.mkfs_options)
    try:
        with _unmounted(small, work) as mounted:
            return _culprits(mounted, options)
    except StepFailed as error:
        failed = error.test
    try:
        with _unmounted(replace(small, mkfs_options=()), work) as mounted:
            if failed == MOUNT:
                return f"this kernel does not mount {kind} made with {' '.join(target.mkfs_options)}"
            return _culprits(mounted, options)  # the mkfs options need more space than the small image has
    except StepFailed as error:
        return f"this kernel does not mount {kind}: {error}" if error.test == MOUNT else None


@contextmanager
def _unmounted(small: Target, work: WorkDirectory) -> Iterator[Mounted]:
    """A small, unmounted file system that can be mounted without options."""
    with formatted(small, work, lambda: None) as prepared:
        assert prepared.mounted is not None
        prepared.mounted.unmount()
        yield prepared.mounted


def _culprits(mounted: Mounted, options: tuple[str, ...]) -> str | None:
    if _mounts(mounted, options):
        return None
    culprits = [option for option in options if not _mounts(mounted, (option,))]
    kind = mounted.target.file_system
    if not culprits:
        return f"this kernel refuses the mount options {','.join(options)} together for {kind}"
    named = f"mount option {culprits[0]}" if len(culprits) == 1 else f"mount options {', '.join(culprits)}"
    return f"this kernel refuses the {named} for {kind}"


def _mounts(mounted: Mounted, options: tuple[str, ...]) -> bool:
    try:
        replace(mounted, target=replace(mounted.target, mount_options=options)).mount()
    except StepFailed:
        return False
    mounted.unmount()
    return True
