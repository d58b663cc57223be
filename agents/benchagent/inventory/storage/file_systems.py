"""Reads the features and geometry with which a file system was made.

All functions return `{features, block_size, inode_size, stride, stripe_width, details{}}` with sizes in bytes; unknown
sizes are None. `features` are sorted, or None if they could not be read. `details` are specific to the type.
"""

from __future__ import annotations

import re

from benchagent.inventory.facts import Facts
from benchagent.inventory.source import Source

from . import btrfs, zfs

# Features of ext that are state, because mounting sets and clears them.
EXT_STATE = frozenset({"needs_recovery", "orphan_present"})
XFS_FEATURES = re.compile(
    r"\b(crc|finobt|sparse|rmapbt|reflink|bigtime|inobtcount|nrext64|exchange|parent|metadir|ftype|ascii-ci|lazy-count"
    r"|projid32bit)=1\b"
)


def file_system(source: Source, kind: str | None, device: str | None, point: str, mounted: str = "") -> Facts:
    """Features and geometry of the file system of type `kind` that is mounted at `point`.

    `device` is the kernel's name of its (first) device, `mounted` its source in the table of mounts, such as a ZFS
    dataset.
    """
    if kind in ("ext2", "ext3", "ext4") and device:
        # Only root can read the superblock.
        return parse_dumpe2fs(source.output("dumpe2fs", "-h", "/dev/" + device) or "")
    if kind == "xfs":
        return parse_xfs_info(source.output("xfs_info", point) or "")
    if kind == "f2fs" and device:
        listed = source.line(f"/sys/fs/f2fs/{device}/features")
        features = None if listed is None else sorted(filter(None, listed.split(", ")))
        return {**btrfs.UNKNOWN, "features": features, "details": {}}
    if kind == "btrfs" and device:
        return btrfs.settings(source, device)
    if kind == "zfs":
        return zfs.settings(source, mounted)
    return {**btrfs.UNKNOWN, "details": {}}


def parse_dumpe2fs(text: str) -> Facts:
    """The facts in `dumpe2fs -h`: `Name: value` lines, with RAID stride and stripe width in blocks."""
    fields = dict(re.findall(r"^([^:\n]+):[ \t]+(.*?)[ \t]*$", text, re.MULTILINE))
    features = fields.get("Filesystem features")
    block = _number(fields.get("Block size"))
    details = {
        "journal_size": _suffixed(fields.get("Total journal size") or fields.get("Journal size")),
        "inode_count": _number(fields.get("Inode count")),
        "blocks_per_group": _number(fields.get("Blocks per group")),
        "flex_block_group_size": _number(fields.get("Flex block group size")),
        "reserved_blocks": _number(fields.get("Reserved block count")),
    }
    return {
        "features": None if features is None else sorted(set(features.split()) - EXT_STATE),
        "block_size": block,
        "inode_size": _number(fields.get("Inode size")),
        "stride": _times(fields.get("RAID stride"), block),
        "stripe_width": _times(fields.get("RAID stripe width"), block),
        "details": {key: value for key, value in details.items() if value is not None},
    }


def parse_xfs_info(text: str) -> Facts:
    """The facts in `xfs_info`: sections of `key=value`; stripe units count blocks of their own section's bsize."""
    sections: dict[str, dict[str, str]] = {}
    name = ""
    for line in text.splitlines():
        heading = re.match(r"(\S[^=\s]*)\s*=", line)
        name = heading[1] if heading else name
        sections.setdefault(name, {}).update(re.findall(r"([\w-]+)=(\w+)", line[line.find("=") + 1 :]))
    meta, data, journal = (sections.get(key, {}) for key in ("meta-data", "data", "log"))
    block = _number(data.get("bsize"))
    details = {
        "allocation_groups": _number(meta.get("agcount")),
        "allocation_group_size": _times(meta.get("agsize"), block),
        "sector_size": _number(meta.get("sectsz")),
        "log_size": _times(journal.get("blocks"), _number(journal.get("bsize"))),
        "log_stripe_unit": _times(journal.get("sunit"), _number(journal.get("bsize"))),
    }
    return {
        "features": sorted(set(XFS_FEATURES.findall(text))) if meta else None,
        "block_size": block,
        "inode_size": _number(meta.get("isize")),
        "stride": _times(data.get("sunit"), block),
        "stripe_width": _times(data.get("swidth"), block),
        "details": {key: value for key, value in details.items() if value is not None},
    }


def _number(text: str | None) -> int | None:
    match = re.match(r"\d+", text or "")
    return int(match[0]) if match else None


def _suffixed(text: str | None) -> int | None:
    """A size as printed by e2fsprogs (`8M`, `1024k`, `4096`), in bytes."""
    match = re.fullmatch(r"(\d+)([kKMG]?)", text or "")
    return int(match[1]) * {"": 1, "K": 1024, "M": 1024**2, "G": 1024**3}[match[2].upper()] if match else None


def _times(text: str | None, unit: int | None) -> int | None:
    """A number of blocks in bytes; None for a missing number and for 0, which means that nothing was set."""
    count = _number(text)
    return count * unit if count and unit else None
