"""The mkfs program of each file system, its arguments, and the Debian package that contains it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from benchagent.plan.model import Target
from benchagent.system.process import run
from benchagent.system.programs import find_program

OTHER_DRIVERS = {"ext2": ("ext4",), "ext3": ("ext4",)}  # the module that mounts it in most distributions


@dataclass(frozen=True)
class MkfsProgram:
    """The mkfs of one file system.

    The arguments `force` suppress questions; images are empty when they are formatted. The arguments `keep` prevent
    mkfs from discarding the device first, which would free the space of an allocated image.
    """

    type: str
    package: str
    force: tuple[str, ...]
    keep: tuple[str, ...]

    @property
    def program(self) -> str:
        return f"mkfs.{self.type}"

    def find(self) -> str | None:
        """The absolute path of mkfs; None if it is not installed."""
        return find_program(self.program)

    def version(self) -> str | None:
        """mkfs's own version, such as `1.47.0`."""
        program = self.find()
        if program is None:
            return None
        outcome = run([program, "-V"])
        version = re.search(r"[0-9]+\.[0-9]+[0-9a-z.~+-]*", outcome.stdout + outcome.stderr)
        return version.group() if version else None


FILE_SYSTEMS = {
    file_system.type: file_system
    for file_system in (
        MkfsProgram("ext2", "e2fsprogs", ("-F",), ("-E", "nodiscard")),
        MkfsProgram("ext3", "e2fsprogs", ("-F",), ("-E", "nodiscard")),
        MkfsProgram("ext4", "e2fsprogs", ("-F",), ("-E", "nodiscard")),
        MkfsProgram("xfs", "xfsprogs", ("-f",), ("-K",)),
        MkfsProgram("btrfs", "btrfs-progs", ("-f",), ("-K",)),
        MkfsProgram("f2fs", "f2fs-tools", ("-f",), ("-t", "0")),
        MkfsProgram("jfs", "jfsutils", ("-q",), ()),
        MkfsProgram("reiserfs", "reiserfsprogs", ("-ff", "-q"), ()),
        MkfsProgram("nilfs2", "nilfs-tools", ("-f",), ("-K",)),
        MkfsProgram("hfsplus", "hfsprogs", (), ()),
    )
}


def mkfs_command(target: Target) -> tuple[str, ...]:
    """The mkfs command of a target, without the device, whose name is not a setting."""
    file_system = FILE_SYSTEMS[target.file_system]
    keep = () if target.sparse else file_system.keep
    return (file_system.program, *file_system.force, *keep, *target.mkfs_options)


def tune_command(target: Target) -> tuple[str, ...]:
    """The tune2fs command that follows mkfs, without the device; empty if the plan does not request it."""
    return ("tune2fs", *target.tune2fs) if target.tune2fs else ()


def known_to_kernel(file_system: str, proc: Path = Path("/proc"), modules: Path = Path("/lib/modules")) -> bool:
    """Whether this kernel can mount the file system: built in, loaded, or available as a module."""
    listed = {line.split()[-1] for line in (proc / "filesystems").read_text().splitlines() if line.split()}
    release = (proc / "sys/kernel/osrelease").read_text().strip()
    drivers = (file_system, *OTHER_DRIVERS.get(file_system, ()))
    return file_system in listed or any(
        path for driver in drivers for path in (modules / release).glob(f"kernel/fs/{driver}/{driver}.ko*")
    )
