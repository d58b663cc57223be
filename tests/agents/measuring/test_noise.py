"""Other load, from two snapshots of a machine: recorded ones with known numbers, and this one under a known load."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from benchagent.inventory import Source
from benchagent.measuring.noise import CpuTimes, Look, disturbances, look, noise
from tests.support.waiting import wait_until

MIB = 2**20
QUIET = Look(
    at=100.0,
    clock=1.6e9,
    load=0.25,
    cpu=CpuTimes(busy=50.0, stolen=0.0, total=400.0),
    own=10.0,
    kernel_threads=5.0,
    others_bytes=0,
    disks={"sda": 1000, "sdb": 0},
    throttled={"cpu0 core": 3, "cpu0 package": 9, "cpu1 core": 0, "cpu1 package": 9},
    resyncing=(),
)
# Ten seconds on four processors: 8 s of the agent, 1 s of kernel threads.
AFTER = replace(QUIET, at=110.0, cpu=CpuTimes(busy=59.0, stolen=0.0, total=440.0), own=18.0, kernel_threads=6.0)


def test_a_quiet_machine_has_the_score_0() -> None:
    assert noise(QUIET, AFTER, set(), 10 * MIB) == {
        "load_before": 0.25,
        "cpu_of_others": 0.0,
        "cpu_stolen": 0.0,
        "bytes_of_others": 0,
        "bytes_of_other_disks": 0,
        "score": 0.0,
    }


def test_cpu_time_that_is_not_ours_is_noise_and_so_is_what_the_hypervisor_takes() -> None:
    after = replace(AFTER, cpu=CpuTimes(busy=63.0, stolen=2.0, total=440.0))
    found = noise(QUIET, after, set(), None)
    assert (found["cpu_of_others"], found["cpu_stolen"], found["score"]) == (0.1, 0.05, 0.15)


def test_bytes_of_others_count_in_relation_to_ours_from_one_mebibyte_a_second() -> None:
    assert noise(QUIET, replace(AFTER, others_bytes=30 * MIB), set(), 90 * MIB)["score"] == 0.25
    assert noise(QUIET, replace(AFTER, others_bytes=9 * MIB), set(), 0)["score"] == 0.0
    assert "bytes_of_others" not in noise(QUIET, replace(AFTER, others_bytes=None), set(), 0)


def test_disks_under_the_target_are_no_other_disks() -> None:
    after = replace(AFTER, disks={"sda": 3000, "sdb": 500, "sdc": 7})
    assert noise(QUIET, after, {"sda"}, None)["bytes_of_other_disks"] == 500  # sdc was added meanwhile


def test_less_than_a_second_says_nothing_of_shares() -> None:
    found = noise(QUIET, replace(AFTER, at=100.5), set(), None)
    assert {"score", "cpu_of_others", "cpu_stolen"}.isdisjoint(found)


def test_a_machine_that_tells_nothing_has_no_noise_rather_than_none() -> None:
    dumb = replace(QUIET, load=None, cpu=None, others_bytes=None, disks={})
    assert noise(dumb, replace(dumb, at=110.0), set(), None) == {}


def test_what_must_not_happen_is_counted() -> None:
    hot = {"cpu0 core": 5, "cpu0 package": 10, "cpu1 core": 2, "cpu1 package": 10}
    after = replace(AFTER, throttled=hot, resyncing=("md0",), clock=QUIET.clock - 2)
    assert +disturbances(QUIET, after) == {"thermal_throttling": 4, "raid_resync": 1, "clock_step": 1}
    assert noise(QUIET, after, set(), None)["clock_step"] == -2.0
    assert not +disturbances(QUIET, AFTER)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A recorded machine: two processors, a resyncing array, a kernel thread, a program with a strange name."""
    files = {
        "proc/loadavg": "1.50 0.70 0.30 2/345 6789\n",
        "proc/stat": "cpu  100 20 30 1000 50 7 8 9 0 0\ncpu0 50 10 15 500 25 3 4 4 0 0\n",
        "proc/diskstats": "   8  0 sda 10 0 80 0 5 0 40 0 0 0 0\n   8  1 sda1 10 0 80 0 5 0 40 0 0 0 0\n",
        "proc/1/stat": "1 (init) S 0 1 1 0 -1 4194560 1 1 1 1 11 12 1 1 20 0 1\n",
        "proc/1/io": "rchar: 5\nread_bytes: 100\nwrite_bytes: 20\ncancelled_write_bytes: 4\n",
        "proc/2/stat": "2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 300 400 0 0 20 0 1\n",
        "proc/77/stat": "77 (a) S (b) S 1 77 77 0 -1 4194304 1 1 1 1 50 60 1 1 20 0 1\n",
        "proc/77/io": "read_bytes: 1\nwrite_bytes: 2\n",
        "sys/block/sda/device/type": "0\n",
        "sys/block/md0/md/sync_action": "resync\n",
        "sys/block/md1/md/sync_action": "idle\n",
        "sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count": "7\n",
        "sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_count": "8\n",
        "sys/devices/system/cpu/cpufreq/policy0": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_recorded_machine_is_read(tree: Path) -> None:
    snapshot, tick = look(Source(tree)), os.sysconf("SC_CLK_TCK")
    assert (snapshot.load, snapshot.cpu) == (1.5, CpuTimes(busy=150 / tick, stolen=9 / tick, total=1224 / tick))
    assert (snapshot.kernel_threads, snapshot.others_bytes, snapshot.disks) == (700 / tick, 123, {"sda": 120 * 512})
    assert (snapshot.resyncing, snapshot.throttled) == (("md0",), {"cpu0 core": 7, "cpu0 package": 8})


def test_what_others_read_is_unknown_where_it_may_not_be_seen(tree: Path) -> None:
    (tree / "proc/1/io").unlink()
    assert look(Source(tree)).others_bytes is None


def test_a_program_that_is_not_ours_is_seen_here() -> None:
    """A process that is not a child of the test keeps one processor busy for over a second."""
    loop = "import time\nend = time.monotonic() + 1.6\nwhile time.monotonic() < end: pass"
    shell = f"'{sys.executable}' -c '{loop}' >/dev/null 2>&1 & echo $!"
    before = look(Source())
    pid = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, check=True).stdout.strip()
    wait_until(lambda: not Path(f"/proc/{pid}").exists())
    after = look(Source())
    used = 1.0 / (after.cpu.total - before.cpu.total) if before.cpu and after.cpu else 1.0
    assert noise(before, after, set(), None)["cpu_of_others"] > used
