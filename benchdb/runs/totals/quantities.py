"""What a round amounts to, in quantities that can be compared between rounds of unequal speed.

Counters are divided by the work of the round, because a faster side does everything more often in a second. Times of
requests are divided by the requests, and waiting by the time of the round.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from math import inf

from .of_round import RoundTotals


class Work(StrEnum):
    """The work by which counters are divided."""

    OPERATION = "operation"
    BYTE = "byte"
    ROUND = "round"


class Per(StrEnum):
    """What a quantity is divided by; nothing if it is a level."""

    WORK = "work"
    SECOND = "second"
    REQUEST = "request"
    LEVEL = "level"


PAGE, MEBIBYTE = 2.0**12, 2.0**20
FLUSHES, COMMITS = 0.1, 0.05  # a second: others wait for a flush, and a commit has several requests and flushes


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity of a round: the series `amount` divided `per` work, second, or request (the series `requests`).

    `label` is a noun for its figure. `floor` is the smallest amount that matters, in `unit`; of counters in a second.
    Up to `by_clock` in a second, a counter may run with the clock and not with the work.
    `condition`: the figure describes the machine, and no effect of what was compared.
    """

    name: str
    label: str
    amount: str
    per: Per
    unit: str
    floor: float
    requests: str = ""
    by_clock: float = 0.0
    condition: bool = False


def _counter(name: str, label: str, unit: str = "op", floor: float | None = None) -> Quantity:
    usual, by_clock = {"op": (1.0, 2.0), "B": (PAGE, 64 * PAGE), "s": (0.01, inf)}[unit]
    return Quantity(name, label, name, Per.WORK, unit, floor or usual, by_clock=by_clock)


def _share(name: str, label: str, *, condition: bool = False) -> Quantity:
    return Quantity(name, label, name, Per.SECOND, "s", 0.01, condition=condition)


def _level(name: str, label: str, unit: str, floor: float, *, condition: bool = False) -> Quantity:
    return Quantity(name, label, name, Per.LEVEL, unit, floor, condition=condition)


def _of_requests(name: str, label: str, amount: str, requests: str, unit: str) -> Quantity:
    return Quantity(name, label, amount, Per.REQUEST, unit, {"s": 1e-5, "B": 512.0}[unit], requests)


QUANTITIES = (
    _counter("device_reads", "read requests"),
    _counter("device_writes", "write requests"),
    _counter("device_read_bytes", "bytes read from the device", "B"),
    _counter("device_write_bytes", "bytes written to the device", "B"),
    _counter("device_flushes", "flushes of the device", floor=FLUSHES),
    _of_requests("device_read_latency", "time of a read request", "device_read_time", "device_reads", "s"),
    _of_requests("device_write_latency", "time of a write request", "device_write_time", "device_writes", "s"),
    _of_requests("device_flush_latency", "time of a flush", "device_flush_time", "device_flushes", "s"),
    _of_requests("device_read_size", "size of a read request", "device_read_bytes", "device_reads", "B"),
    _of_requests("device_write_size", "size of a write request", "device_write_bytes", "device_writes", "B"),
    _share("device_busy_time", "device busy"),
    _level("device_in_flight", "requests in flight", "op", 0.1),
    _share("pressure_io_some", "a task waits for storage"),
    _share("pressure_io_full", "all tasks wait for storage"),
    _share("pressure_memory_some", "a task waits for memory"),
    _share("pressure_memory_full", "all tasks wait for memory"),
    _share("pressure_cpu_some", "a task waits for a processor"),
    _level("memory_dirty", "dirty data", "B", MEBIBYTE),
    _level("memory_writeback", "data being written", "B", MEBIBYTE),
    _level("memory_page_cache", "page cache", "B", MEBIBYTE),
    _counter("reclaim_scanned", "memory scanned by reclaim", "B"),
    _counter("reclaim_stolen", "memory freed by reclaim", "B"),
    _counter("reclaim_stalls", "stalls for memory", floor=FLUSHES),
    _counter("cpu_user", "processor time of programs", "s"),
    _counter("cpu_system", "processor time of the kernel", "s"),
    _counter("cpu_interrupts", "processor time of interrupts", "s"),
    _share("cpu_iowait", "processors idle, waiting for storage"),
    _share("cpu_stolen", "processors stolen by the hypervisor", condition=True),
    _level("cpu_frequency", "processor frequency", "Hz", 1e6, condition=True),
    _level("temperature_cpu", "temperature of the processors", "°C", 1.0, condition=True),
    _level("temperature_disk", "temperature of the disks", "°C", 1.0, condition=True),
    _level("file_system_delayed", "data without a place on the device", "B", MEBIBYTE),
    _counter("journal_commits", "commits of the journal", floor=COMMITS),
    _of_requests("journal_commit_latency", "time of a commit", "journal_commit_time", "journal_commits", "s"),
    _counter("journal_writes", "writes to the journal"),
    _counter("journal_write_bytes", "bytes written to the journal", "B"),
    _counter("journal_forces", "forced writes of the journal", floor=FLUSHES),
)


def common_work(rounds: Iterable[RoundTotals]) -> Work:
    """The most exact work that all of these rounds have: operations, else bytes, else the round itself."""
    known = [*rounds]
    for work in (Work.OPERATION, Work.BYTE):
        if known and all(work_of(each, work) > 0 for each in known):
            return work
    return Work.ROUND


def work_of(of_round: RoundTotals, work: Work) -> float:
    """The operations or bytes of a round, 0 if they are unknown; 1 for the round itself."""
    if work is Work.OPERATION:
        return of_round.own.get("operations", 0.0)
    return of_round.own.get("bytes") or of_round.logical_bytes or 0.0 if work is Work.BYTE else 1.0
