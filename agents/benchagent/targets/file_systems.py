"""How each file system is made, and the Debian package that brings its mkfs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from benchagent.plan.model import Target
from benchagent.system.process import run
from benchagent.system.programs import find_program

OTHER_DRIVERS = {"ext2": ("ext4",), "ext3": ("ext4",)}  # the module that mounts it in most distributions


@dataclass(frozen=True)
class FileSystem:
    """`force`: what mkfs wants so that it asks nothing; images are empty when they are formatted.

    `keep`: what keeps it from discarding the device first, which would give back the space of an allocated image.
    """

    type: str
    package: str
    force: tuple[str, ...]
    keep: tuple[str, ...]

    @property
    def program(self) -> str:
        return f"mkfs.{self.type}"

    def find(self) -> str | None:
        """The absolute path of mkfs, None where it is not installed."""
        return find_program(self.program)

    def version(self) -> str | None:
        """mkfs's own version, such as `1.47.0`."""
        program = self.find()
        if program is None:
            return None
        outcome = run([program, "-V"])
        found = re.search(r"[0-9]+\.[0-9]+[0-9a-z.~+-]*", outcome.stdout + outcome.stderr)
        return found.group() if found else None


FILE_SYSTEMS = {
    file_system.type: file_system
    for file_system in (
        FileSystem("ext2", "e2fsprogs", ("-F",), ("-E", "nodiscard")),
        FileSystem("ext3", "e2fsprogs", ("-F",), ("-E", "nodiscard")),
        FileSystem("ext4", "e2fsprogs", ("-F",), ("-E", "nodiscard")),
        FileSystem("xfs", "xfsprogs", ("-f",), ("-K",)),
        FileSystem("btrfs", "btrfs-progs", ("-f",), ("-K",)),
        FileSystem("f2fs", "f2fs-tools", ("-f",), ("-t", "0")),
        FileSystem("jfs", "jfsutils", ("-q",), ()),
        FileSystem("reiserfs", "reiserfsprogs", ("-ff", "-q"), ()),
        FileSystem("nilfs2", "nilfs-tools", ("-f",), ("-K",)),
        FileSystem("hfsplus", "hfsprogs", (), ()),
    )
}


def mkfs_command(target: Target) -> tuple[str, ...]:
    """What makes a target's file system, without the device: its name is no setting."""
    file_system = FILE_SYSTEMS[target.file_system]
    keep = () if target.sparse else file_system.keep
    return (file_system.program, *file_system.force, *keep, *target.mkfs_options)


def tune_command(target: Target) -> tuple[str, ...]:
    """What follows mkfs, without the device; nothing where the plan does not ask for it."""
    return ("tune2fs", *target.tune2fs) if target.tune2fs else ()


def known_to_kernel(file_system: str, proc: Path = Path("/proc"), modules: Path = Path("/lib/modules")) -> bool:
    """Whether this kernel can mount it: built in, loaded, or there as a module."""
    listed = {line.split()[-1] for line in (proc / "filesystems").read_text().splitlines() if line.split()}
    release = (proc / "sys/kernel/osrelease").read_text().strip()
    drivers = (file_system, *OTHER_DRIVERS.get(file_system, ()))
    return file_system in listed or any(
        found for driver in drivers for found in (modules / release).glob(f"kernel/fs/{driver}/{driver}.ko*")
    )
