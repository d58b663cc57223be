"""Compares two observations of the machine to find what disturbed a measurement. docs/result-format.md has the names.

Sources, all of the kernel's documentation: filesystems/proc.rst (stat, PID/stat, PID/io, loadavg),
admin-guide/iostats.rst and md.rst (sync_action), and x86's sysfs files under cpu/cpu*/thermal_throttle.
"""

from __future__ import annotations

import os
import posixpath
import re
import time
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from benchagent.inventory import Source

SHORTEST = 1.0  # seconds; the kernel counts CPU time in hundredths, too coarse for less
QUIET_RATE = 2**20  # bytes per second; less traffic of other processes is ignored
CLOCK_STEP = 0.001  # seconds; NTP slews both clocks alike, so they drift apart only if somebody sets one
KERNEL_THREAD = 0x00200000  # PF_KTHREAD of include/linux/sched.h
SECTOR = 512
IDLE = ("idle", "frozen")  # values of an array's sync_action that mean no resync
CPUS = "/sys/devices/system/cpu"


@dataclass(frozen=True)
class CpuTimes:
    """CPU seconds of all processors together since the start of the machine."""

    busy: float  # in programs and the kernel, without interrupts, which mostly come from the measured device
    stolen: float  # by the hypervisor
    total: float


@dataclass(frozen=True)
class Look:
    """The machine at one moment. None means unknown."""

    at: float  # seconds of the monotonic clock
    clock: float  # seconds by which the time of day is ahead of the monotonic clock
    load: float | None
    cpu: CpuTimes | None
    own: float  # CPU seconds of this agent and of the programs it waited for
    kernel_threads: float  # CPU seconds
    others_bytes: int | None  # storage traffic of other processes
    disks: Mapping[str, int]  # bytes moved by each disk
    throttled: Mapping[str, int]  # counts by counter
    resyncing: tuple[str, ...]  # arrays


def look(source: Source) -> Look:
    times = os.times()
    kernel_threads, others = _processes(source, os.getpid())
    return Look(
        at=time.monotonic(),
        clock=time.time() - time.monotonic(),
        load=load_average(source),
        cpu=cpu_seconds(source),
        own=times.user + times.system + times.children_user + times.children_system,
        kernel_threads=kernel_threads,
        others_bytes=others,
        disks=disk_bytes(source),
        throttled=throttle_counts(source),
        resyncing=resyncing(source),
    )


def noise(before: Look, after: Look, devices: Collection[str], moved: float | None) -> dict[str, float | str]:
    """The contract's `noise`. `devices` are the names of the disks under the target, `moved` the bytes they moved."""
    others = _difference(before.others_bytes, after.others_bytes)
    disks = sum(after.disks[name] - before.disks[name] for name in after.disks.keys() & before.disks.keys() - devices)
    seconds = after.at - before.at
    shares = _cpu_shares(before, after) if seconds >= SHORTEST else {}
    facts: dict[str, float | None] = {
        "load_before": before.load,
        **shares,
        "bytes_of_others": others,
        "bytes_of_other_disks": max(0, disks) if after.disks else None,
    }
    if shares:
        facts["score"] = round(max(sum(shares.values()), _io_share(others, moved, seconds)), 4)
    step = after.clock - before.clock
    if abs(step) > CLOCK_STEP:
        facts["clock_step"] = round(step, 6)
    return {name: value for name, value in facts.items() if value is not None}


def disturbances(before: Look, after: Look) -> Counter[str]:
    """The number of events of each kind that must not happen during a measurement."""
    cores = packages = 0
    for name in after.throttled.keys() & before.throttled.keys():
        more = after.throttled[name] - before.throttled[name]
        if "package" in name:
            packages = max(packages, more)  # each of a package's processors has the same counter
        else:
            cores += more
    return Counter(
        {
            "thermal_throttling": max(cores, packages),
            "raid_resync": len({*before.resyncing, *after.resyncing}),
            "clock_step": int(abs(after.clock - before.clock) > CLOCK_STEP),
        }
    )


