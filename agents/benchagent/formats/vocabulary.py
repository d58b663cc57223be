"""The vocabulary of results: metrics with their base unit and direction, and the names of tests.

Agent and server both import this module, so that a result means the same on both sides. It imports nothing.
Test names are open (a tool may bring its own); metrics are closed, because a comparison needs their direction.
"""

from __future__ import annotations

from dataclasses import dataclass

UNITS = ("B", "B/s", "s", "op/s", "ratio")


@dataclass(frozen=True)
class Metric:
    """A measured quantity: base unit (one of UNITS) and direction."""

    unit: str
    higher_is_better: bool


METRICS: dict[str, Metric] = {
    "throughput": Metric("B/s", True),
    "rate": Metric("op/s", True),
    "elapsed": Metric("s", False),
    "user_time": Metric("s", False),
    "system_time": Metric("s", False),
    "cpu_time": Metric("s", False),
    "latency_mean": Metric("s", False),
    "latency_min": Metric("s", False),
    "latency_p50": Metric("s", False),
    "latency_p90": Metric("s", False),
    "latency_p95": Metric("s", False),
    "latency_p99": Metric("s", False),
    "latency_p999": Metric("s", False),
    "latency_p9999": Metric("s", False),
    "latency_percentile": Metric("s", False),  # any other; the params have its `percentile`
    "latency_max": Metric("s", False),
    "cpu_per_operation": Metric("s", False),
    "cpu_of_one_core": Metric("ratio", False),
    "cpu_of_all_cores": Metric("ratio", False),
    "layout_score": Metric("ratio", True),
    "extents_per_file": Metric("ratio", False),
    "free_extent_size": Metric("B", True),
}

# The params that name the output of a text in which a result stands: the series of an imported file.
SERIES = frozenset({"name", "section", "source", "place", "label"})

# In the order of iozone's own table.
IOZONE_TESTS = (
    "write",
    "rewrite",
    "read",
    "reread",
    "random_read",
    "random_write",
    "backward_read",
    "record_rewrite",
    "strided_read",
    "fwrite",
    "frewrite",
    "fread",
    "freread",
)

# Those that iozone and fsload run with the C library's buffered functions.
IOZONE_STDIO_TESTS = ("fwrite", "frewrite", "fread", "freread")

# In the order of bonnie++'s own CSV line. Its block_rewrite reads, changes and writes: it is not iozone's rewrite.
BONNIE_TESTS = (
    "char_write",
    "block_write",
    "block_rewrite",
    "char_read",
    "block_read",
    "random_seek",
    "seq_create",
    "seq_stat",
    "seq_delete",
    "random_create",
    "random_stat",
    "random_delete",
)

_LABELS = {
    "seq_create": "Sequential create",
    "seq_stat": "Sequential stat",
    "seq_delete": "Sequential delete",
    "block_rewrite": "Block read, change, write",
    "pwrite": "pwrite",
    "pread": "pread",
    "fwrite": "fwrite",
    "frewrite": "Re-fwrite",
    "fread": "fread",
    "freread": "Re-fread",
    "repwrite": "Re-pwrite",
    "repread": "Re-pread",
    "flowops": "All flowops",
    "flowops_read": "Flowops that read",
    "flowops_write": "Flowops that write",
    "mix": "All operations of the mix",
    "mix_read": "Reads of the mix",
    "mix_write": "Writes of the mix",
    "mkfs": "mkfs",
    "fsck": "fsck",
    "fsck_clean": "fsck, clean",
    "fsck_forced": "fsck, forced",
    "fsck_dirty": "fsck after a dirty unmount",
    "raw_read": "Raw device read",
}
# The names that tools themselves give to tests that have one name for all tools.
_OWN_NAMES = {
    ("ffsb", "mix"): "Total",
    ("ffsb", "mix_read"): "Read Throughput",
    ("ffsb", "mix_write"): "Write Throughput",
    ("filebench", "flowops"): "IO Summary",
    ("filebench", "flowops_read"): "IO Summary, rd",
    ("filebench", "flowops_write"): "IO Summary, wr",
    ("fsload", "flowops"): "wml",
}
# Numbers of bytes whose names do not show it.
_SIZES = {
    "capacity",
    "controller_cache",
    "fill",
    "max_bytes",
    "memory",
    "offset",
    "read_ahead",
    "source_median",
    "start",
}
# The opposite: md's stripe cache counts pages.
_NO_SIZES = {"stripe_cache_size"}


def test_label(test: str) -> str:
    """The test's name for people: ``random_read`` → ``Random read``; unknown names are converted in the same way."""
    return _LABELS.get(test) or test.replace("_", " ").capitalize()


def own_name(tool: str, test: str) -> str | None:
    """What the tool itself calls a test; None if that is the test's name."""
    return _OWN_NAMES.get((tool, test))


def is_size(name: str) -> bool:
    """Whether a parameter, or another setting, of this name is in bytes."""
    if name in _NO_SIZES:
        return False
    return name.endswith(("size", "sizes")) or name.startswith("bytes_") or name in _SIZES
