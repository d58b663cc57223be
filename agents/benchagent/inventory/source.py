"""Reads facts from the running machine, or from a recorded tree of another one.

A recorded tree is a directory with copies of files of `/proc`, `/sys`, `/etc` and `/run` under their own paths, and

- `commands/NAME`: the output of a command. NAME is the command line with everything but letters, digits and
  ` -=+,:@._` percent-encoded, for example `commands/dumpe2fs -h %2Fdev%2Fsda1`.
- `paths.json`: the results of `stat` and `statvfs` for paths, `{"/mnt/data": {"device": "8:1", "bytes": 4096, …}}`,
with the fields of `PathFacts`.

A missing, unreadable or empty file gives `None`, which means unknown; the cause is logged at level debug.
"""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from typing import NamedTuple, Union
from urllib.parse import quote

from .declared import Declarations
from .facts import clean

AnyPath = Union[str, "os.PathLike[str]"]

COMMAND_SECONDS = 5
# Users of Debian have no sbin in their PATH, but the tools that print file system geometry are there.
COMMAND_PATH = "/usr/sbin:/sbin:/usr/bin:/bin:/usr/local/sbin:/usr/local/bin"

log = logging.getLogger(__name__)


class PathFacts(NamedTuple):
    """The results of stat and statvfs for a path.

    Sizes are in bytes; `files` is the number of inodes, 0 for no limit.
    """

    device: str  # major:minor of the file system's device; anonymous (0:n) for btrfs, tmpfs, NFS, overlay
    bytes: int
    block_size: int
    file_system_size: int
    file_system_free: int
    files: int
    files_free: int


class Source:
    """Files and command outputs of the machine (`/`) or of a recorded tree, and its declarations."""

    def __init__(self, root: AnyPath = "/", declared: Declarations | None = None) -> None:
        self.root = os.path.realpath(root)
        self.declared = declared
        self.live = self.root == "/"

    def text(self, path: str) -> str | None:
        """The content of a text file; bytes that are not UTF-8 become U+FFFD."""
        real = self._place(path)
        if not (self.live or os.path.isfile(real)):  # reading a pipe in a recorded tree would block
            return None
        try:
            with open(real, encoding="utf-8", errors="replace") as file:
                return file.read()
        except OSError as error:
            log.debug("not read: %s", error)
            return None

    def line(self, path: str) -> str | None:
        """The content of a one-line file such as those of sysfs, cleaned."""
        return clean(self.text(path))

    def integer(self, path: str) -> int | None:
        """The content of a file that holds one decimal number."""
        text = self.line(path)
        return int(text) if text is not None and re.fullmatch(r"-?\d{1,20}", text) else None

    def names(self, path: str) -> list[str]:
        """The names in a directory, sorted with numbers by their value (`cpu2` before `cpu10`)."""
        try:
            return sorted(os.listdir(self._place(path)), key=_natural)
        except OSError as error:
            log.debug("not listed: %s", error)
            return []

    def exists(self, path: str) -> bool:
        return os.path.exists(self._place(path))

    def resolve(self, path: str) -> str:
        """The path without symbolic links, as the running or recorded machine names it."""
        real = os.path.realpath(self._place(path))
        return real if self.live else real[len(self.root) :] or "/"

    def path(self, path: str) -> PathFacts | None:
        """stat and statvfs of a path; None if it does not exist or is not accessible."""
        if not self.live:
            return self._recorded(path)
        try:
            status, space = os.stat(path), os.statvfs(path)
        except OSError as error:
            log.debug("no status: %s", error)
            return None
        return PathFacts(
            device=f"{os.major(status.st_dev)}:{os.minor(status.st_dev)}",
            bytes=status.st_size,
            block_size=space.f_frsize or space.f_bsize,
            file_system_size=space.f_blocks * space.f_frsize,
            file_system_free=space.f_bfree * space.f_frsize,
            files=space.f_files,
            files_free=space.f_ffree,
        )

    def _recorded(self, path: str) -> PathFacts | None:
        try:
            recorded = json.loads(self.text("/paths.json") or "{}").get(path)
            return PathFacts(**recorded) if recorded else None
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            log.warning("paths.json is damaged: %s", error)
            return None

    def output(self, *command: str, accept: Iterable[int] = (0,)) -> str | None:
        """The output of a command in the C locale; None if the command is missing, fails, or takes longer than 5 s."""
        if not self.live:
            return self.text("/commands/" + command_name(command))
        program = shutil.which(command[0], path=COMMAND_PATH)
        if program is None:
            log.debug("not installed: %s", command[0])
            return None
        try:
            done = subprocess.run(
                [program, *command[1:]],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=COMMAND_SECONDS,
                env={"LC_ALL": "C", "PATH": COMMAND_PATH},
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            log.warning("%s: %s", command[0], error)
            return None
        if done.returncode not in accept:
            log.debug("%s: status %d: %s", command, done.returncode, done.stderr.decode("utf-8", "replace").strip())
            return None
        return done.stdout.decode("utf-8", "replace")

    def _place(self, path: str) -> str:
        """The real path of a file.

        A link out of a recorded tree gives a path that does not exist, not one of this machine.
        """
        if self.live:
            return path
        location = os.path.join(self.root, os.path.normpath("/" + path).lstrip("/"))
        inside = os.path.commonpath([os.path.realpath(location), self.root]) == self.root
        return location if inside else os.path.join(self.root, "outside the recorded tree")


def command_name(command: Iterable[str]) -> str:
    """The name of the file in a recorded tree's `commands/` that holds the output of `command`."""
    return quote(" ".join(command), safe=" -=+,:@._")


def _natural(name: str) -> list[tuple[int, str]]:
    return [(int(piece), "") if piece.isdecimal() else (-1, piece) for piece in re.split(r"(\d+)", name) if piece]
