"""Files of the kernel that are read again and again: sums of counters, and files that go away."""

from pathlib import Path

import pytest

from benchagent.inventory import Source
from benchagent.inventory.mounts import parse_mountinfo
from benchagent.inventory.storage.block import device_by_number, name_of
from benchagent.inventory.storage.underlying import lowest
from benchagent.sampling.machine import fast_probes, slow_probes
from benchagent.sampling.probe import KernelFiles, Probe
from benchagent.sampling.target import disk_probes, target_probes
from tests.agents.inventory.trees import recorded

NAMES = ("device_writes", "device_in_flight")
FILES_OF_BOTH = KernelFiles("file", NAMES, (1, 1), lambda content: [int(x) for x in content.split()])
STAT = "10 0 80 3 20 0 160 7 2 9 11 0 0 0 0 4 5"
VMSTAT = "nr_free_pages 9\nnr_file_pages 50\nnr_dirty 5\nnr_writeback 1\nallocstall_dma 1\nallocstall_normal 2\n"
PGSCAN = "pgsteal_kswapd 1\npgsteal_direct 2\npgscan_kswapd 3\npgscan_direct 4\n"
FILES = {
    "sys/dev/block/7:0/stat": STAT,
    "sys/dev/block/7:1/stat": STAT,
    "sys/fs/ext4/loop0/session_write_kbytes": "3",
    "sys/fs/ext4/loop0/delayed_allocation_blocks": "2",
    "proc/fs/jbd2/loop0-8/info": "14 transactions (14 requested), each up to 8192 blocks\n",
    "sys/fs/xfs/loop0/stats/stats": "extent_alloc 1 2 3 4\nlog 3 17 0 1 2\npush_ail 1\n",
    "sys/fs/btrfs/1b/devices/loop0": "",
    "sys/fs/btrfs/1b/commit_stats": "commits 3\ncur_commit_ms 0\nlast_commit_ms 1\ntotal_commit_ms 27\n",
    "proc/vmstat": VMSTAT + PGSCAN,
    "proc/stat": "cpu  1 2 3 4 5 6 7 8 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\n",
    "proc/pressure/io": "some avg10=0.00 avg300=0.00 total=5\nfull avg10=0.00 avg300=0.00 total=4\n",
    "sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq": "2000000",
    "sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq": "3000000",
    "sys/class/hwmon/hwmon0/name": "coretemp\n",
    "sys/class/hwmon/hwmon0/temp1_input": "41000",
    "sys/class/hwmon/hwmon0/temp2_input": "45000",
    "sys/class/hwmon/hwmon1/name": "acpitz\n",
    "sys/class/hwmon/hwmon1/temp1_input": "99000",
}
# The levels of these files, in base units.
LEVELS = {
    "device_in_flight": 4,
    "file_system_delayed": 8192,
    "memory_dirty": 5 * 4096,
    "memory_writeback": 4096,
    "memory_page_cache": 50 * 4096,
    "cpu_frequency": 2.5e9,
    "temperature_cpu": 45,
}
COUNTERS = {
    *("device_reads", "device_read_bytes", "device_read_time", "device_writes", "device_write_bytes"),
    *("device_write_time", "device_flushes", "device_flush_time", "device_busy_time"),
    *("file_system_write_bytes", "journal_commits", "journal_commit_time"),
    *("journal_writes", "journal_write_bytes", "journal_forces"),
    *("reclaim_scanned", "reclaim_stolen", "reclaim_stalls", "pressure_io_some", "pressure_io_full"),
    *("cpu_user", "cpu_system", "cpu_idle", "cpu_iowait", "cpu_interrupts", "cpu_stolen"),
}


def probes_of(root: Path) -> list[Probe]:
    target = target_probes(Source(root), ["7:0", "7:1"], {"loop0"}, 4096)
    return [*target, *fast_probes(str(root)), *slow_probes(str(root))]


