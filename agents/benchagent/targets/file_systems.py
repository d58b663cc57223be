"""The commands that make a target's file system, and whether the kernel can mount it."""

from __future__ import annotations

from pathlib import Path

from benchagent.filesystems import named
from benchagent.plan.model import Target


def mkfs_command(target: Target) -> tuple[str, ...]:
    """The mkfs command of a target, without the device, whose name is not a setting."""
    file_system = named(target.file_system)
    keep = () if target.sparse else file_system.keep
    return (file_system.program, *file_system.force, *keep, *target.mkfs_options)


def tune_command(target: Target) -> tuple[str, ...]:
    """The tune2fs command that follows mkfs, without the device; empty if the plan does not request it."""
    return ("tune2fs", *target.tune2fs) if target.tune2fs else ()


def known_to_kernel(file_system: str, proc: Path = Path("/proc"), modules: Path = Path("/lib/modules")) -> bool:
    """Whether this kernel can mount the file system: built in, loaded, or available as a module."""
    listed = {line.split()[-1] for line in (proc / "filesystems").read_text().splitlines() if line.split()}
    release = (proc / "sys/kernel/osrelease").read_text().strip()
    drivers = (file_system, *named(file_system).drivers)
    return file_system in listed or any(
        path for driver in drivers for path in (modules / release).glob(f"kernel/fs/{driver}/{driver}.ko*")
    )
