"""Eight changes of known cause, and comparisons in which nothing changes, measured by the agent on loop devices.

Each round makes a file system of its own, mounts it, and runs the agent in it, once for each side in turns. For each
change, `expected` is the quantity that its cause must move; it was written down before anything was measured. It has to
be among the first three that `benchdb.stats.goes_with` names, in seven of eight changes at least.

Needs root, loop devices, fio, ext4 and btrfs. Takes half an hour, or the minutes of one change with `CHANGE=barriers`.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchagent.formats.packing.series import unpacked
from benchagent.formats.sampled import MOST_POINTS
from benchdb.runs.totals.of_round import RoundTotals, total_of
from benchdb.runs.totals.pairs import pair_of
from benchdb.runs.totals.quantities import QUANTITIES, common_work
from benchdb.stats.goes_with import ChangedQuantities, changed_quantities

AGENTS = Path(__file__).parents[3] / "agents"
ROUNDS = 6  # a side
PAIRS = 3  # of sides in which nothing changes, for each change
FIRST = 3
LEAST_FOUND, MOST_FALSE = 7, 0.05
SIZE = 1 << 29  # of an image
SECONDS = 3


@dataclass(frozen=True, slots=True)
class Side:
    """How the file system is made and mounted. `journal` on a device of its own; `memory` and `write_limit` in bytes,
    and in bytes a second, of the tool.
    """

    options: str = ""
    journal: bool = False
    memory: int | None = None
    write_limit: int | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """A change with the quantity that is expected to go with it. `job` is fio's; `laid_out`: its files exist before."""

    name: str
    expected: str
    job: str
    before: Side
    after: Side
    file_system: str = "ext4"
    mkfs: tuple[str, ...] = ()
    laid_out: bool = False


_TIMED = f"time_based\nruntime={SECONDS}\n"
_SYNCED = f"rw=write\nbs=4k\nsize=256m\nfallocate=none\nfsync=1\n{_TIMED}"
_ATIMES = f"rw=randread\nbs=4k\nnrfiles=2000\nfilesize=4k\nfile_service_type=random\nrate_iops=1000\n{_TIMED}"
_WRITTEN = "fallocate=none\noverwrite=1\n"  # so that the file has its blocks before the round
CHANGES = (
    Change("barriers", "device_flushes", _SYNCED, Side("barrier"), Side("nobarrier")),
    Change("external journal", "device_write_bytes", _SYNCED, Side(), Side(journal=True)),
    Change(
        "throttle",
        "device_busy_time",  # requests wait above the device, which is idle meanwhile
        f"rw=write\nbs=64k\nsize=256m\ndirect=1\n{_TIMED}",
        Side(),
        Side(write_limit=8 << 20),
    ),
    Change(
        "small memory",
        "device_read_bytes",
        f"rw=read\nbs=64k\nsize=128m\ninvalidate=0\n{_TIMED}",
        Side(),
        Side(memory=64 << 20),
        laid_out=True,
    ),
    Change(
        "noatime",
        "device_write_bytes",
        _ATIMES,
        Side("strictatime,commit=1"),
        Side("noatime,commit=1"),
        laid_out=True,
    ),
    Change(
        "lazytime",
        "device_write_bytes",  # of reading: Linux 6.18 still writes the times of changes with each commit
        _ATIMES,
        Side("strictatime,nolazytime,commit=1"),
        Side("strictatime,lazytime,commit=1"),
        laid_out=True,
    ),
    Change(
        "compression",
        "device_write_bytes",
        f"rw=write\nbs=128k\nsize=256m\nfallocate=none\nend_fsync=1\nbuffer_compress_percentage=80\nrefill_buffers\n{_TIMED}",
        Side("compress=no"),
        Side("compress=zstd:1"),
        file_system="btrfs",
    ),
    Change(
        "commit interval",
        "journal_commits",
        f"rw=randwrite\nbs=4k\nsize=64m\n{_WRITTEN}rate_iops=2000\n{_TIMED}",
        Side("commit=60"),
        Side("commit=1"),
        laid_out=True,
    ),
)


def main() -> None:
    """Print the first quantities of each change, and how many comparisons without a change name any."""
    if os.geteuid() or not all(map(shutil.which, ("fio", "mkfs.ext4", "mkfs.btrfs", "losetup"))):
        print("skipped: needs root, loop devices, fio, ext4 and btrfs")
        return
    chosen = [each for each in CHANGES if os.environ.get("CHANGE", each.name) == each.name]
    found = 0
    for change in chosen:
        before, after = measured(change, (change.before, change.after), ROUNDS)
        changed = compared(before, after)
        found += change.expected in [QUANTITIES[index].name for index in changed.ranked[:FIRST]]
        say(change, changed)
    print(f"expected quantity among the first {FIRST}: {found} of {len(chosen)}, at least {LEAST_FOUND}", flush=True)
    names, total = 0, 0
    for change in chosen:
        sides = measured(change, (change.before,) * 2 * PAIRS, ROUNDS)
        for before, after in zip(sides[::2], sides[1::2], strict=True):
            changed = compared(before, after)
            names, total = names + bool(changed.ranked), total + 1
            if changed.ranked:
                say(change, changed)
    print(f"nothing changed, and a quantity was named: {names} of {total}, at most {MOST_FALSE:.0%}")


