"""Empties the page cache of the whole machine. Source: Documentation/admin-guide/sysctl/vm.rst of the kernel."""

from __future__ import annotations

import os
from pathlib import Path

DROP_CACHES = Path("/proc/sys/vm/drop_caches")
EVERYTHING = "3"  # page cache, dentries and inodes


def can_drop_caches() -> bool:
    """Whether the caches can be dropped; in containers, /proc/sys is often read-only even for root."""
    return os.access(DROP_CACHES, os.W_OK)


def drop_caches() -> None:
    """Write back all dirty pages, because only clean pages can be dropped, and drop the caches."""
    os.sync()
    DROP_CACHES.write_text(EVERYTHING)
