"""f2fs, for flash memory."""

from __future__ import annotations

from .declaration import Checker, FileSystemType
from .options import BIT, FEATURE, LABEL, NO_DATA_MODES, NUMBER, WITH_BARRIERS, WITHOUT_BARRIERS, OptionRule
from .reading import Format, MountInfo, Source


def settings(source: Source, mount: MountInfo, device: str | None) -> Format:
    """The features that the kernel lists."""
    listed = source.line(f"/sys/fs/f2fs/{device}/features")
    return Format(features=None if listed is None else sorted(filter(None, listed.split(", "))))


FILE_SYSTEMS = (
    FileSystemType(
        "f2fs",
        rank=5,
        colour=(5, 0),
        package="f2fs-tools",
        rules=(
            OptionRule(WITHOUT_BARRIERS, "nobarrier"),
            OptionRule(WITH_BARRIERS, "", "f2fs writes with barriers unless told otherwise"),
            NO_DATA_MODES,
        ),
        mkfs_options={
            "-a": BIT,
            "-l": LABEL,
            "-O": FEATURE,
            "-o": NUMBER,
            "-s": NUMBER,
            "-t": BIT,
            "-z": NUMBER,
        },
        mount_options=r"mode=(?:adaptive|lfs)|background_gc=(?:on|off|sync)|(?:no)?inline_data|(?:no)?inline_dentry"
        r"|(?:no)?extent_cache|(?:no)?flush_merge|active_logs=[246]|alloc_mode=(?:default|reuse)"
        r"|fsync_mode=(?:posix|strict|nobarrier)|data_flush",
        force=("-f",),
        keep=("-t", "0"),
        checker=Checker(
            "fsck.f2fs",
            {"fsck_clean": ("-a",), "fsck_forced": ("-f",), "fsck_dirty": ("-f",)},
            whole=frozenset({0, 1, 2, 3}),
            replays=True,
        ),
        settings=settings,
        direct=True,
        direct_block=4096,
        direct_unsure=frozenset({"mode=lfs"}),
    ),
)
