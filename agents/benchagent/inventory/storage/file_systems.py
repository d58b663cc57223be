"""What a file system was made like: features and geometry, read by each file system's own means.

All give `{features, block_size, inode_size, stride, stripe_width, details{}}` with sizes in bytes, as far as they are
known; features are sorted, and None where nothing could be read. `details` are settings that only this type has.
"""

from __future__ import annotations

import re

from benchagent.inventory.facts import Facts
from benchagent.inventory.source import Source

from . import btrfs, zfs

# Features of ext that are state, set and cleared by mounting, and not how the file system was made.
EXT_STATE = frozenset({"needs_recovery", "orphan_present"})
XFS_FEATURES = re.compile(
    r"\b(crc|finobt|sparse|rmapbt|reflink|bigtime|inobtcount|nrext64|exchange|parent|metadir|ftype|ascii-ci|lazy-count"
    r"|projid32bit)=1\b"
)


def file_system(source: Source, kind: str | None, device: str | None, point: str, mounted: str = "") -> Facts:
    """Features and geometry of the file system of type `kind` that is mounted at `point`.

    `device` is the kernel's name of its (first) device, `mounted` what the table of mounts calls it: ZFS's dataset.
    """
    if kind in ("ext2", "ext3", "ext4") and device:
        # Reading the superblock takes root.
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
    """`dumpe2fs -h`: `Name: value` lines. RAID stride and stripe width are in blocks there and in bytes here."""
    fields = dict(re.findall(r"^([^:\n]+):[ \t]+(.*?)[ \t]*$", text, re.MULTILINE))
    features = fields.get("Filesystem features")
    block = _number(fields.get("Block size"))
    known = {
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
        "details": {key: value for key, value in known.items() if value is not None},
    }


def parse_xfs_info(text: str) -> Facts:
    """`xfs_info`: sections of `key=value`. Several have a bsize; stripe units count the blocks of their own section."""
    sections: dict[str, dict[str, str]] = {}
    name = ""
    for line in text.splitlines():
        heading = re.match(r"(\S[^=\s]*)\s*=", line)
        name = heading[1] if heading else name
        sections.setdefault(name, {}).update(re.findall(r"([\w-]+)=(\w+)", line[line.find("=") + 1 :]))
    meta, data, journal = (sections.get(key, {}) for key in ("meta-data", "data", "log"))
    block = _number(data.get("bsize"))
    known = {
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
        "details": {key: value for key, value in known.items() if value is not None},
    }


def _number(text: str | None) -> int | None:
    match = re.match(r"\d+", text or "")
    return int(match[0]) if match else None


def _suffixed(text: str | None) -> int | None:
    """`8M`, `1024k` or `4096` as e2fsprogs prints sizes, in bytes."""
    match = re.fullmatch(r"(\d+)([kKMG]?)", text or "")
    return int(match[1]) * {"": 1, "K": 1024, "M": 1024**2, "G": 1024**3}[match[2].upper()] if match else None


def _times(text: str | None, unit: int | None) -> int | None:
    """A count of blocks in bytes; None for none and for 0, which both tools print where nothing was set."""
    count = _number(text)
    return count * unit if count and unit else None
