"""Whether a file system does what O_DIRECT asks for: open succeeds on many that use a cache all the same."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum

from .access import READS, Access


class Direct(StrEnum):
    """NOT_ASKED: without O_DIRECT. BUFFERED: the file system uses the page cache all the same. UNSURE: perhaps."""

    NOT_ASKED = "not_asked"
    HONOURED = "honoured"
    BUFFERED = "buffered"
    UNSURE = "unsure"


def direct_access(
    options: Collection[str],
    access: Access,
    record_size: int | None = None,
    *,
    honoured: bool,
    block: int = 1,
    buffered: str | None = None,
    unsure: Collection[str] = (),
    waits: bool = False,
) -> Direct:
    """How a file system treats a file that was opened with O_DIRECT; one that is not known to honour it is UNSURE.

    `options` are the mount options, `record_size` is in bytes. The rest belongs to the file system: records that are no
    multiple of `block` bytes go through the page cache, with the option `buffered` all do, with one of `unsure` all
    may, and with `waits` a write that is buffered waits for the device. docs/statistics.md has the reasons.
    """
    if not honoured:
        return Direct.UNSURE
    if buffered in options:
        return Direct.BUFFERED
    if waits and access not in READS:
        return Direct.HONOURED
    if record_size and record_size % block:
        return Direct.BUFFERED
    return Direct.UNSURE if compresses(options) or any(option in unsure for option in options) else Direct.HONOURED


def compresses(options: Collection[str]) -> bool:
    """Whether mount options ask a file system for compression, so that the device moves less than the test."""
    asked = [option.partition("=") for option in options if option.startswith(("compress", "compression"))]
    return any(value not in ("no", "none") for _, _, value in asked)
