"""Builds the command prefix that sets a service's user and ends it when the supervisor dies.

The prefix is `setpriv` of util-linux (part of every Debian and Ubuntu). It asks the kernel to send the child a signal
when its parent dies (prctl PR_SET_PDEATHSIG), after the change of user, which would clear that request. A `preexec_fn`
could do the same, but Python's documentation warns against it in programs with threads.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from signal import Signals

from benchdb.embedded.errors import ServiceError

# Services are also started with a minimal environment.
SEARCH_PATH = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/bin", "/bin"])


@dataclass(frozen=True)
class Account:
    """The user that a service runs as, and the one capability it keeps to reach its files, if it needs one."""

    name: str
    uid: int
    gid: int
    capability: str | None = None


def launcher(orphan_signal: Signals, account: Account | None = None) -> list[str]:
    """The prefix of a command that runs it as `account`, and sends it `orphan_signal` when the supervisor dies."""
    setpriv = shutil.which("setpriv", path=SEARCH_PATH)
    if setpriv is None:
        raise ServiceError(
            "The command setpriv is missing: install the package util-linux, or set DATABASE_URL and REDIS_URL to "
            "servers that already run."
        )
    words = [setpriv, f"--pdeathsig={orphan_signal.name.removeprefix('SIG')}"]
    if account:
        words += [f"--reuid={account.uid}", f"--regid={account.gid}", "--clear-groups"]
        if account.capability:
            # PostgreSQL asks access(2), which looks at the capabilities of a user other than root only under the
            # secure bit no_setuid_fixup (man 2 access, man 7 capabilities).
            words += [
                f"--inh-caps=+{account.capability}",
                f"--ambient-caps=+{account.capability}",
                "--securebits=+no_setuid_fixup",
            ]
    return [*words, "--"]


def unprivileged_account(data: Path, needed: Sequence[Path]) -> Account | None:
    """The user for a server that refuses to run as root: the owner of its data if this process is root, else None.

    New data belong to `nobody`. `needed` are files and directories that this user must be able to execute or enter. If
    one is inside a private directory (a clone in /root), the user keeps a capability to pass it, so that nothing
    outside var/ has to be made readable. Raises ServiceError.
    """
    if os.geteuid() != 0:
        return None
    user = _owner(data)
    obstacle = ""
    # Most containers do not grant dac_read_search but dac_override, which is more than needed yet less than root.
    for capability in (None, "dac_read_search", "dac_override"):
        account = Account(user.pw_name, user.pw_uid, user.pw_gid, capability)
        obstacle = _obstacle(account, needed)
        if not obstacle:
            return account
    raise ServiceError(
        f"PostgreSQL does not run as root, and the user {user.pw_name} cannot reach {obstacle}. Move BenchDB to a "
        "directory that other users may enter (such as /srv/benchdb), or give this container the capabilities "
        "DAC_READ_SEARCH and SETPCAP, or start BenchDB as an ordinary user, or set DATABASE_URL."
    )


def _owner(data: Path) -> pwd.struct_passwd:
    """The owner of a data directory; `nobody` if it does not exist yet."""
    try:
        if not data.exists():
            return pwd.getpwnam("nobody")
        user = pwd.getpwuid(data.stat().st_uid)
    except KeyError:
        raise ServiceError(
            f"PostgreSQL does not run as root, and this system has no user `nobody` or no name for the "
            f"owner of {data}. Start BenchDB as an ordinary user, or set DATABASE_URL."
        ) from None
    if user.pw_uid == 0:
        raise ServiceError(
            f"{data} belongs to root, and PostgreSQL does not run as root. Give it to another user: "
            f"`chown -R nobody: {data}`."
        )
    return user


def _obstacle(account: Account, needed: Sequence[Path]) -> str:
    """The first path that the account cannot enter or execute, with setpriv's words if any; empty if there is none."""
    prefix = launcher(Signals.SIGKILL, account)
    for path in needed:
        check = subprocess.run([*prefix, "test", "-x", path], capture_output=True, text=True, check=False)
        if check.returncode != 0:
            return f"{path} ({check.stderr.strip()})" if check.stderr else str(path)
    return ""