def sampled(probes: list[Probe]) -> dict[str, float]:
    """The last sample of each series, in base units."""
    return {
        name: value * scale
        for probe in probes
        if not probe.lost
        for name, scale, value in zip(probe.files.names, probe.files.scales, probe.samples[-1])
    }


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_each_file_gives_its_series(tree: Path) -> None:
    probes = probes_of(tree)
    for probe in probes:
        probe.open()
        probe.sample()
    first = sampled(probes)
    assert first == {**dict.fromkeys(COUNTERS, 0), **LEVELS}

    for number in (0, 1):
        (tree / f"sys/dev/block/7:{number}/stat").write_text("11 0 82 3 20 0 161 7 2 9 11 0 0 0 0 6 5")
    (tree / "proc/stat").write_text("cpu  101 2 3 4 5 6 7 8 0 0\n")
    (tree / "proc/fs/jbd2/loop0-8/info").write_text("16 transactions (14 requested)\n")
    (tree / "sys/fs/btrfs/1b/commit_stats").write_text("commits 5\ntotal_commit_ms 27\n")
    for probe in probes:
        probe.sample()
    grown = {name: value for name, value in sampled(probes).items() if value != first[name]}
    assert grown == {
        "device_reads": 2,
        "device_read_bytes": 2 * 2 * 512,
        "device_write_bytes": 2 * 512,
        "device_flushes": 4,
        "cpu_user": 1.0,
        "journal_commits": 2,
    }
    for probe in probes:
        probe.close()


@pytest.mark.parametrize(
    ("name", "volume", "disks"),
    [("lvm_striped", "253:0", ["sda", "sdb", "sdc"]), ("md_raid10_degraded", "9:127", ["sda", "sdc", "sdd", "sde"])],
)
def test_disks_below_an_array_or_volume_have_series_of_their_own(
    tmp_path: Path, name: str, volume: str, disks: list[str]
) -> None:
    source = recorded(name, tmp_path)
    device = device_by_number(source, volume)
    assert device is not None
    found = lowest(source, parse_mountinfo(source.text("/proc/self/mountinfo") or ""), [device])
    assert [name_of(each) for each in found] == disks
    numbers = {name_of(each): source.line(f"{each}/dev") or f"8:{16 * place}" for place, each in enumerate(found)}
    for number in numbers.values():
        stat = tmp_path / "sys/dev/block" / number / "stat"
        stat.parent.mkdir(parents=True, exist_ok=True)
        stat.write_text(STAT)
    probes = [*disk_probes(source, numbers)]
    for probe in probes:
        probe.open()
        probe.sample()
        (tmp_path / "sys/dev/block" / numbers[str(probe.files.device)] / "stat").write_text(STAT.replace("160", "164"))
        probe.sample()
        probe.close()
    assert [probe.files.device for probe in probes] == disks
    assert all(sampled([probe])["disk_write_bytes"] == 4 * 512 for probe in probes)


def test_counters_that_are_not_there_are_absent(tree: Path) -> None:
    (tree / "sys/dev/block/7:1/stat").write_text("10 0 80 3 20 0 160 7 2 9 11")  # Linux 4
    (tree / "proc/vmstat").write_text(VMSTAT)  # no counters of reclaim: nothing of the file is taken
    (tree / "sys/fs/btrfs/1b/commit_stats").unlink()
    probes = probes_of(tree)
    for probe in probes:
        probe.open()
        probe.sample()
        probe.close()
    absent = {name for name in COUNTERS | LEVELS.keys() if name not in sampled(probes)}
    assert absent == {
        *("device_flushes", "device_flush_time"),
        *("memory_dirty", "memory_writeback", "memory_page_cache"),
        *("reclaim_scanned", "reclaim_stolen", "reclaim_stalls"),
        *("journal_commit_time",),
    }


def test_a_counter_that_begins_anew_keeps_its_sum(tmp_path: Path) -> None:
    """The file system is mounted anew between two programs, and its counter begins with 0."""
    path = tmp_path / "file"
    path.write_text("100 1")
    probe = Probe(FILES_OF_BOTH, [str(path)])
    for values in (["100 1", "107 2"], ["0 3", "5 4"]):
        path.unlink()
        path.write_text(values[0])
        probe.open()
        probe.sample()
        path.write_text(values[1])
        probe.sample()
    probe.close()
    assert probe.samples == [[0, 1], [7, 2], [7, 3], [12, 4]]


def test_a_file_that_cannot_be_read_any_more_ends_its_series(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("1 1")
    probe = Probe(FILES_OF_BOTH, [str(path)])
    probe.open()
    probe.sample()
    path.write_text("nothing")
    probe.sample()
    probe.close()
    assert probe.lost
