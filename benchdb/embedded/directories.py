"""Directories that belong to one user."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from benchdb.embedded.supervisor.privileges import Account

from .config import Paths
from .errors import ServiceError


def private_directory(path: Path, account: Account | None = None, *, mode: int = 0o700) -> None:
    """Make a directory for `account`, or for us, that others may not enter.

    One that is there already must be ours or the account's: it may lie in a temp directory, where everybody can make
    directories, under a name that can be foreseen. Raises ServiceError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    wanted = account.uid if account else os.geteuid()
    try:
        path.mkdir(mode=0o700)
    except FileExistsError:
        status = path.lstat()
        if not stat.S_ISDIR(status.st_mode) or status.st_uid not in (wanted, os.geteuid()):
            raise ServiceError(
                f"{path} is not a directory of the user with id {wanted}. Look at it, and remove it if nobody needs it."
            ) from None
    if account:
        os.chown(path, account.uid, account.gid)
    path.chmod(mode)


def socket_directory(paths: Paths) -> None:
    """Make the directory of the sockets. As root, PostgreSQL's user must pass it to reach its own one inside."""
    private_directory(paths.sockets, mode=0o711 if os.geteuid() == 0 else 0o700)
