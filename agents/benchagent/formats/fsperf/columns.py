"""What the columns of fsperf's tables mean, according to its source (`ResultData.py`, `PerfTest.py`, `utils.py`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from benchagent.formats.model import Param

_NS = 10**9
_LATENCIES = {"lat": "total", "clat": "completion"}  # as of the JSON of fio


@dataclass(frozen=True)
class Meaning:
    """A column's test and metric. Base units are the number times ``times``, over ``over``.

    ``if_any`` is a column that is 0 if the test was not part of the run.
    """

    test: str
    metric: str
    times: int = 1
    over: int = 1
    params: Mapping[str, Param] = field(default_factory=dict)
    if_any: str = ""


def _of_fio() -> Iterator[tuple[str, Meaning]]:
    for test in ("read", "write"):
        order: dict[str, Param] = {"order": "unknown"}  # of the accesses: the options of fio are not stored
        any_ = f"{test}_iops"
        yield f"{test}_iops", Meaning(test, "rate", params=order, if_any=any_)
        yield f"{test}_bw_bytes", Meaning(test, "throughput", params=order, if_any=any_)
        for name in ("lat_ns_min", "lat_ns_mean", "lat_ns_max", "clat_ns_mean", "clat_ns_p50", "clat_ns_p99"):
            kind, _, statistic = name.split("_")
            params: dict[str, Param] = {**order, "latency": _LATENCIES[kind]}
            yield f"{test}_{name}", Meaning(test, f"latency_{statistic}", over=_NS, params=params, if_any=any_)


_OPERATIONS = (
    "ntcreatex", "close", "rename", "unlink", "deltree", "mkdir", "qpathinfo", "qfileinfo", "qfsinfo", "sfileinfo",
    "find", "writex", "readx", "lockx", "unlockx", "flush",
)  # fmt: skip

# table → column → meaning. fsperf keeps the last column of dbench's table, the greatest latency in ms.
TABLES: dict[str, dict[str, Meaning]] = {
    "fio_results": dict(_of_fio()),
    "dbench_results": {
        "throughput": Meaning("dbench", "throughput", 10**6),
        **{name: Meaning(name, "latency_max", over=1000) for name in _OPERATIONS},
    },
    "time_results": {"elapsed": Meaning("run", "elapsed")},
    "btrfs_commit_stats": {
        "avg_commit_ms": Meaning("commit", "latency_mean", over=1000, if_any="commits"),
        "max_commit_ms": Meaning("commit", "latency_max", over=1000, if_any="commits"),
    },
    "mount_timings": {"end_state_mount_ns": Meaning("mount", "elapsed", over=_NS, if_any="end_state_mount_ns")},
}
# Their columns are listed as not read.
OTHER_TABLES = ("io_stats", "fragmentation", "latency_traces")
VERSION_TABLE = "alembic_version"  # of the tables' layout
# Column of `runs` → name of the fact.
FACTS = {"name": "benchmark", "config": "config", "kernel": "kernel", "purpose": "purpose", "hostname": "machine"}
