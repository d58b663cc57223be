"""Whether a file system does what O_DIRECT asks for: open succeeds on many that use a cache all the same."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum

from .access import READS, Access

BLOCK = 4096
"""btrfs and f2fs serve records that are no multiple of their block from the page cache."""
HONOURED_BY = frozenset(("ext2", "ext3", "ext4", "xfs", "jfs", "btrfs", "f2fs", "bcachefs", "nilfs2", "vfat", "exfat"))


class Direct(StrEnum):
    """NOT_ASKED: without O_DIRECT. BUFFERED: the file system uses the page cache all the same. UNSURE: perhaps."""

    NOT_ASKED = "not_asked"
    HONOURED = "honoured"
    BUFFERED = "buffered"
    UNSURE = "unsure"


def direct_access(
    file_system: str | None, options: Collection[str], access: Access, record_size: int | None = None
) -> Direct:
    """How a file system treats a file that was opened with O_DIRECT.

    `options` are the mount options, `record_size` is in bytes. docs/statistics.md has the reason for each case.
    """
    if file_system not in HONOURED_BY:
        return Direct.UNSURE
    if file_system in ("ext3", "ext4") and "data=journal" in options:
        return Direct.BUFFERED
    if file_system == "btrfs" and access not in READS:
        return Direct.HONOURED  # where it has to buffer a write, it waits for the device before it returns
    if file_system in ("btrfs", "f2fs") and record_size and record_size % BLOCK:
        return Direct.BUFFERED
    if compresses(file_system, options) or (file_system == "f2fs" and "mode=lfs" in options):
        return Direct.UNSURE
    return Direct.HONOURED


def compresses(file_system: str | None, options: Collection[str]) -> bool:
    """Whether mount options ask a file system for compression, so that the device moves less than the test."""
    asked = [option.partition("=") for option in options if option.startswith(("compress", "compression"))]
    return any(value not in ("no", "none") for _, _, value in asked)
