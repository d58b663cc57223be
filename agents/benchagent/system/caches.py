"""Empties the page cache of the whole machine. Source: Documentation/admin-guide/sysctl/vm.rst of the kernel."""

from __future__ import annotations

import os
from pathlib import Path

DROP_CACHES = Path("/proc/sys/vm/drop_caches")
EVERYTHING = "3"  # pages of files, and what is known of files and directories


def can_drop_caches() -> bool:
    """Containers often have /proc/sys read-only, for root too."""
    return os.access(DROP_CACHES, os.W_OK)


def drop_caches() -> None:
    """Only clean pages go, so everything is written first."""
    os.sync()
    DROP_CACHES.write_text(EVERYTHING)
