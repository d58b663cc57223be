"""Reads the table of mounts: /proc/self/mountinfo, described in proc(5)."""

from __future__ import annotations

import re
from typing import NamedTuple

# Options about the source or the user of a mount: addresses, names and directories of other machines and containers,
# and numbers that change with every snapshot. These are private, or not settings, or both.
NOT_SETTINGS = re.compile(
    r"(?:client|mount)?addr|mounthost|user(?:name)?|domain|pass(?:word)?|credentials|source|prefixpath"
    r"|logdev|rtdev|jdev"  # layers of the stack
    r"|(?:lower|upper|work)dir\+?|subvol(?:id)?|fd|pgrp|pipe_ino|minproto|maxproto"
)
# mountinfo omits ext4's defaults. These options affect the speed, so they are recorded even if they have their default.
EXT_EFFECTIVE = re.compile(
    r"(?:no)?(?:barrier|delalloc|auto_da_alloc)|data|commit|dioread_(?:no)?lock|journal_checksum|journal_async_commit"
    r"|discard|stripe|inode_readahead_blks"
)


class MountInfo(NamedTuple):
    """One line of mountinfo. `root` is the directory of the file system that is visible at `point`."""

    id: int
    parent: int
    device: str  # major:minor
    root: str
    point: str
    options: list[str]  # of this mount
    type: str
    source: str
    super_options: list[str]  # of the file system, the same for all of its mounts


def parse_mountinfo(text: str) -> list[MountInfo]:
    """All mounts, in the kernel's order. Lines of any other form are skipped."""
    mounts = []
    for line in text.splitlines():
        # Any number of optional fields precede the hyphen.
        left, hyphen, right = line.partition(" - ")
        head, tail = left.split(" "), right.split(" ")
        if not hyphen or len(head) < 6 or len(tail) < 3 or not (head[0].isdecimal() and head[1].isdecimal()):
            continue
        mounts.append(
            MountInfo(
                id=int(head[0]),
                parent=int(head[1]),
                device=head[2],
                root=_unescape(head[3]),
                point=_unescape(head[4]),
                options=head[5].split(","),
                type=tail[0],
                source=_unescape(tail[1]),
                super_options=[_unescape(option) for option in tail[2].split(",")],
            )
        )
    return mounts


def mount_of(mounts: list[MountInfo], path: str) -> MountInfo | None:
    """The mount of `path` (absolute, without symbolic links); None if the table does not list it (chroot).

    Follows the mounts as the kernel walks the path, so that a mount which hides another one is returned, and a hidden
    mount is not.
    """
    listed = {mount.id for mount in mounts}
    current: MountInfo | None = None
    while True:
        candidates = [
            mount
            for mount in mounts
            if (mount.parent == current.id if current else mount.parent not in listed or mount.parent == mount.id)
            and mount is not current
            and _contains(mount.point, path)
        ]
        if not candidates:
            return current
        current = min(candidates, key=lambda mount: len(mount.point))


def effective_options(mount: MountInfo, ext_options: str | None = None) -> list[str]:
    """The effective options: of the mount, of the file system, and those defaults of ext4 that affect the speed.

    `ext_options` is the content of `/proc/fs/ext4/DEVICE/options`, which includes the defaults.
    """
    listed = [*mount.options, *mount.super_options]
    options = ["ro" if "ro" in listed else "rw"]
    listed += [option for option in (ext_options or "").split() if EXT_EFFECTIVE.fullmatch(_key(option))]
    for option in listed:
        redundant = option in ("", "ro", "rw", "stripe=0")  # ext4 writes stripe=0 if there is no stripe
        if not redundant and option not in options and not NOT_SETTINGS.fullmatch(_key(option)):
            options.append(option)
    return options


def _key(option: str) -> str:
    return option.partition("=")[0]


def _contains(point: str, path: str) -> bool:
    return path == point or path.startswith(point.rstrip("/") + "/")


def _unescape(text: str) -> str:
    """Decode the octal escapes of mountinfo for blank, tab, newline and backslash."""
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), text)
