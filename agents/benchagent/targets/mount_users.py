"""Finds the processes that use a mount."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path


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
