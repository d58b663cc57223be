"""The addresses of the pages of file systems, kernels, disks, RAID layouts and tools (docs/components.md)."""

from __future__ import annotations

import re

from django.urls import reverse

from benchdb.facts.registry import PAGES
from benchdb.wording.sizes import parse_size, print_size, say_size

UNKNOWN, NO_RAID, NO_CHUNK = "unknown", "none", "none"


class KindConverter:
    """The kind of component in an address: the name of its fact."""

    regex = "|".join(page.path for page in PAGES.values())

    def to_python(self, value: str) -> str:
        return next(name for name, page in PAGES.items() if page.path == value)

    def to_url(self, value: str) -> str:
        return PAGES[value].path


class NameConverter:
    """The name of a component in an address: any text, also with slashes."""

    regex = r"[\s\S]+"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


def component_address(kind: str, name: str | None) -> str:
    """The address of the page of a component, a value of the fact `kind`; `name` is None if it is not known."""
    return reverse("component", args=[kind, UNKNOWN if name is None else name])


def raid_address(level: str | None, chunk: int | None) -> str:
    """The address of the page of a RAID layout."""
    return reverse("component", args=["raid_level", raid_name(level, chunk)])


def raid_name(level: str | None, chunk: int | None) -> str:
    """The name of a RAID layout in addresses: `raid6-128K`; `raid1` without a chunk, `none` without RAID."""
    if level is None:
        return NO_RAID
    if chunk is None:  # the end of a level with a hyphen could be read as a chunk
        return f"{level}-{NO_CHUNK}" if "-" in level else level
    return f"{level}-{print_size(chunk)}"


def read_raid_name(name: str) -> tuple[str | None, int | None]:
    """Level and chunk of the name of a RAID layout. Raises ValueError for a name without a level."""
    level, hyphen, chunk = name.rpartition("-")
    if not hyphen:
        return (None if chunk == NO_RAID else chunk), None
    if not level:
        raise ValueError(f"{name!r} has no RAID level")
    return level, None if chunk == NO_CHUNK else parse_size(chunk)


def say_level(level: str | None) -> str:
    """`raid6` → `RAID 6`; ZFS's `raidz2` is unchanged."""
    return re.sub(r"^raid(?=\d)", "RAID ", level or "RAID of unknown level")


def say_raid(level: str | None, chunk: int | None) -> str:
    """`RAID 6, 128 KiB chunk`, `RAID 1`, `no RAID`."""
    if level is None:
        return "no RAID"
    return say_level(level) + ("" if chunk is None else f", {say_size(chunk)} chunk")
