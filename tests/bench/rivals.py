"""Runs fsload, iozone and fio on the same directory with the same settings. Figures are in base units."""

import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchagent.formats import parse
from benchagent.formats.vocabulary import IOZONE_TESTS


@dataclass(frozen=True)
class Done:
    """The output of a process, and the user CPU time of it and its children, in seconds."""

    stdout: str
    user: float


def execute(command: Sequence[str | Path], directory: Path) -> Done:
    """Run a program to its end; exit if it fails."""
    with subprocess.Popen(
        command, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout
        stdout = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"bench: {' '.join(map(str, command))} ended with {process.returncode}:\n{stdout[-2000:]}")
    return Done(stdout, usage.ru_utime)


@dataclass(frozen=True)
class Sweep:
    """Throughput in B/s by test, and user CPU seconds of the whole process."""

    throughput: dict[str, float]
    user: float


def fsload(program: Path, directory: Path, file_size: str, record_size: str, *options: str) -> Sweep:
    """Run all thirteen tests, or those named by the options."""
    sizes = ["--directory", ".", "--file-sizes", file_size, "--record-sizes", record_size]
    done = execute([program, "sweep", *sizes, *options], directory)
    results = [line for line in map(json.loads, done.stdout.splitlines()) if line["type"] == "result"]
    return Sweep({line["test"]: line["bytes"] * 1e9 / line["elapsed_ns"] for line in results}, done.user)


def iozone(directory: Path, file_size: str, record_size: str) -> Sweep:
    """Run the thirteen tests in iozone's own order."""
    which = [word for number in range(8) for word in ("-i", str(number))]
    done = execute(["iozone", "-s", file_size.lower(), "-r", record_size.lower(), *which], directory)
    found = {result.test: result.values[0] for result in parse(done.stdout).results if result.metric == "throughput"}
    return Sweep({test: found[test] or 0.0 for test in IOZONE_TESTS}, done.user)


FIO = """
[global]
filename=fio.data
ioengine=psync
bs=4k
size={size}
invalidate=0
fallocate=none
fsync_on_close=0
stonewall=1
{more}
[random_read]
rw=randread
[random_write]
rw=randwrite
overwrite=1
"""


# With io_uring in fio's fastest form: registered memory and file, batches, a thread, no clock for each operation, and
# the generator that visits each record once without a map.
RING = """
ioengine=io_uring
iodepth={depth}
iodepth_batch_submit={batch}
iodepth_batch_complete_min={batch}
fixedbufs=1
registerfiles=1
gtod_reduce=1
random_generator=lfsr
thread=1
direct={direct:d}
"""


def fio(directory: Path, size: str, more: str = "") -> Sweep:
    """Run random 4 KiB reads and writes of a cached file, by pread and pwrite if `more` names no other engine."""
    job = directory / "fio.job"
    job.write_text(FIO.format(size=size, more=more))
    # Written in records of the measured size: larger ones create larger folios in the page cache, and ext4 processes
    # all blocks of a folio for each write.
    execute(["dd", "if=/dev/urandom", "of=fio.data", "bs=4k", f"count={int(size[:-1]) * 256}", "conv=fsync"], directory)
    done = execute(["fio", "--output-format=json", job.name], directory)
    (directory / "fio.data").unlink()
    jobs: list[dict[str, Any]] = json.loads(done.stdout)["jobs"]
    rates = {job["jobname"]: job["read"]["iops"] + job["write"]["iops"] for job in jobs}
    return Sweep({name: 4096 * rate for name, rate in rates.items()}, done.user)
