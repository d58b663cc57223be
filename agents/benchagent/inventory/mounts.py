"""What is mounted where: /proc/self/mountinfo, described in proc(5)."""

from __future__ import annotations

import re
from typing import NamedTuple

# Options that say from where or for whom a mount is, not how: addresses, names and directories of other machines and
# containers, and numbers that change with every snapshot. They are private, no setting, or both.
NOT_SETTINGS = re.compile(
    r"(?:client|mount)?addr|mounthost|user(?:name)?|domain|pass(?:word)?|credentials|source|prefixpath"
    r"|(?:lower|upper|work)dir\+?|subvol(?:id)?|fd|pgrp|pipe_ino|minproto|maxproto"
)
# ext4's defaults do not show in mountinfo; these decide how fast it is, so they are recorded even if they are default.
EXT_EFFECTIVE = re.compile(
    r"(?:no)?(?:barrier|delalloc|auto_da_alloc)|data|commit|dioread_(?:no)?lock|journal_checksum|journal_async_commit"
    r"|discard|stripe|inode_readahead_blks"
)


class Mount(NamedTuple):
    """One line of mountinfo. `root` is the directory of the file system that is seen at `point`."""

    id: int
    parent: int
    device: str  # major:minor
    root: str
    point: str
    options: list[str]  # of this mount
    type: str
    source: str
    super_options: list[str]  # of the file system, the same in every place where it is mounted


def parse_mountinfo(text: str) -> list[Mount]:
    """All mounts, in the kernel's order. Lines that are not mountinfo's are passed over."""
    mounts = []
    for line in text.splitlines():
        # Any number of optional fields stand before the hyphen.
        left, hyphen, right = line.partition(" - ")
        head, tail = left.split(" "), right.split(" ")
        if not hyphen or len(head) < 6 or len(tail) < 3 or not (head[0].isdecimal() and head[1].isdecimal()):
            continue
        mounts.append(
            Mount(
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


def mount_of(mounts: list[Mount], path: str) -> Mount | None:
    """The mount that `path` (absolute, without symbolic links) is on, None where the table does not show it (chroot).

    Goes from mount to mount as the kernel walks the path, so that a mount which hides another one is found, and a
    hidden one is not.
    """
    known = {mount.id for mount in mounts}
    current: Mount | None = None
    while True:
        below = [
            mount
            for mount in mounts
            if (mount.parent == current.id if current else mount.parent not in known or mount.parent == mount.id)
            and mount is not current
            and _contains(mount.point, path)
        ]
        if not below:
            return current
        current = min(below, key=lambda mount: len(mount.point))


def effective_options(mount: Mount, ext_options: str | None = None) -> list[str]:
    """The options in force: of the mount, then of the file system, then ext4's silent defaults that matter.

    `ext_options` is the content of `/proc/fs/ext4/DEVICE/options`, which lists the defaults too.
    """
    listed = [*mount.options, *mount.super_options]
    options = ["ro" if "ro" in listed else "rw"]
    listed += [option for option in (ext_options or "").split() if EXT_EFFECTIVE.fullmatch(_key(option))]
    for option in listed:
        nothing = option in ("", "ro", "rw", "stripe=0")  # the last is ext4's way to say that there is no stripe
        if not nothing and option not in options and not NOT_SETTINGS.fullmatch(_key(option)):
            options.append(option)
    return options


def _key(option: str) -> str:
    return option.partition("=")[0]


def _contains(point: str, path: str) -> bool:
    return path == point or path.startswith(point.rstrip("/") + "/")


def _unescape(text: str) -> str:
    """mountinfo writes blank, tab, newline and backslash as octal escapes."""
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), text)
