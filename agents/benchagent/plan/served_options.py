"""Options that a plan from a server may give to mkfs, tune2fs and mount: those that stay on the target.

An option that is not listed is refused, so that a new option of a newer program does no harm before it was reviewed.
These are left out on purpose: options that name another device, file or directory (`-d`, `-r`, `-p`, `-J device=`,
`logdev=`, `device=`, `loop`), options that can stop the machine (`errors=panic`, `-e`), positional arguments (a size,
or a device), and options for permissions on the mounted file system (`suid`, `dev`, `exec`, `user`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_NUMBER = r"\d{1,12}"
_SIZE = r"\d{1,12}[bBkKmMgGsStT]?"
_BIT = "[01]"
_LABEL = r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,11}"
_FEATURE = r"\^?[a-z][a-z0-9_-]{0,31}"

Flags = Mapping[str, str]  # flag → pattern of its value, or of each comma-separated part of it; empty: no value

_EXT: Flags = {
    "-b": _SIZE,
    "-C": _SIZE,
    "-D": "",
    "-E": rf"(?:stride|stripe[_-]width|num_backup_sb|packed_meta_blocks|lazy_itable_init|lazy_journal_init)={_NUMBER}"
    "|discard|nodiscard",
    "-G": _NUMBER,
    "-g": _NUMBER,
    "-I": _NUMBER,
    "-i": _NUMBER,
    "-J": rf"(?:size|fast_commit_size)={_NUMBER}",
    "-j": "",
    "-L": _LABEL,
    "-m": r"\d{1,2}(?:\.\d{1,4})?",
    "-N": _NUMBER,
    "-O": _FEATURE,
    "-q": "",
    "-T": r"[a-z0-9]{1,16}",
}
MKFS: Mapping[str, Flags] = {
    "ext2": _EXT,
    "ext3": _EXT,
    "ext4": _EXT,
    "xfs": {
        "-b": rf"size={_SIZE}",
        "-d": rf"(?:agcount|agsize|su|sw|sunit|swidth)={_SIZE}|noalign",
        "-i": rf"(?:size|maxpct|perblock|align|attr|projid32bit|sparse|nrext64|exchange)={_SIZE}",
        "-K": "",
        "-L": _LABEL,
        "-l": rf"(?:size|version|sunit|su|lazy-count)={_SIZE}|internal(?:=1)?",
        "-m": rf"(?:crc|finobt|reflink|rmapbt|bigtime|inobtcount)={_BIT}",
        "-n": rf"(?:size|version|ftype)={_SIZE}|version=ci",
        "-q": "",
        "-s": rf"size={_SIZE}",
    },
    "btrfs": {
        "-d": "single|dup",
        "--data": "single|dup",
        "-K": "",
        "--nodiscard": "",
        "-L": _LABEL,
        "--label": _LABEL,
        "-M": "",
        "--mixed": "",
        "-m": "single|dup",
        "--metadata": "single|dup",
        "-n": _SIZE,
        "--nodesize": _SIZE,
        "-O": _FEATURE,
        "--features": _FEATURE,
        "-R": _FEATURE,
        "--runtime-features": _FEATURE,
        "-s": _SIZE,
        "--sectorsize": _SIZE,
        "--csum": "crc32c|xxhash|sha256|blake2",
        "--checksum": "crc32c|xxhash|sha256|blake2",
    },
    "f2fs": {
        "-a": _BIT,
        "-l": _LABEL,
        "-O": _FEATURE,
        "-o": _NUMBER,
        "-s": _NUMBER,
        "-t": _BIT,
        "-z": _NUMBER,
    },
}
TUNE2FS: Flags = {
    "-c": r"-?\d{1,5}",
    "-E": rf"(?:stride|stripe[_-]width)={_NUMBER}",
    "-i": rf"{_NUMBER}[dmw]?",
    "-J": rf"size={_NUMBER}",
    "-j": "",
    "-L": _LABEL,
    "-m": r"\d{1,2}(?:\.\d{1,4})?",
    "-O": _FEATURE,
    "-o": r"\^?(?:journal_data|journal_data_ordered|journal_data_writeback|nobarrier|block_validity|discard|nodelalloc"
    "|acl|user_xattr|uid16|bsdgroups)",
    "-r": _NUMBER,
}

_ANY_MOUNT = (
    "defaults|noatime|atime|relatime|norelatime|strictatime|nostrictatime|diratime|nodiratime|lazytime|nolazytime"
    "|sync|async|dirsync|barrier|nobarrier|barrier=[01]|discard|nodiscard"
)
_EXT_MOUNT = (
    r"data=(?:ordered|writeback|journal)|commit=\d{1,5}|(?:no)?journal_checksum|journal_async_commit|(?:no)?delalloc"
    rf"|stripe={_NUMBER}|inode_readahead_blks={_NUMBER}|(?:max|min)_batch_time={_NUMBER}|dioread_(?:no)?lock"
    rf"|(?:no)?auto_da_alloc|mb_optimize_scan={_BIT}|nobh|bh|(?:no)?user_xattr|(?:no)?acl|(?:no)?reservation|orlov"
    rf"|oldalloc|(?:no)?block_validity|journal_ioprio=[0-7]|noinit_itable|init_itable={_NUMBER}"
    "|errors=(?:continue|remount-ro)|(?:no)?extents|(?:no)?mballoc"
)
MOUNT: Mapping[str, str] = {
    "ext2": _EXT_MOUNT,
    "ext3": _EXT_MOUNT,
    "ext4": _EXT_MOUNT,
    "xfs": rf"logbufs=\d|logbsize={_SIZE}|allocsize={_SIZE}|inode(?:32|64)|noalign|swalloc|sunit={_NUMBER}"
    rf"|swidth={_NUMBER}|(?:no)?largeio|wsync|(?:no)?delaylog|(?:no)?attr2|noquota|(?:no)?ikeep"
    rf"|ihashsize={_NUMBER}|osyncisd?sync|irixsgid",
    "btrfs": r"compress(?:-force)?(?:=(?:no|none|zlib|lzo|zstd)(?::\d{1,2})?)?|(?:no)?datacow|(?:no)?datasum"
    rf"|(?:no)?autodefrag|ssd|nossd|ssd_spread|nossd_spread|space_cache(?:=v[12])?|nospace_cache|commit=\d{{1,5}}"
    rf"|thread_pool=\d{{1,3}}|max_inline={_SIZE}|(?:no)?flushoncommit|(?:no)?treelog|discard=(?:sync|async)"
    rf"|inode_cache|alloc_start={_SIZE}",
    "f2fs": r"mode=(?:adaptive|lfs)|background_gc=(?:on|off|sync)|(?:no)?inline_data|(?:no)?inline_dentry"
    r"|(?:no)?extent_cache|(?:no)?flush_merge|active_logs=[246]|alloc_mode=(?:default|reuse)"
    r"|fsync_mode=(?:posix|strict|nobarrier)|data_flush",
    "reiserfs": "notail|nolog|hash=(?:rupasov|tea|r5)",
    "jfs": "(?:no)?integrity",
    "nilfs2": "order=(?:relaxed|strict)",
}


def refused_arguments(flags: Flags, arguments: Sequence[str]) -> list[str]:
    """The arguments of a program that are not among `flags`, or have a value that is not allowed."""
    refused, waiting = [], list(arguments)
    while waiting:
        argument = waiting.pop(0)
        flag, value = _split(flags, argument)
        if flag is None:
            refused.append(argument)
        elif not flags[flag]:
            refused += [argument] if value is not None else []
        else:
            value = waiting.pop(0) if value is None and waiting else value
            if value is None or not all(re.fullmatch(flags[flag], part, re.ASCII) for part in value.split(",")):
                refused.append(" ".join(dict.fromkeys((argument, value or argument))))
    return refused


def refused_mount_options(file_system: str, options: Sequence[str]) -> list[str]:
    """The mount options that a plan from a server may not use."""
    allowed = f"{_ANY_MOUNT}|{MOUNT.get(file_system, 'defaults')}"
    single = [item for option in options for item in option.split(",")]  # mount splits them like this
    return [option for option in single if not re.fullmatch(allowed, option, re.ASCII)]


def _split(flags: Flags, argument: str) -> tuple[str | None, str | None]:
    """`-b4096` → (`-b`, `4096`), `--csum=xxhash` → (`--csum`, `xxhash`), `-b` → (`-b`, None)."""
    if argument in flags:
        return argument, None
    if argument.startswith("--"):
        flag, separator, value = argument.partition("=")
        return (flag if separator and flag in flags else None), value
    flag, value = argument[:2], argument[2:]
    return (flag if flag in flags else None), value
