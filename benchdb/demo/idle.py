"""Whether this machine is idle: the share of its processors that work."""

from __future__ import annotations

import time
from pathlib import Path

BUSY = 0.1  # share of the processors that may work in a second
QUIET_SECONDS = 3


def wait_until_idle(seconds: int) -> bool:
    """Wait until the machine was idle for some seconds; False if it was not within `seconds`."""
    quiet, deadline, before = 0, time.monotonic() + seconds, _ticks()
    while quiet < QUIET_SECONDS and time.monotonic() < deadline:
        time.sleep(1)
        now = _ticks()
        busy = 1 - (now[1] - before[1]) / max(1, now[0] - before[0])
        quiet, before = (quiet + 1 if busy < BUSY else 0), now
    return quiet >= QUIET_SECONDS


def _ticks() -> tuple[int, int]:
    """The time of all processors since the start, and their idle part, waiting for disks included."""
    ticks = [int(field) for field in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]]
    return sum(ticks), ticks[3] + ticks[4]
