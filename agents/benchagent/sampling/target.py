"""Probes of the measured file system and its block devices."""

from __future__ import annotations

import glob
import os
from collections.abc import Collection, Iterator, Sequence

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


def target_probes(root: str, numbers: Sequence[str], names: Collection[str], block_size: int) -> Iterator[Probe]:
    """The probes of the file system on these devices, by their `MAJOR:MINOR` and their names in the kernel.

    `block_size` of the file system is in bytes.
    """
    yield _device(root, numbers)
    for name in sorted(names):
        yield from _ext4(root, name.replace("/", "!"), block_size)
        yield _xfs(root, name.replace("/", "!"))
    yield _btrfs(root, names)


def _device(root: str, numbers: Sequence[str]) -> Probe:
    """The counters of `/proc/diskstats`, from the files of sysfs that have those of one device."""
    paths = [f"{root}/sys/dev/block/{number}/stat" for number in numbers]
    fields = _DEVICE if all(map(_counts_flushes, paths)) else _WITHOUT_FLUSHES
    positions = [position for position, _ in fields.values()]

    def parse(content: bytes) -> list[int]:
        values = content.split()
        return [int(values[position]) for position in positions]

    scales = [scale for _, scale in fields.values()]
    return Probe(KernelFiles("/sys/dev/block/*/stat", list(fields), scales, parse), paths)


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
        yield Probe(KernelFiles(f"/sys/fs/ext4/*/{file}", (name,), (scale,), _number), [f"{root}{directory}/{file}"])
    path, names = "/proc/fs/jbd2/*/info", ("journal_commits",)
    files = KernelFiles(path, names, (1,), lambda content: (int(content.split()[0]),), copied=True)
    yield Probe(files, glob.glob(f"{root}/proc/fs/jbd2/{glob.escape(device)}-*/info"))


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


def _number(content: bytes) -> tuple[int]:
    return (int(content),)
