"""Mounts and loop devices under one directory: what is there, and how it is undone. Needs root to change anything."""

from __future__ import annotations

import os
from pathlib import Path

from .errors import PreparationError
from .filesystems import find_program
from .inventory.mounts import parse_mountinfo
from .orphans import end_orphans
from .owned import contents
from .process import Outcome, run

SYS_BLOCK = Path("/sys/block")
MOUNTINFO = Path("/proc/self/mountinfo")


def tool(name: str, *arguments: str) -> Outcome:
    """Run a system tool. Raises PreparationError with its words where it is missing or fails."""
    program = find_program(name)
    if program is None:
        raise PreparationError(f"{name} is not installed (Debian packages: mount, util-linux).")
    outcome = run([program, *arguments])
    if not outcome.ok:
        raise PreparationError(f"{name} {' '.join(arguments)}: {outcome.error}")
    return outcome


def mounts_under(directory: Path) -> list[Path]:
    """Mount points inside `directory`, the deepest first."""
    points = [Path(mount.point) for mount in parse_mountinfo(MOUNTINFO.read_text(errors="surrogateescape"))]
    return sorted((point for point in points if directory in point.parents), key=lambda p: len(p.parts), reverse=True)


def loops_under(directory: Path) -> list[Path]:
    """Loop devices backed by files inside `directory`, files that were deleted meanwhile too."""
    found = []
    for backing in SYS_BLOCK.glob("loop*/loop/backing_file"):
        try:
            file = backing.read_text().rstrip("\n")
        except OSError:
            continue  # detached between listing and reading
        if directory in Path(file).parents:
            found.append(Path("/dev") / backing.parts[-3])
    return sorted(found)


def attach(image: Path, *, direct_io: bool = False) -> Path:
    """A loop device for the image."""
    options = ["--direct-io=on"] if direct_io else []
    return Path(tool("losetup", "--find", "--show", *options, str(image)).stdout.strip())


def detach(device: Path) -> None:
    tool("losetup", "--detach", str(device))


def unmount(point: Path) -> None:
    tool("umount", str(point))


def forget_cached(image: Path) -> None:
    """Drop the image's pages from the page cache of the file system below it, which a remount does not touch."""
    descriptor = os.open(image, os.O_RDONLY)
    try:
        os.fsync(descriptor)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    finally:
        os.close(descriptor)


def clear(directory: Path) -> list[str]:
    """Undo what an agent that was killed left in its own directory. Returns what was undone, in words."""
    undone = end_orphans(directory)
    for point in mounts_under(directory):
        unmount(point)
        undone.append(f"unmounted {point}")
    for device in loops_under(directory):
        detach(device)
        undone.append(f"detached {device}")
    for path in contents(directory):
        try:
            path.rmdir() if path.is_dir() else path.unlink()
        except OSError as error:
            raise PreparationError(f"Cannot remove {path}, left behind by an earlier run: {error.strerror}.") from None
        undone.append(f"removed {path}")
    return undone
