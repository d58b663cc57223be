"""The programs that check file systems and their arguments: e2fsck(8), xfs_repair(8), btrfs-check(8), fsck.f2fs(8)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from benchagent.system.process import run
from benchagent.system.programs import find_program


@dataclass(frozen=True)
class Checker:
    """A checker of one type of file system, with the arguments of each test.

    An exit code in `whole` means that the file system is intact afterwards. With `replays`, the program requires that
    the log is replayed first; a mount does so, and its time counts with the check.
    """

    program: str
    package: str
    arguments: dict[str, tuple[str, ...]]
    whole: frozenset[int]
    replays: bool
    version: str  # the argument that prints it

    def find(self) -> str | None:
        return find_program(self.program)

    def command(self, test: str) -> tuple[str, ...]:
        """The command line without the device, whose name is not a setting."""
        return (self.program, *self.arguments[test])

    def version_of(self) -> str | None:
        """The version of the program, such as `1.47.0`."""
        program = self.find()
        if program is None:
            return None
        outcome = run([program, self.version])
        version = re.search(r"[0-9]+\.[0-9]+[0-9a-z.~+-]*", outcome.stdout + outcome.stderr)
        return version.group() if version else None


# After a crash, e2fsck repairs as it finds necessary; -y answers the questions that it asks a person at boot.
_E2FSCK = Checker(
    "e2fsck",
    "e2fsprogs",
    {"fsck_clean": ("-p",), "fsck_forced": ("-f", "-y"), "fsck_dirty": ("-y",)},
    whole=frozenset({0, 1, 2, 3}),
    replays=False,
    version="-V",
)
# xfs and btrfs have no quick check of a clean file system: each of their checks reads all of the metadata.
CHECKERS = {
    "ext2": _E2FSCK,
    "ext3": _E2FSCK,
    "ext4": _E2FSCK,
    "xfs": Checker(
        "xfs_repair",
        "xfsprogs",
        {"fsck_clean": ("-n",), "fsck_forced": (), "fsck_dirty": ()},
        whole=frozenset({0}),
        replays=True,
        version="-V",
    ),
    "btrfs": Checker(
        "btrfs",
        "btrfs-progs",
        dict.fromkeys(("fsck_clean", "fsck_forced", "fsck_dirty"), ("check", "--readonly")),
        whole=frozenset({0}),
        replays=True,
        version="--version",
    ),
    "f2fs": Checker(
        "fsck.f2fs",
        "f2fs-tools",
        {"fsck_clean": ("-a",), "fsck_forced": ("-f",), "fsck_dirty": ("-f",)},
        whole=frozenset({0, 1, 2, 3}),
        replays=True,
        version="-V",
    ),
}
