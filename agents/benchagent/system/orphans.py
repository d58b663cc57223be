"""Ends processes that outlived a killed agent: the kernel ends a tool with its agent, but not the tool's children."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

from benchagent.errors import PreparationError

MARK = "BENCHAGENT_CHILD"  # in the environment of everything that the agent starts
PATIENCE = 10.0  # seconds


def end_orphans(directory: Path) -> list[str]:
    """Kill the processes that an agent started and that work inside its own directory. Returns a description of each.

    Raises PreparationError if a process does not end because it hangs in the kernel.
    """
    killed: dict[int, None] = {}
    deadline = time.monotonic() + PATIENCE
    while left := orphans(directory):
        if time.monotonic() > deadline:
            raise PreparationError(f"Process {left[0]}, left behind by an earlier run, does not end.")
        for pid in left:  # repeated, because they may have started others meanwhile
            killed[pid] = None
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)
    return [f"ended process {pid}" for pid in killed]


def orphans(directory: Path) -> list[int]:
    """Ids of the processes of this user with the agent's mark and a working directory in `directory`.

    Other users can give their processes the mark, and in a mount namespace of their own any working directory.
    """
    pids = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if process.stat().st_uid != os.geteuid():
                continue
            cwd = Path(os.readlink(process / "cwd"))
            inside = cwd == directory or directory in cwd.parents
            marked = inside and f"{MARK}=1".encode() in (process / "environ").read_bytes().split(b"\0")
        except OSError:
            continue  # the process has ended, or belongs to another user
        if marked:
            pids.append(int(process.name))
    return pids
