"""Tools that outlived a killed agent: the kernel ends a tool with its agent, but not the tool's own children."""

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
    """Kill what an agent started and what still works inside its own directory. Returns what was done, in words.

    Raises PreparationError where one does not end: it hangs in the kernel.
    """
    found: dict[int, None] = {}
    deadline = time.monotonic() + PATIENCE
    while left := orphans(directory):
        if time.monotonic() > deadline:
            raise PreparationError(f"Process {left[0]}, left behind by an earlier run, does not end.")
        for pid in left:  # again each time: they may have started others meanwhile
            found[pid] = None
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)
    return [f"ended process {pid}" for pid in found]


def orphans(directory: Path) -> list[int]:
    """Processes that bear our mark and whose working directory is `directory` or inside it."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            place = Path(os.readlink(process / "cwd"))
            inside = place == directory or directory in place.parents
            ours = inside and f"{MARK}=1".encode() in (process / "environ").read_bytes().split(b"\0")
        except OSError:
            continue  # it has ended, or is not ours to look at
        if ours:
            found.append(int(process.name))
    return found
