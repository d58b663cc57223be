"""Facts of the file system: how it was made, set up and mounted."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from benchdb.runs.models import Run
from benchdb.wording.sizes import say_size

from .fact import Guarded, GuardedFact, GuardedFamily, GuardedOptions, apart, within

# What the agent's mkfs commands always have, so that they ask nothing and leave the device's space allocated.
FORCED = {"ext": ("-F", "-E nodiscard", "-q"), "f2fs": ("-f", "-t 0"), "": ("-ff", "-f", "-K", "-q")}
# Mount options that mean the same for every file system; the others are compared within one only. What some file
# systems list as their default and others do not (barrier) is among the others.
COMMON_OPTIONS = frozenset({"ro", "noatime", "relatime", "strictatime", "nodiratime", "lazytime", "sync", "dirsync"})
COMMON_OPTIONS |= {"discard", "nobarrier", "barrier=0", "dax", "dax=always"}
# What mkfs.ext4 leaves to a thread that works during the benchmark; no other file system has the like.
OF_EXT = "lazy_"


def _file_system(key: str) -> Any:
    return lambda run: run.target.facts["file_system"].get(key)


def of_file_system(run: Run) -> str | None:
    """The kind within which features and options are compared."""
    return run.target.file_system


def _mkfs_options(run: Run) -> list[str] | None:
    """The options that somebody chose, each with its value; None where the file system was there before."""
    command = run.target.facts["file_system"].get("mkfs_command")
    if not command:
        return None
    kind = command[0].rpartition("mkfs.")[2].rstrip("234")
    return arguments(command[1:], FORCED.get(kind, FORCED[""]))


def arguments(words: Sequence[str], left_out: Collection[str] = ()) -> list[str]:
    """`["-b 4096", "-E stride=32"]`: a command line's options, each with what follows it."""
    found: list[str] = []
    for word in words:
        if found and not word.startswith("-"):
            found[-1] += f" {word}"
        else:
            found.append(word)
    return [option for option in found if option not in left_out]


def _details(run: Run) -> dict[str, Any]:
    """Settings only this type of file system has, and what was set after mkfs."""
    extra = run.target.facts.get("extra") or {}
    found = extra.get("file_system")
    tuned = {"tune2fs_command": extra["tune2fs_command"]} if extra.get("tune2fs_command") else {}
    return {**(found if isinstance(found, dict) else {}), **tuned}


FILE_SYSTEM: list[Guarded] = [
    GuardedFact("file_system", "file system", of_file_system, "target", severe=True),
    GuardedOptions(
        "mount_options",
        "mount options",
        lambda run: run.target.mount_options,
        "target",
        of_kind=of_file_system,
        across=COMMON_OPTIONS.__contains__,
        dimension="mount_option",
    ),
    GuardedOptions(
        "mkfs_options",
        "mkfs options",
        _mkfs_options,
        "target",
        of_kind=of_file_system,
        across=lambda option: OF_EXT not in option,
        dimension="mkfs_option",
    ),
    GuardedFact("block_size", "block size", lambda run: run.target.block_size, "target", say_size),
    GuardedOptions(
        "features", "features", lambda r: _file_system("features")(r) or None, "target", of_kind=of_file_system
    ),
    GuardedOptions("settings", "file system settings", _file_system("options"), "target", of_kind=of_file_system),
    GuardedFact("inode_size", "inode size", _file_system("inode_size"), "target", say_size, of_kind=of_file_system),
    GuardedFact(
        "stride",
        "stride",
        lambda run: _file_system("stride")(run) or 0,
        "target",
        lambda size: say_size(size) if size else "not set",
        of_kind=of_file_system,
    ),
    GuardedFact(
        "stripe_width",
        "stripe width",
        lambda run: _file_system("stripe_width")(run) or 0,
        "target",
        lambda size: say_size(size) if size else "not set",
        of_kind=of_file_system,
    ),
    GuardedFact("size", "file system size", _file_system("size"), "target", say_size, apart(0.5), within(0.1)),
    GuardedFact("target_kind", "target", lambda run: run.target.kind, "target"),
    GuardedFamily("file_system", "", _details, "target", of_kind=of_file_system),
]
