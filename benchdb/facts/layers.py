"""The kinds of layers between a mount and its disks, in words."""

from __future__ import annotations

KINDS = {
    "raid": "RAID",
    "lvm": "LVM",
    "crypt": "encryption",
    "loop": "loop device",
    "image": "image file",
    "zfs": "ZFS pool",
    "btrfs": "btrfs devices",
    "network": "other machine",
    "ramdisk": "RAM disk",
    "pmem": "persistent memory",
}
IN_MEMORY = frozenset(("tmpfs", "zram", "ramdisk"))


def say_layers(kinds: str) -> str:
    """A target's facet `layers`: `LVM → encryption`, `none`."""
    return " → ".join(KINDS.get(kind, kind) for kind in kinds.split())
