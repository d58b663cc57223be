"""Memory of the web server's processes: the cycle collector, and what is returned to the kernel.

docs/scaling.md has the figures of each setting.
"""

from __future__ import annotations

import ctypes
import gc
import resource
import threading
from pathlib import Path

from django.db import connections

# A page of 10,000 cells makes a million objects with hardly any cycles; garbage collection took a third of its time. So
# collection runs between requests, and within a request only after a great many objects.
FEW_OBJECTS, MANY_OBJECTS = 1_000, 1_000_000
COLLECTIONS_BETWEEN = 200  # after so many, objects that outlived their request are collected too
GROWTH = 48 * 1024 * 1024  # bytes after which a process returns freed memory

_libc = ctypes.CDLL(None)
_handling: set[int] = set()  # the ids of the threads that handle a request


def prepare() -> None:
    """Prepare the process whose children will serve."""
    gc.freeze()
    gc.set_threshold(MANY_OBJECTS, 20, 20)
    _keep_freed_memory()


def begin() -> None:
    """Remember that this thread handles a request."""
    _handling.add(threading.get_ident())


def end() -> None:
    """Collect garbage when the answer is made, and return memory if there is much."""
    _handling.discard(threading.get_ident())
    young, _, collections = gc.get_count()
    if young > FEW_OBJECTS:
        gc.collect(2 if collections > COLLECTIONS_BETWEEN else 1)
    return_memory()


def _keep_freed_memory() -> None:
    """Let glibc keep up to 32 MiB of freed memory for the next request, in one arena.

    Returning memory to the kernel and requesting it again took a tenth of an upload's time. Threads that wait for
    Python's lock gain nothing from separate arenas, and recently freed memory is still in the processor's cache. Other
    C libraries, such as musl, do not have these options.
    """
    trim_threshold, mmap_threshold, arena_max = -1, -3, -8  # mallopt(3), M_TRIM_THRESHOLD and so on
    if (mallopt := getattr(_libc, "mallopt", None)) is not None:
        mallopt(arena_max, 1)
        mallopt(trim_threshold, 32 << 20)
        mallopt(mmap_threshold, 8 << 20)


def return_memory() -> None:
    """Return freed memory to the kernel if this process has become much larger since the last time.

    glibc by itself returns only the end of its heap, and libpq keeps buffers as large as the largest row or COPY until
    the connection is closed. The connections are those of this thread. The rest waits for the last of the requests
    that are being handled, because a collection would traverse all objects of the others.
    """
    global _size
    size = resident()
    if size > _size + GROWTH:
        connections.close_all()
        if not _handling:
            gc.collect()
            if (malloc_trim := getattr(_libc, "malloc_trim", None)) is not None:
                malloc_trim(0)
            _size = size = resident()
    _size = min(_size, size)


def resident() -> int:
    """Bytes of this process in memory, also those that it shares."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


_size = resident()  # when this process returned memory last
