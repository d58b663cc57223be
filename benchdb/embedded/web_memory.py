"""Memory of the web server's processes: the cycle collector, and what is returned to the kernel.

docs/scaling.md has the figures of each setting.
"""

from __future__ import annotations

import ctypes
import gc
import resource
from pathlib import Path

from django.db import connections

OBJECTS = 20_000  # after which cycles are collected; after Python's 700, a large page spent a third of its time on that
ARENA_MAX = -8  # of mallopt(3)
GROWTH = 48 * 1024 * 1024  # bytes after which a process returns freed memory

_libc = ctypes.CDLL(None)


def prepare() -> None:
    """Prepare the process whose children will serve.

    They have one arena of memory: their threads wait for Python's lock, so others only take more.
    """
    if (mallopt := getattr(_libc, "mallopt", None)) is not None:  # other C libraries, such as musl, lack it
        mallopt(ARENA_MAX, 1)
    gc.freeze()
    gc.set_threshold(OBJECTS, 5, 5)


def return_memory() -> None:
    """Return freed memory to the kernel if this process has become much larger since the last time.

    glibc by itself returns only the end of its heap, and libpq keeps buffers as large as the largest row or COPY until
    the connection is closed. The connections are those of this thread.
    """
    global _size
    size = resident()
    if size > _size + GROWTH:
        connections.close_all()
        gc.collect()
        if (malloc_trim := getattr(_libc, "malloc_trim", None)) is not None:
            malloc_trim(0)
        _size = size = resident()
    _size = min(_size, size)


def resident() -> int:
    """Bytes of this process in memory, also those that it shares."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


_size = resident()  # when this process returned memory last
