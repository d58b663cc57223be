"""Lists and removes mounts and loop devices under one directory. Changes need root."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

from benchagent.errors import PreparationError
from benchagent.inventory.mounts import parse_mountinfo
from benchagent.system.orphans import end_orphans
from benchagent.system.process import Outcome, run
from benchagent.system.programs import find_program

SYS_BLOCK = Path("/sys/block")
MOUNTINFO = Path("/proc/self/mountinfo")
PATIENCE = 3.0  # seconds; programs that only look into a new mount, such as an indexer, end within this time


def tool(name: str, *arguments: str) -> Outcome:
    """Run a system tool. Raises PreparationError if it is missing or fails, with its error message."""
    program = find_program(name)
    if program is None:
        raise PreparationError(f"{name} is not installed (Debian packages: mount, util-linux, coreutils).")
    outcome = run([program, *arguments])
    if not outcome.ok:
        raise PreparationError(f"{name} {' '.join(arguments)}: {outcome.error}")
    return outcome


def mounts_under(directory: Path) -> list[Path]:
    """Mount points inside `directory`, deepest first."""
    points = [Path(mount.point) for mount in parse_mountinfo(MOUNTINFO.read_text(errors="surrogateescape"))]
    return sorted((point for point in points if directory in point.parents), key=lambda p: len(p.parts), reverse=True)


def loops_under(directory: Path) -> list[Path]:
    """Loop devices backed by files inside `directory`, including deleted files."""
    devices = []
    for backing in SYS_BLOCK.glob("loop*/loop/backing_file"):
        try:
            file = backing.read_text().rstrip("\n")
        except OSError:
            continue  # detached between listing and reading
        if directory in Path(file).parents:
            devices.append(Path("/dev") / backing.parts[-3])
    return sorted(devices)


def attach(image: Path, *, direct_io: bool = False) -> Path:
    """Attach the image to a free loop device, and return its node."""
    options = ["--direct-io=on"] if direct_io else []
    return Path(tool("losetup", "--find", "--show", *options, str(image)).stdout.strip())


def detach(device: Path) -> None:
    tool("losetup", "--detach", str(device))


def unmount(point: Path) -> None:
    """Unmount `point`, and end tools of the agent that went into the background there.

    Raises PreparationError with the users of the mount.
    """
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            tool("umount", str(point))
            return
        except PreparationError as error:
            if "busy" not in str(error):
                raise
            if time.monotonic() > deadline:
                holders = ", ".join(users(point)) or "no visible process"
                raise PreparationError(f"Cannot unmount {point}: it is used by {holders}.") from None
        end_orphans(point)
        time.sleep(0.05)


def users(point: Path) -> list[str]:
    """Descriptions of everything that prevents `point` from being unmounted."""
    mounts = [f"the mount {mount}" for mount in mounts_under(point)]
    loops = [f"the loop device {device}" for device in loops_under(point)]
    return [*processes_using(point), *mounts, *loops]


def forget_cached(image: Path) -> None:
    """Drop the image's pages from the page cache of the file system below it, which a remount does not do."""
    descriptor = os.open(image, os.O_RDONLY)
    try:
        os.fsync(descriptor)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    finally:
        os.close(descriptor)


def processes_using(point: Path) -> list[str]:
    """Processes that work in `point`, run a program from it, or have one of its files open, as `process 12 (vim)`."""
    users = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if any(_inside(path, point) for path in _paths(process)):
                users.append(f"process {process.name} ({(process / 'comm').read_text().strip()})")
        except OSError:
            continue  # the process has ended, or belongs to another user
    return sorted(users)


def _paths(process: Path) -> Iterator[str]:
    for link in (process / "cwd", process / "root", process / "exe", *(process / "fd").iterdir()):
        try:
            yield os.readlink(link)
        except OSError:
            continue  # kernel threads have no links; a file may have been closed meanwhile
    for line in (process / "maps").read_text(errors="surrogateescape").splitlines():
        yield line.partition("/")[1] + line.partition("/")[2]


def _inside(path: str, point: Path) -> bool:
    return path == str(point) or path.startswith(f"{point}/")
