"""Probes of the measured file system and its block devices."""

from __future__ import annotations

import glob
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Callable

from benchagent.inventory import Source
from benchagent.inventory.storage.journal import JOURNALS, journal_of

from .probe import KernelFiles, Probe

SECTOR = 512  # of /sys/block/*/stat and of xfs's log, whatever the device
MILLISECOND = 0.001

_DEVICE = {  # field of the file, counted from 0, and scale
    "device_reads": (0, 1),
    "device_read_bytes": (2, SECTOR),
    "device_read_time": (3, MILLISECOND),
    "device_writes": (4, 1),
    "device_write_bytes": (6, SECTOR),
    "device_write_time": (7, MILLISECOND),
    "device_in_flight": (8, 1),
    "device_busy_time": (9, MILLISECOND),
    "device_flushes": (15, 1),  # Linux 5.5
    "device_flush_time": (16, MILLISECOND),
}
_WITHOUT_FLUSHES = {name: field for name, field in _DEVICE.items() if "flush" not in name}
_DISK = {
    "disk_read_bytes": _DEVICE["device_read_bytes"],
    "disk_write_bytes": _DEVICE["device_write_bytes"],
    "disk_busy_time": _DEVICE["device_busy_time"],
}
_STAT = "/sys/dev/block/*/stat"


def target_probes(source: Source, numbers: Sequence[str], names: Collection[str], block_size: int) -> Iterator[Probe]:
    """The probes of the file system on these devices, by their `MAJOR:MINOR` and their names in the kernel.

    `block_size` of the file system is in bytes.
    """
    root = root_of(source)
    yield _device(root, numbers)
    for name in sorted(names):
        yield from _ext4(root, name.replace("/", "!"), block_size)
        yield _commits(root, journal_of(source, name))
        yield _xfs(root, name.replace("/", "!"))
    yield _btrfs(root, names)


def disk_probes(source: Source, disks: Mapping[str, str]) -> Iterator[Probe]:
    """A probe of each disk, given as `MAJOR:MINOR` by its name; its series have this name."""
    for name, number in disks.items():
        files = KernelFiles(_STAT, list(_DISK), [scale for _, scale in _DISK.values()], _fields_of(_DISK), device=name)
        yield Probe(files, [f"{root_of(source)}/sys/dev/block/{number}/stat"])


def root_of(source: Source) -> str:
    """What comes before the paths of the kernel's files."""
    return "" if source.live else source.root


def _device(root: str, numbers: Sequence[str]) -> Probe:
    """The counters of `/proc/diskstats`, from the files of sysfs that have those of one device."""
    paths = [f"{root}/sys/dev/block/{number}/stat" for number in numbers]
    fields = _DEVICE if all(map(_counts_flushes, paths)) else _WITHOUT_FLUSHES
    scales = [scale for _, scale in fields.values()]
    return Probe(KernelFiles(_STAT, list(fields), scales, _fields_of(fields)), paths)


def _fields_of(fields: Mapping[str, tuple[int, float]]) -> Callable[[bytes], list[int]]:
    """A reader of these fields, given by their positions from 0."""
    positions = [position for position, _ in fields.values()]

    def parse(content: bytes) -> list[int]:
        values = content.split()
        return [int(values[position]) for position in positions]

    return parse


def _counts_flushes(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return len(file.read().split()) > max(position for position, _ in _DEVICE.values())
    except OSError:
        return False


def _ext4(root: str, device: str, block_size: int) -> Iterator[Probe]:
    directory = f"/sys/fs/ext4/{device}"
    for name, file, scale in (
        ("file_system_write_bytes", "session_write_kbytes", 1024),
        ("file_system_delayed", "delayed_allocation_blocks", block_size),
    ):
        yield Probe(
            KernelFiles(f"/sys/fs/ext4/*/{file}", (name,), (scale,), lambda content: (int(content),)),
            [f"{root}{directory}/{file}"],
        )


def _commits(root: str, journal: str | None) -> Probe:
    """The transactions of a journal by its name in `/proc/fs/jbd2`."""
    names = ("journal_commits",)
    files = KernelFiles(f"{JOURNALS}/*/info", names, (1,), lambda content: (int(content.split()[0]),), copied=True)
    return Probe(files, [f"{root}{JOURNALS}/{journal}/info"] if journal else [])


def _xfs(root: str, device: str) -> Probe:
    def parse(content: bytes) -> tuple[int, int, int]:
        log = content[content.index(b"\nlog ") + 5 :].split(maxsplit=4)
        return int(log[0]), int(log[1]), int(log[3])

    names, scales = ("journal_writes", "journal_write_bytes", "journal_forces"), (1, SECTOR, 1)
    return Probe(
        KernelFiles("/sys/fs/xfs/*/stats/stats", names, scales, parse), [f"{root}/sys/fs/xfs/{device}/stats/stats"]
    )


def _btrfs(root: str, names: Collection[str]) -> Probe:
    """The commits of the btrfs on these devices, as Linux 6.0 and newer count them."""

    def parse(content: bytes) -> tuple[int, int]:
        facts = dict(line.split() for line in content.splitlines())
        return int(facts[b"commits"]), int(facts[b"total_commit_ms"])

    series = ("journal_commits", "journal_commit_time")
    files = KernelFiles("/sys/fs/btrfs/*/commit_stats", series, (1, MILLISECOND), parse)
    homes = [path for path in glob.glob(f"{root}/sys/fs/btrfs/*/devices") if set(os.listdir(path)) & set(names)]
    return Probe(files, [f"{os.path.dirname(path)}/commit_stats" for path in homes])
