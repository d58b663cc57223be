"""Probes of the machine as a whole: pressure, memory, processors, temperatures."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator, Sequence

from .probe import KernelFiles, Probe

PAGE = os.sysconf("SC_PAGE_SIZE")
TICK = 1 / os.sysconf("SC_CLK_TCK")
MOST_PROCESSORS = 16  # whose frequency is read: each reading interrupts its processor
OF_PROCESSORS = ("coretemp", "k10temp", "zenpower", "cpu_thermal")  # names of drivers in hwmon
OF_DISKS = ("nvme", "drivetemp")

_VMSTAT = (
    "nr_dirty",
    "nr_writeback",
    "nr_file_pages",
    "pgscan_kswapd",
    "pgscan_direct",
    "pgsteal_kswapd",
    "pgsteal_direct",
)
_PRESSURES = {
    "io": ("pressure_io_some", "pressure_io_full"),
    "memory": ("pressure_memory_some", "pressure_memory_full"),
    "cpu": ("pressure_cpu_some",),
}
_CPU = ("cpu_user", "cpu_system", "cpu_idle", "cpu_iowait", "cpu_interrupts", "cpu_stolen")


def fast_probes(root: str) -> Iterator[Probe]:
    """Probes for every sample. `root` is `/`, or the root of a recorded tree."""
    yield Probe(
        KernelFiles(
            "/proc/vmstat",
            (
                "memory_dirty",
                "memory_writeback",
                "memory_page_cache",
                "reclaim_scanned",
                "reclaim_stolen",
                "reclaim_stalls",
            ),
            (PAGE, PAGE, PAGE, PAGE, PAGE, 1),
            _vmstat,
        ),
        [f"{root}/proc/vmstat"],
    )
    yield Probe(KernelFiles("/proc/stat", _CPU, (TICK,) * len(_CPU), _processors), [f"{root}/proc/stat"])
    for resource, names in _PRESSURES.items():
        path = f"/proc/pressure/{resource}"
        yield Probe(KernelFiles(path, names, (1e-6,) * len(names), _pressure), [root + path])


def slow_probes(root: str) -> Iterator[Probe]:
    """Probes for every tenth sample: the values change slowly, and reading them costs more."""
    pattern = "/sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_cur_freq"
    paths = sorted(glob.glob(root + pattern))
    paths = paths[:: -(-len(paths) // MOST_PROCESSORS) or 1]
    yield Probe(KernelFiles(pattern, ("cpu_frequency",), (1000 / max(1, len(paths)),), _number), paths)
    for name, drivers in (("temperature_cpu", OF_PROCESSORS), ("temperature_disk", OF_DISKS)):
        sensors = list(_sensors(root, drivers))
        files = KernelFiles("/sys/class/hwmon/hwmon*/temp*_input", (name,), (0.001,), _number, combine=max)
        yield Probe(files, sensors)


def _sensors(root: str, drivers: Sequence[str]) -> Iterator[str]:
    for path in sorted(glob.glob(f"{root}/sys/class/hwmon/hwmon*/name")):
        with open(path, encoding="utf-8") as file:
            if file.read().strip() in drivers:
                yield from sorted(glob.glob(f"{os.path.dirname(path)}/temp*_input"))


def _number(content: bytes) -> tuple[int]:
    return (int(content),)


def _pressure(content: bytes) -> list[int]:
    """The totals of the lines `some` and `full`, in microseconds."""
    return [int(total) for total in re.findall(rb"total=(\d+)", content)]


def _vmstat(content: bytes) -> tuple[int, int, int, int, int, int]:
    dirty, writeback, cache, *scans = (_counter(content, name) for name in _VMSTAT)
    stalls = sum(map(int, re.findall(rb"\nallocstall\w* (\d+)", content)))
    return dirty, writeback, cache, scans[0] + scans[1], scans[2] + scans[3], stalls


def _counter(content: bytes, name: str) -> int:
    """The number after a name. Raises ValueError if the kernel does not list it."""
    start = content.index(b"\n%s " % name.encode()) + len(name) + 2
    return int(content[start : content.index(b"\n", start)])


def _processors(content: bytes) -> tuple[int, ...]:
    user, nice, system, idle, waiting, interrupts, soft, stolen = map(int, content[: content.index(b"\n")].split()[1:9])
    return user + nice, system, idle, waiting, interrupts + soft, stolen