def load_average(source: Source) -> float | None:
    """The load average of the last minute."""
    match = re.match(r"(\d+\.\d+) ", source.text("/proc/loadavg") or "")
    return float(match[1]) if match else None


def cpu_seconds(source: Source) -> CpuTimes | None:
    match = re.match(r"cpu +((?:\d+ ?){8,})", source.text("/proc/stat") or "")
    if not match:
        return None
    user, nice, system, *rest = (int(ticks) / os.sysconf("SC_CLK_TCK") for ticks in match[1].split()[:8])
    return CpuTimes(user + nice + system, rest[-1], user + nice + system + sum(rest))


def disk_bytes(source: Source) -> dict[str, int]:
    """Bytes moved by each disk, by name. Only disks with a device behind them, so that no byte counts twice."""
    by_disk = {}
    for line in (source.text("/proc/diskstats") or "").splitlines():
        fields = line.split()
        if len(fields) > 9 and source.exists(f"/sys/block/{fields[2].replace('/', '!')}/device"):
            by_disk[fields[2]] = (int(fields[5]) + int(fields[9])) * SECTOR
    return by_disk


def throttle_counts(source: Source) -> dict[str, int]:
    """How often each core and package was slowed down by heat; empty if the machine has no such counters."""
    counts = {}
    for cpu in source.names(CPUS):
        for kind in ("core", "package") if re.fullmatch(r"cpu\d+", cpu) else ():
            count = source.integer(f"{CPUS}/{cpu}/thermal_throttle/{kind}_throttle_count")
            if count is not None:
                counts[f"{cpu} {kind}"] = count
    return counts


def resyncing(source: Source) -> tuple[str, ...]:
    """Arrays that copy, check or rebuild themselves."""
    actions = {name: source.line(f"/sys/block/{name}/md/sync_action") for name in source.names("/sys/block")}
    return tuple(name for name, action in actions.items() if action is not None and action not in IDLE)


def _processes(source: Source, own_pid: int) -> tuple[float, int | None]:
    """CPU seconds of the kernel's threads, and storage traffic in bytes of all processes except this agent.

    The counts of a finished child are added to its parent, so the sum loses nothing, and the agent's tools count for
    the agent. The bytes are None if the counters of other users' processes are not readable.
    """
    ticks = moved = 0
    visible = source.text("/proc/1/io") is not None
    for name in source.names("/proc"):
        status = source.text(f"/proc/{name}/stat") if name.isdigit() else None
        if status is None:
            continue
        fields = status.rpartition(")")[2].split()[1:]  # a program's name may hold anything, parentheses too
        if int(fields[5]) & KERNEL_THREAD:
            ticks += int(fields[10]) + int(fields[11])
        elif visible and int(name) != own_pid:
            counts = re.findall(r"^(?:read|write)_bytes: (\d+)$", source.text(f"/proc/{name}/io") or "", re.MULTILINE)
            moved += sum(map(int, counts))
    return ticks / os.sysconf("SC_CLK_TCK"), moved if visible else None


def _cpu_shares(before: Look, after: Look) -> dict[str, float]:
    """Shares of all CPU time: of programs other than the agent, its tools and kernel threads, and of the hypervisor."""
    if before.cpu is None or after.cpu is None or after.cpu.total <= before.cpu.total:
        return {}
    total = after.cpu.total - before.cpu.total
    ours = after.own - before.own + after.kernel_threads - before.kernel_threads
    others = (after.cpu.busy - before.cpu.busy - ours) / total
    stolen = (after.cpu.stolen - before.cpu.stolen) / total
    return {"cpu_of_others": round(min(1.0, max(0.0, others)), 4), "cpu_stolen": round(min(1.0, max(0.0, stolen)), 4)}


def _io_share(others: int | None, moved: float | None, seconds: float) -> float:
    if others is None or others < QUIET_RATE * seconds:
        return 0.0
    return others / (others + (moved or 0))


def _difference(before: int | None, after: int | None) -> int | None:
    return None if before is None or after is None else max(0, after - before)


def disks_of(devices: Collection[str]) -> set[str]:
    """The kernel's names of devices that are given by their sysfs directories."""
    return {posixpath.basename(device).replace("!", "/") for device in devices}
