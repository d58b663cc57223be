"""btrfs; the kernel shows its format and its distribution over devices in /sys/fs/btrfs."""

from __future__ import annotations

import posixpath
import re

from .declaration import Checker, FileSystemType
from .options import BARRIERS, FEATURE, LABEL, NO_DATA_MODES, SIZE, OptionRule
from .reading import Facts, Format, MountInfo, Source

IDLE = (None, "none")


def directory(source: Source, device: str | None) -> str | None:
    """The directory in /sys/fs/btrfs of the file system that has `device` (kernel's name) among its devices."""
    for uuid in source.names("/sys/fs/btrfs"):
        base = posixpath.join("/sys/fs/btrfs", uuid)
        if device and device.replace("/", "!") in source.names(f"{base}/devices"):
            return base
    return None


def devices(source: Source, mount: MountInfo) -> list[str]:
    """The kernel's names of all devices of the file system whose mount names one of them."""
    first = posixpath.basename(source.resolve(mount.source))
    base = directory(source, first)
    return source.names(f"{base}/devices") if base else [first]


def bdi(source: Source, mount: MountInfo, device: str | None) -> str | None:
    """The directory with the read-ahead of the file system itself."""
    base = directory(source, device)
    return base and f"{base}/bdi"


def settings(source: Source, mount: MountInfo, device: str | None) -> Format:
    """The format settings."""
    base = directory(source, device)
    if base is None:
        return Format()
    checksum = source.line(f"{base}/checksum")
    return Format(
        features=source.names(f"{base}/features") or None,
        block_size=source.integer(f"{base}/sectorsize"),
        details={
            "node_size": source.integer(f"{base}/nodesize"),
            "checksum": checksum.split()[0] if checksum else None,
            "data_profile": _profiles(source, f"{base}/allocation/data"),
            "metadata_profile": _profiles(source, f"{base}/allocation/metadata"),
            "devices": len(source.names(f"{base}/devices")) or None,
        },
    )


def layers(source: Source, mount: MountInfo, device: str | None) -> list[Facts]:
    """The layer that distributes a file system over several devices; none for a single device."""
    base = directory(source, device)
    members = len(source.names(f"{base}/devices")) if base else 0
    if base is None or members < 2:
        return []
    level = _profiles(source, f"{base}/allocation/data")
    facts = {"metadata_profile": _profiles(source, f"{base}/allocation/metadata")}
    return [{"kind": "btrfs", "level": level, "members": members, "facts": facts}]


def states(source: Source, mount: MountInfo, device: str | None) -> list[Facts]:
    """Whether all devices are present and no operation moves data, in the shape of `state_before.arrays`."""
    base = directory(source, device)
    if base is None or len(source.names(f"{base}/devices")) < 2:
        return []
    numbers = source.names(f"{base}/devinfo")
    missing = any(source.integer(f"{base}/devinfo/{number}/missing") for number in numbers)
    operation = source.line(f"{base}/exclusive_operation")
    words = ["degraded"] if missing else []
    words += [str(operation)] if operation not in IDLE else []
    return [{"kind": "btrfs", "name": None, "state": ", ".join(words) or "healthy", "done": None}]


def _profiles(source: Source, directory: str) -> str | None:
    """The profiles in use; the kernel has a directory for each."""
    profiles = [name for name in source.names(directory) if re.fullmatch(r"single|dup|raid\w+", name)]
    return ", ".join(profiles) or None


FILE_SYSTEMS = (
    FileSystemType(
        "btrfs",
        rank=4,
        colour=(3, 0),
        package="btrfs-progs",
        usual=True,
        rules=(
            *BARRIERS,
            NO_DATA_MODES,
            OptionRule("alloc_start=.*", None, "it was removed in Linux 4.13", (4, 13)),
            OptionRule("inode_cache", None, "it was removed in Linux 5.11", (5, 11)),
        ),
        mkfs_options={
            "-d": "single|dup",
            "--data": "single|dup",
            "-K": "",
            "--nodiscard": "",
            "-L": LABEL,
            "--label": LABEL,
            "-M": "",
            "--mixed": "",
            "-m": "single|dup",
            "--metadata": "single|dup",
            "-n": SIZE,
            "--nodesize": SIZE,
            "-O": FEATURE,
            "--features": FEATURE,
            "-R": FEATURE,
            "--runtime-features": FEATURE,
            "-s": SIZE,
            "--sectorsize": SIZE,
            "--csum": "crc32c|xxhash|sha256|blake2",
            "--checksum": "crc32c|xxhash|sha256|blake2",
        },
        mount_options=r"compress(?:-force)?(?:=(?:no|none|zlib|lzo|zstd)(?::\d{1,2})?)?|(?:no)?datacow|(?:no)?datasum"
        r"|(?:no)?autodefrag|ssd|nossd|ssd_spread|nossd_spread|space_cache(?:=v[12])?|nospace_cache|commit=\d{1,5}"
        rf"|thread_pool=\d{{1,3}}|max_inline={SIZE}|(?:no)?flushoncommit|(?:no)?treelog|discard=(?:sync|async)"
        rf"|inode_cache|alloc_start={SIZE}",
        force=("-f",),
        keep=("-K",),
        # There is no quick check of a clean file system: each check reads all of the metadata.
        checker=Checker(
            "btrfs",
            dict.fromkeys(("fsck_clean", "fsck_forced", "fsck_dirty"), ("check", "--readonly")),
            whole=frozenset({0}),
            replays=True,
            version="--version",
        ),
        hold="remount,commit=300",  # seconds to the next state
        settings=settings,
        devices=devices,
        layers=layers,
        states=states,
        bdi=bdi,
        direct=True,
        direct_block=4096,
        direct_waits=True,
    ),
)
