"""Two causes of change inside a round that the series name: ext4's lazy initialization, and the limit of dirty data."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

from benchagent.documents.records import SampledSeries
from benchagent.formats import parse
from benchagent.formats.packing.series import unpacked
from benchagent.formats.sampled import MOST_POINTS
from benchagent.inventory import Source
from benchagent.measuring.evidence import devices_of
from benchagent.sampling import Sampler, own_series, sampling
from benchagent.system.process import run
from benchdb.stats.settling import in_seconds, settling
from tests.bench.ratios import Ledger

MIB = 1 << 20
IMAGE = 8 << 30  # sparse
INODES = IMAGE // 16384 * 256  # bytes of the inode tables that mkfs.ext4 makes by default
LIMIT = 512 * MIB  # of dirty data
SLOW = 10 * MIB  # bytes a second of the device
SECONDS = 53  # of the dirty data; all is written back at the end
VM = Path("/proc/sys/vm")
ROOT_LIMIT = Path("/sys/fs/cgroup/blkio/blkio.throttle.write_bps_device")
PROFILE = """
num_filesystems=1
num_threadgroups=1
time=55
[filesystem0]
location=/mnt
num_files=1
num_dirs=1
min_filesize=4096
max_filesize=4096
[end0]
[threadgroup0]
num_threads=1
append_weight=1
write_size=1048576
write_blocksize=65536
op_delay=25
[end0]
"""


def lazy_initialization(ledger: Ledger, folder: Path) -> None:
    """Without any program, the kernel writes the inode tables after the mount, unless mkfs has written them."""
    for lazy in (1, 0):
        with _mounted(folder, IMAGE, f"lazy_itable_init={lazy},lazy_journal_init=0,nodiscard") as directory:
            with _sampled(directory) as sampler:
                assert run(["sleep", "20"], directory=directory, sample=sampler.sample).ok
            [written] = [each for each in sampler.series() if each.name == "device_write_bytes"]
        sums = _points(written)
        end = next(i for i, each in enumerate(sums) if each >= 0.99 * sums[-1]) * written.step
        right = abs(sums[-1] / INODES - 1) < 0.1 and end < 19 if lazy else sums[-1] < 0.01 * INODES
        found = f"{sums[-1] / MIB:.0f} MiB written" + (f", until {end:.0f} s" if sums[-1] else "")
        ledger.check(
            f"lazy_itable_init={lazy}, nothing runs", right, f"inode tables {INODES // MIB} MiB; found {found}"
        )


def dirty_limit(ledger: Ledger, folder: Path, program: Path) -> None:
    """Buffered writes are fast until the dirty data of the machine come near the limit, above three quarters of it."""
    if not ROOT_LIMIT.exists():
        ledger.say("dirty data: skipped, because writeback can be slowed down with blkio of control groups 1 only")
        return
    (folder / "profile.ffsb").write_text(PROFILE)
    with _mounted(folder, 2 << 30, "lazy_itable_init=0,lazy_journal_init=0") as directory:
        [device] = devices_of(directory, Source()).numbers
        command = [str(program), "mix", str(folder / "profile.ffsb"), "--directory", ".", "--min-free", "1M"]
        with _slow_writeback(device), _sampled(directory) as sampler:
            outcome = run(command, directory=directory, sample=sampler.sample)
    assert outcome.ok, outcome.error
    sampled = {each.name: each for each in sampler.series()}
    [own] = [each for each in own_series("fsload", parse(outcome.stdout).series, sampler.begun) if each.name == "bytes"]
    sums = [0.0, *_points(own)]
    rates, step = in_seconds([(after - before) / own.step for before, after in pairwise(sums)], own.step)
    falls = [change for change in settling(rates[: int(SECONDS / step)]).changes if change.ratio < 0.6]
    ledger.say("  MiB/s by second: " + " ".join(f"{rate / MIB:.0f}" for rate in rates))
    if not falls:
        ledger.check("dirty data, limit of 512 MiB", False, "found no fall")
        return
    at = own.start + falls[0].at * step
    dirty = sum(_points(sampled[name])[int(at / sampled[name].step)] for name in ("memory_dirty", "memory_writeback"))
    found = f"{100 * (falls[0].ratio - 1):+.0f} % at {at:.0f} s, when {dirty / MIB:.0f} MiB were dirty"
    ledger.check("dirty data, limit of 512 MiB", 0.5 <= dirty / LIMIT <= 1.05, f"found {found}")


def _points(series: SampledSeries) -> list[float]:
    return [each * series.scale for each in unpacked(series.packed, MOST_POINTS)]


@contextmanager
def _sampled(directory: Path) -> Iterator[Sampler]:
    devices = devices_of(directory, Source())
    with sampling(Source(), devices.numbers, devices.names, directory) as sampler:
        sampler.begin()
        yield sampler
        sampler.end()


@contextmanager
def _mounted(folder: Path, size: int, options: str) -> Iterator[Path]:
    """A new ext4 on a loop device, unmounted and removed at the end."""
    image, point = folder / "causes.img", folder / "causes"
    point.mkdir()
    with image.open("wb") as file:
        file.truncate(size)
    subprocess.run(["mkfs.ext4", "-q", "-E", options, image], check=True)
    subprocess.run(["mount", "-o", "loop", image, point], check=True)
    try:
        yield point
    finally:
        subprocess.run(["umount", point], check=True)
        image.unlink()
        point.rmdir()


@contextmanager
def _slow_writeback(device: str) -> Iterator[None]:
    """The device is slow for the kernel's own writeback, and the machine may have few dirty data; undone at the end.

    The kernel has either a number of bytes or a ratio, and forgets the other.
    """
    was = {name: (VM / name).read_text().strip() for name in ("dirty_bytes", "dirty_ratio")}
    ROOT_LIMIT.write_text(f"{device} {SLOW}")
    (VM / "dirty_bytes").write_text(str(LIMIT))
    try:
        yield
    finally:
        kept = "dirty_ratio" if was["dirty_bytes"] == "0" else "dirty_bytes"
        (VM / kept).write_text(was[kept])
        ROOT_LIMIT.write_text(f"{device} 0")
