"""--interactive: the small job beside a workload, and its waiting times."""

import subprocess
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from tests.engine.conftest import Fsload, Run, command

pytestmark = [pytest.mark.needs("cc", package="gcc"), pytest.mark.needs("make", package="make")]

STEPS = ["open", "write", "fsync", "stat", "remove", "job"]
PERIOD_NS = 5_000_000  # of 200 jobs per second


def by_test(done: Run) -> dict[str, dict[str, dict[str, Any]]]:
    """The interactive lines by their workload's test, then by step."""
    steps: dict[str, dict[str, dict[str, Any]]] = defaultdict(dict)
    for result in done.results:
        name, _, step = result["test"].partition("_")
        if name == "interactive":
            steps[result["params"]["during"]][step] = result
    return steps


def test_every_step_beside_every_test_that_lasts_long_enough(fsload: Fsload) -> None:
    done = fsload("sweep", file_sizes="64M", record_sizes="4K", tests="write,read", interactive=200)
    assert done.status == 0, done.stderr
    elapsed = {result["test"]: result["elapsed_ns"] for result in done.results if "params" not in result}
    lines = by_test(done)
    assert {test for test, ns in elapsed.items() if ns > 2 * PERIOD_NS} <= set(lines) <= {"write", "read"}
    for test, steps in lines.items():
        assert list(steps) == STEPS
        [jobs] = {step["operations"] for step in steps.values()}
        # Exactly the jobs that were due while the workload ran: a stall loses none.
        assert abs(jobs - elapsed[test] / PERIOD_NS) <= 1
        job = steps["job"]["latency_ns"]
        assert job["max"] >= max(steps[name]["latency_ns"]["max"] for name in STEPS[:-1])
        assert 0 < job["p50"] <= job["p99"] <= job["max"]
        assert (steps["job"]["file_size"], steps["job"]["record_size"]) == (64 << 20, 4096)


def test_none_unless_asked_for(fsload: Fsload) -> None:
    assert by_test(fsload()) == {}


# Makes each fsync() take 60 ms longer.
SLOW = """
#include <time.h>
#include <unistd.h>
#include <sys/syscall.h>

int fsync(int file)
{
    struct timespec pause = {0, 60000000};

    nanosleep(&pause, 0);
    return (int)syscall(SYS_fsync, file);
}
"""


def test_jobs_that_had_to_wait_for_others_count_their_waiting(program: Path, tmp_path: Path) -> None:
    """At 200 jobs per second of 60 ms each, the queue grows: most of a job's time is waiting for previous jobs."""
    library = tmp_path / "slow.so"
    cc = ["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", str(library)]
    subprocess.run(cc, input=SLOW, text=True, check=True)
    words = command(program, tmp_path, "sweep", file_sizes="64K", record_sizes="64K", tests="write", fsync=True)
    done = subprocess.run(
        [*words, "--interactive", "200"], env={"LD_PRELOAD": str(library)}, capture_output=True, text=True, check=True
    )
    steps = by_test(Run(done.returncode, done.stdout, done.stderr))["write"]
    assert steps["fsync"]["latency_ns"]["p50"] >= 59e6
    assert steps["job"]["operations"] >= 2
    assert steps["job"]["latency_ns"]["max"] >= 2 * steps["fsync"]["latency_ns"]["p50"]


def test_a_low_rate_does_not_delay_the_end(program: Path, tmp_path: Path) -> None:
    """The next job would be due in years."""
    for rate in ("0.000001", "1e-300"):
        words = command(program, tmp_path, "sweep", file_sizes="4K", record_sizes="4K", tests="write", interactive=rate)
        assert subprocess.run(words, capture_output=True, timeout=30).returncode == 0


def test_a_signal_ends_the_wait_for_jobs(program: Path, tmp_path: Path) -> None:
    """10000 jobs per second of 60 ms each: hundreds are due when the workload ends. The tenth sends the signal."""
    library = tmp_path / "slow.so"
    source = SLOW.replace("{", "{\n    static _Atomic int calls;\n    if (++calls == 10)\n        raise(15);", 1)
    cc = ["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", str(library)]
    subprocess.run(cc, input="#include <signal.h>\n" + source, text=True, check=True)
    words = command(program, tmp_path, "sweep", file_sizes="64K", record_sizes="64K", tests="write", fsync=True)
    done = subprocess.run(
        [*words, "--interactive", "10000"], env={"LD_PRELOAD": str(library)}, capture_output=True, timeout=15
    )
    assert done.returncode == 128 + 15
    assert list(tmp_path.glob("fsload.*")) == []


def test_a_job_that_fails_is_a_failed_result(program: Path, tmp_path: Path) -> None:
    """Files are limited to 512 bytes here, so the workload fails too, and both report it."""
    words = command(program, tmp_path, "sweep", file_sizes="4K", record_sizes="512", tests="write", interactive=10000)
    done = subprocess.run(["sh", "-c", 'ulimit -f 1 && exec "$@"', "sh", *words], capture_output=True, text=True)
    assert done.returncode == 1
    assert '"call":"write","errno":27' in done.stdout
    assert list(tmp_path.iterdir()) == []
