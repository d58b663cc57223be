"""Reads a block device from its beginning, as `hdparm -t` does: the upper limit for a file system on it."""

from __future__ import annotations

import mmap
import os
import time
from dataclasses import dataclass
from typing import Callable

from .evidence import Usage, device_bytes, moved

BLOCK = 2 * 2**20
MOST_BYTES = 2 * 2**30
MOST_SECONDS = 3.0
TICK = 0.25  # seconds between two calls of `tick`


@dataclass(frozen=True)
class RawRead:
    """One raw read. `used` has the bytes by the device's own counters."""

    length: int  # bytes
    seconds: float
    used: Usage

    @property
    def throughput(self) -> float:
        """Bytes per second."""
        return self.length / self.seconds


def raw_read(node: str, tick: Callable[[], None]) -> RawRead:
    """Read, bypassing the page cache, for three seconds, two gigabytes or to the end of the device. Raises OSError."""
    descriptor = os.open(node, os.O_RDONLY | os.O_DIRECT | os.O_CLOEXEC)
    try:
        with mmap.mmap(-1, BLOCK) as buffer:  # O_DIRECT needs page-aligned memory
            number = os.fstat(descriptor).st_rdev
            device = [f"{os.major(number)}:{os.minor(number)}"]
            before = device_bytes(device)
            length, seconds = _read(descriptor, buffer, tick)
            after = device_bytes(device)
    finally:
        os.close(descriptor)
    return RawRead(length, seconds, {"logical_bytes": length, **moved(before, after)})


def _read(descriptor: int, buffer: mmap.mmap, tick: Callable[[], None]) -> tuple[int, float]:
    started = ticked = time.monotonic()
    length = 0
    while True:
        got = os.preadv(descriptor, [buffer], length)
        now = time.monotonic()
        length += got
        if not got or length >= MOST_BYTES or now - started >= MOST_SECONDS:
            return length, now - started
        if now - ticked >= TICK:
            tick()
            ticked = now
