"""The program that checks each file system, and how it is told what to do: e2fsck(8), xfs_repair(8), btrfs-check(8),
fsck.f2fs(8).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from benchagent.system.process import run
from benchagent.system.programs import find_program


@dataclass(frozen=True)
class Checker:
    """`arguments` are those of each test. With one of the exit codes in `whole` the file system is whole afterwards.

    `replays`: the log is replayed by a mount, which is timed with the check, because the program wants it replayed.
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
        """Without the device: its number is no setting."""
        return (self.program, *self.arguments[test])

    def version_of(self) -> str | None:
        """Such as `1.47.0`."""
        program = self.find()
        if program is None:
            return None
        outcome = run([program, self.version])
        found = re.search(r"[0-9]+\.[0-9]+[0-9a-z.~+-]*", outcome.stdout + outcome.stderr)
        return found.group() if found else None


# After a crash e2fsck does what it finds necessary, and answers yes where a person at the boot would be asked.
_E2FSCK = Checker(
    "e2fsck",
    "e2fsprogs",
    {"fsck_clean": ("-p",), "fsck_forced": ("-f", "-y"), "fsck_dirty": ("-y",)},
    whole=frozenset({0, 1, 2, 3}),
    replays=False,
    version="-V",
)
# xfs and btrfs have nothing that looks at a clean file system only: each of their checks reads all of the metadata.
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
