"""ext2, ext3 and ext4: one family of programs, and one driver in current kernels."""

from __future__ import annotations

import re
from dataclasses import replace

from .declaration import Checker, FileSystemType
from .options import BIT, FEATURE, LABEL, NO_DATA_MODES, NUMBER, SIZE, Flags, OptionRule
from .reading import Format, MountInfo, Source, number, times

STATE = frozenset({"needs_recovery", "orphan_present"})  # features that mounting sets and clears

TUNE2FS: Flags = {
    "-c": r"-?\d{1,5}",
    "-E": rf"(?:stride|stripe[_-]width)={NUMBER}",
    "-i": rf"{NUMBER}[dmw]?",
    "-J": rf"size={NUMBER}",
    "-j": "",
    "-L": LABEL,
    "-m": r"\d{1,2}(?:\.\d{1,4})?",
    "-O": FEATURE,
    "-o": r"\^?(?:journal_data|journal_data_ordered|journal_data_writeback|nobarrier|block_validity|discard|nodelalloc"
    "|acl|user_xattr|uid16|bsdgroups)",
    "-r": NUMBER,
}
# All three accept barrier=0, barrier=1, barrier and nobarrier unchanged.
_BARRIERS = (OptionRule("barrier=flush", "barrier=1"), OptionRule("barrier=none", "barrier=0"))
_NO_DELAY = OptionRule("delalloc", None, "delayed allocation came with ext4")
_SINCE_2015 = (
    OptionRule("orlov", "", "it is the only directory allocator", (4, 3)),
    OptionRule("oldalloc", None, "the old directory allocator is gone", (4, 3)),
    OptionRule("bh", "", "it says nothing since Linux 4.3", (4, 3)),
    OptionRule("nobh", None, "it does nothing since Linux 4.3", (4, 3)),
    OptionRule("noacl|nouser_xattr", None, "it was removed in Linux 6.1", (6, 1)),
)


def settings(source: Source, mount: MountInfo, device: str | None) -> Format:
    """The superblock, which only root can read."""
    return Format() if device is None else parse_dumpe2fs(source.output("dumpe2fs", "-h", "/dev/" + device) or "")


def parse_dumpe2fs(text: str) -> Format:
    """The facts in `dumpe2fs -h`: `Name: value` lines, with RAID stride and stripe width in blocks."""
    fields = dict(re.findall(r"^([^:\n]+):[ \t]+(.*?)[ \t]*$", text, re.MULTILINE))
    features = fields.get("Filesystem features")
    block = number(fields.get("Block size"))
    details = {
        "journal_size": _suffixed(fields.get("Total journal size") or fields.get("Journal size")),
        "inode_count": number(fields.get("Inode count")),
        "blocks_per_group": number(fields.get("Blocks per group")),
        "flex_block_group_size": number(fields.get("Flex block group size")),
        "reserved_blocks": number(fields.get("Reserved block count")),
    }
    return Format(
        features=None if features is None else sorted(set(features.split()) - STATE),
        block_size=block,
        inode_size=number(fields.get("Inode size")),
        stride=times(fields.get("RAID stride"), block),
        stripe_width=times(fields.get("RAID stripe width"), block),
        details=details,
    )


def _suffixed(text: str | None) -> int | None:
    """A size as printed by e2fsprogs (`8M`, `1024k`, `4096`), in bytes."""
    match = re.fullmatch(r"(\d+)([kKMG]?)", text or "")
    return int(match[1]) * {"": 1, "K": 1024, "M": 1024**2, "G": 1024**3}[match[2].upper()] if match else None


EXT2 = FileSystemType(
    "ext2",
    rank=0,
    colour=(6, 1),
    package="e2fsprogs",
    usual=True,
    rules=(*_BARRIERS, NO_DATA_MODES, _NO_DELAY),
    mkfs_options={
        "-b": SIZE,
        "-C": SIZE,
        "-D": "",
        "-E": r"(?:stride|stripe[_-]width|num_backup_sb|packed_meta_blocks|lazy_itable_init|lazy_journal_init)="
        rf"{NUMBER}|discard|nodiscard",
        "-G": NUMBER,
        "-g": NUMBER,
        "-I": NUMBER,
        "-i": NUMBER,
        "-J": rf"(?:size|fast_commit_size)={NUMBER}",
        "-j": "",
        "-L": LABEL,
        "-m": r"\d{1,2}(?:\.\d{1,4})?",
        "-N": NUMBER,
        "-O": FEATURE,
        "-q": "",
        "-T": r"[a-z0-9]{1,16}",
    },
    mount_options=r"data=(?:ordered|writeback|journal)|commit=\d{1,5}|(?:no)?journal_checksum|journal_async_commit"
    rf"|(?:no)?delalloc|stripe={NUMBER}|inode_readahead_blks={NUMBER}|(?:max|min)_batch_time={NUMBER}|dioread_(?:no)?lock"
    rf"|(?:no)?auto_da_alloc|mb_optimize_scan={BIT}|nobh|bh|(?:no)?user_xattr|(?:no)?acl|(?:no)?reservation|orlov"
    rf"|oldalloc|(?:no)?block_validity|journal_ioprio=[0-7]|noinit_itable|init_itable={NUMBER}"
    "|errors=(?:continue|remount-ro)|(?:no)?extents|(?:no)?mballoc",
    tuned=True,
    force=("-F",),
    keep=("-E", "nodiscard"),
    drivers=("ext4",),  # the module that mounts it in most distributions
    # After a crash, e2fsck repairs as it finds necessary; -y answers the questions that it asks a person at boot.
    checker=Checker(
        "e2fsck",
        {"fsck_clean": ("-p",), "fsck_forced": ("-f", "-y"), "fsck_dirty": ("-y",)},
        whole=frozenset({0, 1, 2, 3}),
        replays=False,
    ),
    settings=settings,
    direct=True,
    dax=True,
)
FILE_SYSTEMS = (
    EXT2,
    replace(
        EXT2,
        name="ext3",
        rank=1,
        colour=(5, 1),
        rules=(
            *_BARRIERS,
            _NO_DELAY,
            *_SINCE_2015,
            OptionRule("reservation", "", "ext4's driver, which mounts ext3 since Linux 4.3, preallocates", (4, 3)),
            OptionRule("noreservation", None, "it went with the ext3 driver in Linux 4.3", (4, 3)),
        ),
        data_journal="data=journal",
        dax=False,
    ),
    replace(
        EXT2,
        name="ext4",
        rank=2,
        colour=(1, 0),
        rules=(
            *_BARRIERS,
            OptionRule("extents", "", "ext4 keeps files in extents unless mkfs is told otherwise"),
            # The 64-bit block numbers that mkfs.ext4 uses by default need extents.
            OptionRule("noextents", "", "it is a feature of the file system now", mkfs=("-O", "^extent,^64bit")),
            OptionRule("mballoc", "", "it is ext4's only allocator"),
            OptionRule("nomballoc", None, "ext4 has no other allocator"),
            *_SINCE_2015,
        ),
        drivers=(),
        data_journal="data=journal",
    ),
    FileSystemType("ext4dev", rank=11, successor=("ext4", "ext4dev is called ext4 since Linux 2.6.28")),
)
