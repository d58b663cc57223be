"""Translates options, file systems and schedulers of the articles' years for current kernels.

An option that has another name now is renamed, with a note. If a kernel can no longer do what an option requests, the
target is refused with the reason: its points are skipped, because a result under a wrong name is worse than none. An
option without a rule is not changed; the kernel accepts or rejects it when the target is prepared.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from benchagent.plan.model import Plan, Target

Version = tuple[int, ...]
EXT = ("ext2", "ext3", "ext4")


class OptionRefused(Exception):
    """The running kernel cannot do what the plan requests."""


@dataclass(frozen=True)
class OptionRule:
    """How to replace a mount option on these file systems, in kernels from `since` on.

    `option` is a pattern. `instead` is the replacement: "" if the option is obsolete, None if the kernel cannot do it
    any more. `mkfs` are arguments of mkfs with the same effect.
    """

    file_systems: tuple[str, ...]
    option: str
    instead: str | None
    why: str = ""
    since: Version = (0,)
    mkfs: tuple[str, ...] = ()

    def fits(self, file_system: str, option: str, kernel: Version) -> bool:
        return file_system in self.file_systems and kernel >= self.since and bool(re.fullmatch(self.option, option))


_ON, _OFF = r"barrier(=1|=flush)?", r"nobarrier|barrier=(0|none)"

# The first rule that fits applies. ext2, ext3 and ext4 accept barrier=0, barrier=1, barrier and nobarrier unchanged.
RULES = (
    OptionRule(("xfs",), _ON, "", "xfs always writes with barriers since Linux 4.10", (4, 10)),
    OptionRule(("xfs",), _OFF, None, "xfs always writes with barriers since Linux 4.10", (4, 10)),
    OptionRule(("xfs", "btrfs", "nilfs2", "hfsplus"), _ON, "barrier"),
    OptionRule(("xfs", "btrfs", "nilfs2", "hfsplus", "f2fs"), _OFF, "nobarrier"),
    OptionRule(("f2fs",), _ON, "", "f2fs writes with barriers unless told otherwise"),
    OptionRule(("reiserfs",), _ON, "barrier=flush"),
    OptionRule(("reiserfs",), _OFF, "barrier=none"),
    OptionRule(("jfs",), f"{_ON}|{_OFF}", None, "jfs has no such option"),
    OptionRule(EXT, "barrier=flush", "barrier=1"),
    OptionRule(EXT, "barrier=none", "barrier=0"),
    OptionRule(
        ("ext2", "xfs", "btrfs", "f2fs", "jfs", "nilfs2", "hfsplus"),
        "data=(writeback|ordered|journal)",
        None,
        "only ext3, ext4 and reiserfs have data modes",
    ),
    OptionRule(("ext4",), "extents", "", "ext4 keeps files in extents unless mkfs is told otherwise"),
    # The 64-bit block numbers that mkfs.ext4 uses by default need extents.
    OptionRule(("ext4",), "noextents", "", "it is a feature of the file system now", mkfs=("-O", "^extent,^64bit")),
    OptionRule(("ext4",), "mballoc", "", "it is ext4's only allocator"),
    OptionRule(("ext4",), "nomballoc", None, "ext4 has no other allocator"),
    OptionRule(("ext2", "ext3"), "delalloc", None, "delayed allocation came with ext4"),
    OptionRule(("ext3", "ext4"), "orlov", "", "it is the only directory allocator", (4, 3)),
    OptionRule(("ext3", "ext4"), "oldalloc", None, "the old directory allocator is gone", (4, 3)),
    OptionRule(("ext3", "ext4"), "bh", "", "it says nothing since Linux 4.3", (4, 3)),
    OptionRule(("ext3", "ext4"), "nobh", None, "it does nothing since Linux 4.3", (4, 3)),
    OptionRule(("ext3",), "reservation", "", "ext4's driver, which mounts ext3 since Linux 4.3, preallocates", (4, 3)),
    OptionRule(("ext3",), "noreservation", None, "it went with the ext3 driver in Linux 4.3", (4, 3)),
    OptionRule(("ext3", "ext4"), "noacl|nouser_xattr", None, "it was removed in Linux 6.1", (6, 1)),
    OptionRule(("xfs",), "delaylog", "", "it is xfs's only way to log since Linux 3.3", (3, 3)),
    OptionRule(("xfs",), "nodelaylog", None, "xfs delays its log always since Linux 3.3", (3, 3)),
    OptionRule(("xfs",), "ihashsize=.*", "", "the inode hash is gone since Linux 2.6.24", (2, 6, 24)),
    OptionRule(("xfs",), "osyncisosync", "", "O_SYNC is what it says since Linux 2.6.33", (2, 6, 33)),
    OptionRule(("xfs",), "osyncisdsync", None, "O_SYNC is what it says since Linux 2.6.33", (2, 6, 33)),
    OptionRule(("xfs",), "irixsgid", None, "it was removed in Linux 4.0", (4, 0)),
    OptionRule(("xfs",), "attr2|noikeep", "", "it is always so since Linux 6.18", (6, 18)),
    OptionRule(("xfs",), "noattr2|ikeep", None, "it was removed in Linux 6.18", (6, 18)),
    OptionRule(("btrfs",), "alloc_start=.*", None, "it was removed in Linux 4.13", (4, 13)),
    OptionRule(("btrfs",), "inode_cache", None, "it was removed in Linux 5.11", (5, 11)),
)

# File systems that were removed from the kernel or never were in it.
NEVER = {"reiser4": "reiser4 was never part of Linux, only of patched kernels"}
GONE = {"reiserfs": ((6, 13), "reiserfs was removed in Linux 6.13")}
RENAMED = {"ext4dev": ("ext4", "ext4dev is called ext4 since Linux 2.6.28")}

# The elevators of the single queue, and the nearest ones of the multi-queue layer, the only layer since Linux 5.0.
MULTI_QUEUE: Version = (5, 0)
SCHEDULERS = {
    "noop": ("none", "both pass requests on as they come"),
    "deadline": ("mq-deadline", "it is the same algorithm"),
    "cfq": ("bfq", "both share the disk's time among processes, and idle for the next request of one"),
    "as": ("bfq", "the anticipatory scheduler gave way to cfq in Linux 2.6.33, this to bfq"),
    "anticipatory": ("bfq", "the anticipatory scheduler gave way to cfq in Linux 2.6.33, this to bfq"),
}


def version_of(release: str | None) -> Version:
    """`6.1.0-28-amd64` is (6, 1, 0). A release without a number counts as new."""
    match = re.match(r"[0-9]+(\.[0-9]+)*", release or "")
    return tuple(int(part) for part in match.group().split(".")) if match else (99,)


def translated(plan: Plan, release: str | None) -> Plan:
    """The plan for the kernel of this release, with unchanged ids."""
    kernel = version_of(release)
    return replace(plan, targets=tuple(translate(target, kernel) for target in plan.targets))


def translate(target: Target, kernel: Version) -> Target:
    """The target for this kernel: `notes` lists the changes, `refused` is why it cannot be made."""
    notes: list[str] = []
    scheduler = _scheduler(target.scheduler, kernel, notes)
    if not target.is_made:
        return replace(target, scheduler=scheduler, notes=(*target.notes, *notes))
    try:
        file_system = _file_system(target.file_system, kernel, notes)
        if target.tune2fs and file_system not in EXT:
            raise OptionRefused(f"tune2fs tunes ext2, ext3 and ext4, not {file_system}")
        mount_options, mkfs_options = _options(target.mount_options, file_system, kernel, notes)
    except OptionRefused as reason:
        return replace(target, refused=str(reason))
    return replace(
        target,
        file_system=file_system,
        mkfs_options=(*target.mkfs_options, *mkfs_options),
        mount_options=tuple(mount_options),
        scheduler=scheduler,
        notes=(*target.notes, *notes),
    )


def _file_system(name: str, kernel: Version, notes: list[str]) -> str:
    if name in NEVER:
        raise OptionRefused(NEVER[name])
    if name in GONE and kernel >= GONE[name][0]:
        raise OptionRefused(GONE[name][1])
    if name not in RENAMED:
        return name
    name, why = RENAMED[name]
    notes.append(why)
    return name


def _options(
    options: Iterable[str], file_system: str, kernel: Version, notes: list[str]
) -> tuple[list[str], list[str]]:
    """The translated mount options, and arguments of mkfs that replace others of them."""
    mount: list[str] = []
    mkfs: list[str] = []
    for option in _single(options):
        rule = next((rule for rule in RULES if rule.fits(file_system, option, kernel)), None)
        if rule is None or rule.instead == option:
            mount.append(option)
            continue
        if rule.instead is None:
            raise OptionRefused(f"{option} cannot be had on {file_system}: {rule.why}")
        if rule.instead:
            notes.append(f"{option} is written {rule.instead} on {file_system}")
            mount.append(rule.instead)
        elif rule.mkfs:
            notes.append(f"{option} is given to mkfs as {' '.join(rule.mkfs)}: {rule.why}")
            mkfs += rule.mkfs
        else:
            notes.append(f"{option} is left out on {file_system}: {rule.why}")
    return mount, mkfs


def _single(options: Iterable[str]) -> Iterator[str]:
    """The single options; mount accepts several in one text, separated by commas."""
    return (item for option in options for item in option.split(",") if item)


def _scheduler(name: str | None, kernel: Version, notes: list[str]) -> str | None:
    if name not in SCHEDULERS or kernel < MULTI_QUEUE:
        return name
    instead, why = SCHEDULERS[name]
    notes.append(f"scheduler {name} is {instead}: {why}")
    return instead
