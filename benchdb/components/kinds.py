"""The kinds of components: the facets that identify one, and the settings that follow from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchdb.catalog.component_addresses import (
    ComponentKind,
    component_address,
    raid_address,
    read_raid_name,
    say_raid,
)
from benchdb.runs.listing.filters import FACETS
from benchdb.runs.listing.query import RunListQuery

Identity = tuple[str | None, ...]  # the values of the facets of a kind, as texts of the database; None if not known


@dataclass(frozen=True)
class KindDescription:
    """What is special about a kind.

    `facets` identify a component; `follows` are facets that it decides, so they may differ in a pair. `compared`:
    components of this kind can be compared with each other.
    """

    key: ComponentKind
    noun: str
    title: str
    facets: tuple[str, ...]
    follows: tuple[str, ...] = ()
    compared: bool = True

    @property
    def plural(self) -> str:
        """The plural of `noun`."""
        return f"{self.noun}s"

    def identities(self, name: str) -> Sequence[Identity]:
        """What a name in an address may mean, the likeliest first; nothing for an impossible name."""
        if self.key is ComponentKind.RAID:
            try:
                level, chunk = read_raid_name(name)
            except ValueError:
                return []
            return [(level, None if chunk is None else str(chunk))]
        return [(None,), (name,)] if name == FACETS[self.facets[0]].word else [(name,)]

    def address(self, identity: Identity) -> str:
        """The address of a component."""
        if self.key is ComponentKind.RAID:
            return raid_address(*_raid(identity))
        return component_address(self.key, identity[0])

    def query(self, identity: Identity) -> RunListQuery:
        """The query of the list of its runs."""
        return RunListQuery(facets={name: (value,) for name, value in zip(self.facets, identity, strict=True)})

    def say(self, identity: Identity) -> str:
        """The name of a component on pages."""
        return say_raid(*_raid(identity)) if self.key is ComponentKind.RAID else identity[0] or "unknown"


def _raid(identity: Identity) -> tuple[str | None, int | None]:
    level, chunk = identity
    return level, None if chunk is None else int(chunk)


_ALL = (
    KindDescription(
        ComponentKind.FILE_SYSTEM,
        "file system",
        "File systems",
        ("file_system",),
        ("block_size", "mkfs_options", "mount_option", "read_ahead"),
    ),
    KindDescription(ComponentKind.KERNEL, "kernel", "Kernels", ("kernel",)),
    KindDescription(ComponentKind.DISK, "disk", "Disks", ("disk",), ("transport", "scheduler", "read_ahead")),
    KindDescription(
        ComponentKind.RAID,
        "RAID layout",
        "RAID layouts",
        ("raid_level", "raid_chunk"),
        ("raid_members", "scheduler", "read_ahead", "mkfs_options", "mount_option"),
    ),
    KindDescription(ComponentKind.TOOL, "tool", "Tools", ("tool",), compared=False),
)
KINDS = {kind.key: kind for kind in _ALL}
