"""Whether changes inside a round are found at the right second: fsload writes to a loop device that is slowed down.

The device is limited by a control group (blkio.throttle of version 1, io.max of version 2). The limit is lowered in the
middle of a test, and the sentence of the page inside a round is compared with what was done.
"""

import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchagent.formats import parse
from benchagent.formats.model import ToolSeries
from benchdb.stats.settling import Settling, in_seconds, settling
from tests.bench.ratios import Ledger
from tests.engine.mounts import mounted

from .settling_causes import dirty_limit, lazy_initialization

ENGINE = Path(__file__).parents[3] / "agents" / "engine"
MIB = 1 << 20
BEFORE, AFTER = 40 * MIB, 15 * MIB  # bytes a second
AT = 20  # seconds after the start of the test
SECONDS = 45
REPETITIONS = 3
WITHIN = 2  # seconds
PROFILE = """
num_filesystems=1
num_threadgroups=1
directio=1
alignio=1
time={seconds}
[filesystem0]
location=/mnt
num_files=1
num_dirs=1
min_filesize=67108864
max_filesize=67108864
[end0]
[threadgroup0]
num_threads=1
write_weight=1
write_random=1
write_size=4194304
write_blocksize=65536
[end0]
"""


@dataclass(frozen=True, slots=True)
class Limit:
    """A control group that limits the bytes a second that its processes write to a device."""

    directory: Path
    device: str

    def set(self, most: int) -> None:
        if (self.directory / "io.max").exists():
            (self.directory / "io.max").write_text(f"{self.device} wbps={most}")
        else:
            (self.directory / "blkio.throttle.write_bps_device").write_text(f"{self.device} {most}")


@contextmanager
def limit(device: str) -> Iterator[Limit]:
    """A new control group, removed at the end. Raises OSError if there is no such controller."""
    root = Path("/sys/fs/cgroup")
    parent = root / "blkio" if (root / "blkio").exists() else root
    directory = parent / f"benchdb-settling-{os.getpid()}"
    directory.mkdir()
    try:
        yield Limit(directory, device)
    finally:
        directory.rmdir()


def main() -> None:
    """Print each case with what was done and what was found."""
    ledger = Ledger()
    if os.geteuid():
        ledger.say("skipped: only root can limit a device")
        return
    subprocess.run(["make", "-s", "-C", str(ENGINE)], check=True)
    ledger.say(f"load average {os.getloadavg()[0]:.2f}, {os.cpu_count()} processors")
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder, mounted("ext4", Path(folder), 256) as directory:
        status = os.stat(directory)
        with limit(f"{os.major(status.st_dev)}:{os.minor(status.st_dev)}") as limited:
            for number in range(REPETITIONS):
                throttled(ledger, directory, limited, number + 1)
                steady(ledger, directory, limited, number + 1)
        lazy_initialization(ledger, Path(folder))
        dirty_limit(ledger, Path(folder), ENGINE / "build" / "fsload")
    ledger.say("all met" if not ledger.unmet else "not met:\n  " + "\n  ".join(ledger.unmet))


def throttled(ledger: Ledger, directory: Path, limited: Limit, number: int) -> None:
    """The limit falls by 62.5 % in the middle."""
    times = list[float]()

    def slow_down() -> None:
        time.sleep(AT)
        limited.set(AFTER)
        times.append(time.monotonic())

    series = measured(directory, limited, slow_down)
    rates, step = in_seconds([each / series.step for each in series.bytes], series.step)
    found, done = settling(rates), times[0] - series.start
    changes = [(round(change.at * step, 1), round(100 * (change.ratio - 1))) for change in found.changes]
    wanted = 100 * (AFTER / BEFORE - 1)
    right = len(changes) == 1 and abs(changes[0][0] - done) <= WITHIN and abs(changes[0][1] - wanted) <= 5
    ledger.check(
        f"throttled, round {number}", right, f"{wanted:.1f} % at {done:.1f} s; found {_words(found, changes, step)}"
    )


def steady(ledger: Ledger, directory: Path, limited: Limit, number: int) -> None:
    """Nothing changes."""
    series = measured(directory, limited, lambda: None)
    rates, step = in_seconds([each / series.step for each in series.bytes], series.step)
    found = settling(rates)
    changes = [(round(change.at * step, 1), round(100 * (change.ratio - 1))) for change in found.changes]
    ledger.check(f"not throttled, round {number}", not changes, f"found {_words(found, changes, step)}")


def _words(found: Settling, changes: list[tuple[float, int]], step: float) -> str:
    said = [f"{percent:+} % at {at} s" for at, percent in changes]
    end = "never settled" if found.settled_at is None else f"settled after {found.settled_at * step:.0f} s"
    return ", ".join([*said, end])


def measured(directory: Path, limited: Limit, meanwhile: Callable[[], None]) -> ToolSeries:
    """The work over time of one run of fsload, with `meanwhile` called at the start of the measured time."""
    profile = directory.parent / "profile.ffsb"
    profile.write_text(PROFILE.format(seconds=SECONDS))
    limited.set(BEFORE)
    command = [str(ENGINE / "build" / "fsload"), "mix", str(profile), "--directory", str(directory), "--min-free", "1M"]
    joins = f'echo $$ > {limited.directory}/cgroup.procs; exec "$@"'
    with subprocess.Popen(
        ["sh", "-c", joins, "sh", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr
        while not process.stderr.readline().startswith("1/1"):
            assert process.poll() is None
        meanwhile()
        out, _ = process.communicate()
    assert process.returncode == 0, out
    [series] = parse(out).series
    return series
