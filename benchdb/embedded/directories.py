"""Directories that belong to one user."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from benchdb.embedded.supervisor.privileges import Account

from .config import Paths
from .errors import ServiceError


def private_directory(path: Path, account: Account | None = None, *, mode: int = 0o700) -> None:
    """Make a directory for `account`, or for this user, that others may not enter. Raises ServiceError.

    An existing directory must belong to this user or the account: it may be in a temp directory, where every user can
    make directories, and its name is predictable.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    wanted = account.uid if account else os.geteuid()
    try:
        path.mkdir(mode=0o700)
    except FileExistsError:
        status = path.lstat()
        if not stat.S_ISDIR(status.st_mode) or status.st_uid not in (wanted, os.geteuid()):
            raise ServiceError(
                f"{path} is not a directory of the user with id {wanted}. Check it, and remove it if it is not needed."
            ) from None
    if account:
        os.chown(path, account.uid, account.gid)
    path.chmod(mode)


def socket_directory(paths: Paths) -> None:
    """Make the directory of the sockets; under root, PostgreSQL's user must pass through it to its own."""
    private_directory(paths.sockets, mode=0o711 if os.geteuid() == 0 else 0o700)