def say(change: Change, changed: ChangedQuantities) -> None:
    """Print a line for each of the first named quantities; the expected one is marked."""
    loads = " ".join(f"{load:.1f}" for load in os.getloadavg())
    print(f"{change.name}: {change.expected} expected; {len(changed.ranked)} named; load average {loads}")
    for rank, index in enumerate(changed.ranked, start=1):
        if rank <= FIRST or QUANTITIES[index].name == change.expected:
            figures_of = ", ".join(f"{column[index]:.3g}" for column in (changed.low, changed.high))
            mark = "*" if QUANTITIES[index].name == change.expected else " "
            print(
                f"  {mark}{rank:2} {QUANTITIES[index].name:24} × {changed.ratio[index]:.3g} [{figures_of}]", flush=True
            )


def compared(before: Sequence[RoundTotals], after: Sequence[RoundTotals]) -> ChangedQuantities:
    """The quantities of the second side against those of the first."""
    (changed,) = changed_quantities([pair_of([after], [before], common_work([*before, *after]))])
    return changed


def measured(change: Change, sides: Sequence[Side], rounds: int) -> list[list[RoundTotals]]:
    """So many rounds of each side. Every second round has the reverse order."""
    found: list[list[RoundTotals]] = [[] for _ in sides]
    for number in range(rounds):
        order = range(len(sides)) if number % 2 == 0 else reversed(range(len(sides)))
        for index in order:
            found[index].append(_round(change, sides[index], number))
    return found


def _round(change: Change, side: Side, number: int) -> RoundTotals:
    with tempfile.TemporaryDirectory(prefix="benchdb-change-", dir="/var/tmp") as name, ExitStack() as undo:
        folder = Path(name)
        device = undo.enter_context(_loop(folder / "image"))
        mkfs, options = [f"mkfs.{change.file_system}", "-q", *change.mkfs], [side.options] if side.options else []
        if side.journal:
            journal = undo.enter_context(_loop(folder / "journal", SIZE // 8))
            _do("mkfs.ext4", "-q", "-O", "journal_dev", "-b", "4096", journal)
            mkfs += ["-b", "4096", "-J", f"device={journal}"]
        if change.file_system == "ext4":
            mkfs += ["-E", "lazy_itable_init=0,lazy_journal_init=0"]
        _do(*mkfs, device)
        mounted = folder / "mounted"
        mounted.mkdir()
        laid = mounted / "laid" if change.laid_out else None
        job = f"[job]\ndirectory={laid}\n{change.job}" if laid else f"[job]\n{change.job}"
        if laid:
            with _mount(device, mounted, []):
                laid.mkdir()
                (folder / "job.fio").write_text(job)
                _do("fio", "--create_only=1", "--output=/dev/null", str(folder / "job.fio"))
        undo.enter_context(_mount(device, mounted, options))
        (mounted / "agent").mkdir()
        os.sync()
        group = undo.enter_context(_write_limit(device, side.write_limit)) if side.write_limit else None
        return _by_agent(folder, mounted / "agent", job, laid, side, group, number)


def _by_agent(
    folder: Path, directory: Path, job: str, laid: Path | None, side: Side, group: Path | None, number: int
) -> RoundTotals:
    """The round of a run of the agent in `directory`; the job may use the folder `laid` too."""
    memory = f"memory = {side.memory}\n" if side.memory else ""
    outside = f'outside = ["{laid}"]\n' if laid else ""
    workload = f'[[workloads]]\ntool = "fio"\n{outside}jobs = """\n{job}"""\n'
    plan = folder / "plan.toml"
    plan.write_text(f'name = "change"\nrounds = 1\n{memory}[[targets]]\nkind = "directory"\n{workload}')
    environment = {**os.environ, "PYTHONPATH": str(AGENTS), "BENCHAGENT_STATE": str(folder / "state")}
    command = [sys.executable, "-m", "benchagent", "run", str(plan), "--directory", str(directory)]

    def join() -> None:
        if group is not None:
            (group / "cgroup.procs").write_text(str(os.getpid()))

    ended = subprocess.run(command, env=environment, capture_output=True, text=True, preexec_fn=join)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    (path,) = (folder / "state" / "spool" / "pending").glob("*.json")
    document = json.loads(path.read_bytes())
    (only,) = document["rounds"]
    assert only["status"] == "ok", only
    totals, seconds = {}, 0.0
    for series in document["series"]:
        points = np.array(unpacked(series["packed"], MOST_POINTS), dtype=np.float64) * series["scale"]
        totals[series["name"]] = total_of(series["name"], points)
        seconds = max(seconds, series["start"] + series["step"] * len(points))
    return RoundTotals(number, seconds, only["evidence"].get("logical_bytes"), totals, {})


@contextmanager
def _loop(image: Path, size: int = SIZE) -> Iterator[str]:
    with image.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, size)
    device = _do("losetup", "--find", "--show", "--direct-io=on", str(image))
    try:
        yield device
    finally:
        _do("losetup", "--detach", device)


@contextmanager
def _mount(device: str, directory: Path, options: Sequence[str]) -> Iterator[None]:
    _do("mount", *(["-o", ",".join(options)] if options else []), device, str(directory))
    try:
        yield
    finally:
        _do("umount", str(directory))


@contextmanager
def _write_limit(device: str, limit: int) -> Iterator[Path]:
    """A control group (v1 or v2) whose direct writes to the device are limited, in bytes a second."""
    number = os.stat(device).st_rdev
    numbers = f"{os.major(number)}:{os.minor(number)}"
    first = Path("/sys/fs/cgroup/blkio")
    group = (first if first.is_dir() else first.parent) / f"benchdb-change-{os.getpid()}"
    group.mkdir()
    try:
        if first.is_dir():
            (group / "blkio.throttle.write_bps_device").write_text(f"{numbers} {limit}")
        else:
            (group / "io.max").write_text(f"{numbers} wbps={limit}")
        yield group
    finally:
        group.rmdir()


def _do(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
