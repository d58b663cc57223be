"""Facts of the file system: how it was made, set up and mounted."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from benchdb.runs.models import Run
from benchdb.runs.models.json_columns import StoredFileSystem, StoredTarget
from benchdb.wording.sizes import say_size

from .fact import Guarded, GuardedFact, GuardedFamily, GuardedOptions, apart, within

# Options that the agent always gives mkfs, so that it asks no questions and leaves the device's space allocated.
FORCED = {"ext": ("-F", "-E nodiscard", "-q"), "f2fs": ("-f", "-t 0"), "": ("-ff", "-f", "-K", "-q")}
# Mount options with the same meaning for every file system; the others are compared within one file system only. An
# option that only some file systems list as their default (barrier) is among the others.
COMMON_OPTIONS = frozenset({"ro", "noatime", "relatime", "strictatime", "nodiratime", "lazytime", "sync", "dirsync"})
COMMON_OPTIONS |= {"discard", "nobarrier", "barrier=0", "dax", "dax=always"}
# Options for work that mkfs.ext4 leaves to a thread during the benchmark; other file systems have no such options.
OF_EXT = "lazy_"


def _file_system(run: Run) -> StoredFileSystem:
    facts: StoredTarget = run.target.facts
    return facts["file_system"]


def of_file_system(run: Run) -> str | None:
    """The file system: features and options are compared only within one."""
    return run.target.file_system


def _mkfs_options(run: Run) -> list[str] | None:
    """The options that a person chose, each with its value; None if the file system existed before the run."""
    command = _file_system(run).get("mkfs_command")
    if not command:
        return None
    kind = command[0].rpartition("mkfs.")[2].rstrip("234")
    return arguments(command[1:], FORCED.get(kind, FORCED[""]))


def arguments(words: Sequence[str], left_out: Collection[str] = ()) -> list[str]:
    """`["-b 4096", "-E stride=32"]`: the options of a command line, each with the words after it."""
    options: list[str] = []
    for word in words:
        if options and not word.startswith("-"):
            options[-1] += f" {word}"
        else:
            options.append(word)
    return [option for option in options if option not in left_out]


def _details(run: Run) -> dict[str, object]:
    """Settings that only this type of file system has, and settings made after mkfs."""
    facts: StoredTarget = run.target.facts
    extra = facts.get("extra") or {}
    settings = extra.get("file_system")
    tuned = {"tune2fs_command": extra["tune2fs_command"]} if extra.get("tune2fs_command") else {}
    return {**(settings if isinstance(settings, dict) else {}), **tuned}


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
        "features", "features", lambda run: _file_system(run).get("features") or None, "target", of_kind=of_file_system
    ),
    GuardedOptions(
        "settings",
        "file system settings",
        lambda run: _file_system(run).get("options"),
        "target",
        of_kind=of_file_system,
    ),
    GuardedFact(
        "inode_size",
        "inode size",
        lambda run: _file_system(run).get("inode_size"),
        "target",
        say_size,
        of_kind=of_file_system,
    ),
    GuardedFact(
        "stride",
        "stride",
        lambda run: _file_system(run).get("stride") or 0,
        "target",
        lambda size: say_size(size) if size else "not set",
        of_kind=of_file_system,
    ),
    GuardedFact(
        "stripe_width",
        "stripe width",
        lambda run: _file_system(run).get("stripe_width") or 0,
        "target",
        lambda size: say_size(size) if size else "not set",
        of_kind=of_file_system,
    ),
    GuardedFact(
        "size",
        "file system size",
        lambda run: _file_system(run).get("size"),
        "target",
        say_size,
        apart(0.5),
        within(0.1),
    ),
    GuardedFact("target_kind", "target", lambda run: run.target.kind, "target"),
    GuardedFamily("file_system", "", _details, "target", of_kind=of_file_system),
]
