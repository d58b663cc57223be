"""The names of series: quantities that are sampled while a round runs, with their base unit.

Agent and server both import this module, so that a series means the same on both sides. It imports nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

MOST_POINTS = 600  # of one series
MOST_SERIES = 20_000  # of one run
MOST_POINTS_OF_A_RUN = 2_000_000


@dataclass(frozen=True)
class Sampled:
    """A quantity over time. `grows`: each point is the sum since the round's first sample, else a level at that time.

    `unit` is `B`, `s`, `op`, `Hz` or `°C`.
    """

    unit: str
    grows: bool = True


SAMPLED: dict[str, Sampled] = {
    # The block devices of the file system, together (Documentation/admin-guide/iostats.rst).
    "device_reads": Sampled("op"),
    "device_read_bytes": Sampled("B"),
    "device_read_time": Sampled("s"),  # the sum over requests, so more than a second in a second is possible
    "device_writes": Sampled("op"),
    "device_write_bytes": Sampled("B"),
    "device_write_time": Sampled("s"),
    "device_flushes": Sampled("op"),
    "device_flush_time": Sampled("s"),
    "device_busy_time": Sampled("s"),
    "device_in_flight": Sampled("op", grows=False),
    # Each disk below an array, a volume, a partition or an image, by its name (the same files).
    "disk_read_bytes": Sampled("B"),
    "disk_write_bytes": Sampled("B"),
    "disk_busy_time": Sampled("s"),
    # Time in which tasks waited for a resource (Documentation/accounting/psi.rst).
    "pressure_io_some": Sampled("s"),
    "pressure_io_full": Sampled("s"),
    "pressure_memory_some": Sampled("s"),
    "pressure_memory_full": Sampled("s"),
    "pressure_cpu_some": Sampled("s"),
    # Memory (mm/vmstat.c).
    "memory_dirty": Sampled("B", grows=False),
    "memory_writeback": Sampled("B", grows=False),
    "memory_page_cache": Sampled("B", grows=False),
    "reclaim_scanned": Sampled("B"),
    "reclaim_stolen": Sampled("B"),
    "reclaim_stalls": Sampled("op"),
    # All processors together (Documentation/filesystems/proc.rst, stat).
    "cpu_user": Sampled("s"),
    "cpu_system": Sampled("s"),
    "cpu_idle": Sampled("s"),
    "cpu_iowait": Sampled("s"),
    "cpu_interrupts": Sampled("s"),
    "cpu_stolen": Sampled("s"),
    "cpu_frequency": Sampled("Hz", grows=False),  # the mean over processors
    "temperature_cpu": Sampled("°C", grows=False),  # the hottest sensor
    "temperature_disk": Sampled("°C", grows=False),
    # The file system.
    "file_system_write_bytes": Sampled("B"),
    "file_system_delayed": Sampled("B", grows=False),  # written by programs, without a place on the device yet
    "journal_commits": Sampled("op"),
    "journal_commit_time": Sampled("s"),
    "journal_writes": Sampled("op"),
    "journal_write_bytes": Sampled("B"),
    "journal_forces": Sampled("op"),
    # A tool's own account of its work; the series name their test.
    "operations": Sampled("op"),
    "bytes": Sampled("B"),
    "latency_mean": Sampled("s", grows=False),  # of those in the step
    "latency_max": Sampled("s", grows=False),  # of the operations that ended in the step
}
