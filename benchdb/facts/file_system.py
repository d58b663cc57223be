"""The facts of the file system: how it was made, set up and mounted."""

from __future__ import annotations

from operator import attrgetter

from benchagent.filesystems import named
from benchdb.wording.sizes import say_size

from .entries import command, options, size, text
from .fact import Fact, Filter, FormEntry, Page
from .guarding import Guard, GuardFamily, GuardOptions, Weight, apart, within
from .options import arguments
from .run import Run
from .stored import StoredFileSystem, StoredTarget

GROUP = "File system"
FORCE = frozenset({"-f", "-F", "-ff", "-q"})  # options of mkfs with which it asks nothing and prints nothing

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


def _chosen_options(run: Run) -> list[str] | None:
    """The options that a person chose, each with its value; None if the file system existed before the run."""
    command = _file_system(run).get("mkfs_command")
    if not command:
        return None
    declared = named(command[0].rpartition("mkfs.")[2])
    # What the agent always gives mkfs, so that it asks no questions and leaves the device's space allocated.
    return arguments(command[1:], {*FORCE, *arguments([*declared.force, *declared.keep])})


def _details(run: Run) -> dict[str, object]:
    """Settings that only this type of file system has, and settings made after mkfs."""
    facts: StoredTarget = run.target.facts
    extra = facts.get("extra") or {}
    settings = extra.get("file_system")
    tuned = {"tune2fs_command": extra["tune2fs_command"]} if extra.get("tune2fs_command") else {}
    return {**(settings if isinstance(settings, dict) else {}), **tuned}


def _mkfs_options(target: StoredTarget) -> str:
    """The options of mkfs in the order of their names, without the type and without those that make it ask nothing."""
    file_system = target["file_system"]
    command_line = file_system.get("mkfs_command") or []
    forced = arguments(named(file_system["type"]).force)
    return " ".join(sorted(arguments(command_line[1:], {*FORCE, *forced, f"-t {file_system['type']}"})))


def _made_with(run: Run) -> str:
    return run.target.mkfs_options or "defaults"


def _mount_options(run: Run) -> str | None:
    listed = run.target.mount_options
    return None if listed is None else ",".join(listed) or "defaults"


def _say_set(size: int) -> str:
    return say_size(size) if size else "not set"


FILE_SYSTEM = (
    Fact("file_system", "file system", column="target__file_system", path="target/file_system/type", chosen=True,
         filter=Filter(group=GROUP), entry=FormEntry(GROUP, "ext4", text),
         guard=Guard(weight=Weight.FILE_SYSTEM, component="target", severe=True),
         page=Page("file-systems", follow=("block_size", "mkfs_options", "mount_option", "read_ahead"))),
    Fact("block_size", "block size", kind="size", noun="{} blocks", column="target__block_size",
         path="target/file_system/block_size", chosen=True, filter=Filter(group=GROUP),
         entry=FormEntry(GROUP, "4 KiB", size), guard=Guard(weight=Weight.FORMAT, component="target")),
    Fact("mkfs_options", "mkfs options", _made_with, noun="mkfs {}",
         column="target__mkfs_options", store=_mkfs_options, chosen=True,
         filter=Filter(group=GROUP, sql="coalesce(nullif(t.mkfs_options, ''), 'defaults')"),
         entry=FormEntry(GROUP, "mkfs.ext4 -E stride=16", command, "mkfs_command", "mkfs command",
                     "target", "/file_system/mkfs_command"),
         guard=GuardOptions(weight=Weight.MKFS, of=_chosen_options, component="target", of_kind=of_file_system,
                            across=lambda option: OF_EXT not in option, dimension="mkfs_option"),
         follow="features block_size inode_size stride stripe_width settings size file_system.* "
                "fill files free_fragments"),
    Fact("mount_options", "mount options", _mount_options, column="target__mount_options", path="target/mount/options",
         chosen=True,
         filter=Filter(group=GROUP, sql="t.mount_options::text[]", many=True, name="mount_option", label="mount option",
                       absent="none known"),
         entry=FormEntry(GROUP, "noatime,barrier=1", options),
         guard=GuardOptions(weight=Weight.MOUNT, of=attrgetter("target.mount_options"), component="target",
                            of_kind=of_file_system, across=COMMON_OPTIONS.__contains__, dimension="mount_option")),
    Fact("features", "features",
         guard=GuardOptions(weight=Weight.FORMAT, of=lambda run: _file_system(run).get("features") or None,
                            component="target", of_kind=of_file_system)),
    Fact("settings", "file system settings",
         guard=GuardOptions(weight=Weight.FORMAT, of=lambda run: _file_system(run).get("options"), component="target",
                            of_kind=of_file_system)),
    Fact("inode_size", "inode size", kind="size",
         guard=Guard(weight=Weight.FORMAT, component="target", of_kind=of_file_system,
                     of=lambda run: _file_system(run).get("inode_size"))),
    Fact("stride", "stride",
         guard=Guard(weight=Weight.FORMAT, component="target", of_kind=of_file_system, say=_say_set,
                     of=lambda run: _file_system(run).get("stride") or 0)),
    Fact("stripe_width", "stripe width",
         guard=Guard(weight=Weight.FORMAT, component="target", of_kind=of_file_system, say=_say_set,
                     of=lambda run: _file_system(run).get("stripe_width") or 0)),
    Fact("size", "file system size",
         guard=Guard(weight=Weight.FORMAT, component="target", of=lambda run: _file_system(run).get("size"),
                     say=say_size, severe=apart(0.5), same=within(0.1))),
    Fact("target_kind", "target",
         guard=Guard(weight=Weight.FORMAT, component="target", of=attrgetter("target.kind"))),
    Fact("file_system.*", "", guard=GuardFamily(weight=Weight.FORMAT, of=_details, component="target",
                                              of_kind=of_file_system)),
)  # fmt: skip
