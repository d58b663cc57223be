"""Recorded machines, one text file each, so that a whole machine can be read and checked at a glance.

    # a comment
    /sys/block/sda/size: 976773168
    /sys/block/sda -> ../devices/…/block/sda
    /sys/fs/cgroup/
    /proc/self/mountinfo:
    | 22 27 0:21 / /proc rw,relatime - proc proc rw

A file of one line, a symbolic link, an empty directory, a file of several lines. `unpack` makes a directory from the
text, because `Source` needs one.
"""

from __future__ import annotations

from pathlib import Path

from benchagent.config import open_source
from benchagent.inventory import Source
from benchagent.inventory.mounts import MountInfo

TREES = Path(__file__).parent / "trees"


def recorded(name: str, into: Path) -> Source:
    """The machine recorded in trees/NAME.tree."""
    return unpack((TREES / f"{name}.tree").read_text(encoding="utf-8"), into)


def unpack(text: str, into: Path) -> Source:
    """Make the recorded tree in `into`. Its config file, if any, declares facts."""
    file: Path | None = None
    for line in text.splitlines():
        if line.startswith("|") and file is not None:
            with file.open("a", encoding="utf-8") as opened:
                opened.write(line[2:] + "\n")
        elif line.startswith("/"):
            file = _make(line, into)
        elif line.strip() and not line.startswith("#"):
            raise ValueError(f"no tree has such a line: {line!r}")
    return open_source(into)


def mounted(kind: str, source: str = "/dev/sda1", point: str = "/mnt") -> MountInfo:
    """A mount of a file system of this kind."""
    return MountInfo(30, 1, "0:40", "/", point, ["rw"], kind, source, ["rw"])


def _make(line: str, into: Path) -> Path | None:
    if " -> " in line:
        path, _, target = line.partition(" -> ")
        location = _place(path, into)
        location.symlink_to(target)
        return None
    if line.endswith("/") and ": " not in line:
        _place(line, into).mkdir(parents=True, exist_ok=True)
        return None
    path, _, content = (line + " ").partition(": ")
    location = _place(path, into)
    location.write_text(content[:-1] + "\n" if content.strip() else "", encoding="utf-8")
    return location


def _place(path: str, into: Path) -> Path:
    place = into / path.strip("/")
    place.parent.mkdir(parents=True, exist_ok=True)
    return place
