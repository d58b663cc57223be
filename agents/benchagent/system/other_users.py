"""Decides whether another user can replace what a path names, while the agent works there as root.

A user who owns a directory, or may write into it, can put a link in place of any name in it, at any moment. Root would
then write or remove files somewhere else. So every directory and link on the way must belong to root, and only root may
write there. A directory with the sticky bit, such as /tmp, may lie on the way: nobody can rename the entries of others.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from benchagent.errors import UnsafeDirectory

MOST_LINKS = 40  # as in the kernel
WRITABLE = stat.S_IWGRP | stat.S_IWOTH  # an access list shows in the bits of the group


def why_unsafe(path: Path, *, own: bool = False) -> str | None:
    """How other users could change what `path` names; None if they cannot, or if this user is not root.

    The names after the first one that does not exist are not judged. With `own`, others must not even add entries to
    `path` itself, as they can in /tmp. The answer stays true, because only root can change what was judged.
    """
    if os.geteuid() != 0:
        return None
    real = os.path.realpath(path)
    try:
        for place, status in _on_the_way(path):
            if status.st_uid != 0:
                return f"{place} belongs to another user"
            if _writable(status) and ((own and place == real) or not status.st_mode & stat.S_ISVTX):
                return f"others may write into {place} (mode {stat.S_IMODE(status.st_mode):o})"
    except OSError as error:  # even root may not look into some file systems of users
        return f"{error.filename} cannot be examined: {error.strerror}"
    return None


def refuse_unsafe(path: Path, *, own: bool = False) -> None:
    """Raise UnsafeDirectory if `why_unsafe` has a reason."""
    why = why_unsafe(path, own=own)
    if why is not None:
        raise UnsafeDirectory(why)


def without_links(path: Path) -> Path:
    """The absolute path without symbolic links. Raises UnsafeDirectory if other users can change what it names."""
    refuse_unsafe(path)
    return Path(os.path.realpath(path))


def _writable(status: os.stat_result) -> bool:
    return not stat.S_ISLNK(status.st_mode) and bool(status.st_mode & WRITABLE)


def _on_the_way(path: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Every directory and link that the kernel passes on the way to `path`, then `path`, as far as they exist.

    It looks behind a name only after the caller has accepted that name. Raises OSError for a name that cannot be
    examined.
    """
    here, names, links = "/", list(reversed(path.absolute().parts[1:])), 0
    yield here, os.lstat(here)
    while names:
        name = names.pop()
        place = os.path.dirname(here) if name == ".." else os.path.join(here, name)
        try:
            status = os.lstat(place)
        except OSError as error:
            if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG):
                return
            raise
        yield place, status
        if not stat.S_ISLNK(status.st_mode):
            here = place
            continue
        links += 1
        if links > MOST_LINKS:
            return  # the kernel refuses such a path
        target = os.readlink(place)
        names += [part for part in reversed(target.split("/")) if part not in ("", ".")]
        here = "/" if target.startswith("/") else here
