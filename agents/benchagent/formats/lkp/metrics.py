"""The metrics of LKP whose units its sources define, each with its test and metric here.

LKP's name of a metric is `PROGRAM.NAME`. LKP's scripts `programs/PROGRAM/parse` print the names, from the output of the
program: their units are those of the program, or are in the name. Metrics that are not here are not read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from benchagent.formats.model import Param

MIB = 1024**2
_UNKNOWN_ORDER: dict[str, Param] = {"order": "unknown"}  # the job says it, which is in another file
_UNKNOWN_MODE: dict[str, Param] = {"mode": "unknown"}
_ALONE: dict[str, Param] = {"phase": "alone"}
_MIXED: dict[str, Param] = {"phase": "with_transactions"}


@dataclass(frozen=True)
class LkpMetric:
    """What a number of LKP means: base units are the number times ``times``, over ``over``."""

    test: str
    metric: str
    times: int = 1
    over: int = 1
    params: Mapping[str, Param] = field(default_factory=dict)
    file_size: int | None = None
    record_size: int | None = None
    threads: int | None = None


_EXACT = {
    "aim7.jobs-per-min": LkpMetric("aim7", "rate", over=60),
    "dbench.throughput_MB/s": LkpMetric("dbench", "throughput", 10**6),
    "dbench.throughput-MB/sec": LkpMetric("dbench", "throughput", 10**6),
    "dbench.max_latency": LkpMetric("dbench", "latency_max", over=1000),
    "filebench.sum_operations/s": LkpMetric("flowops", "rate"),
    "filebench.sum_reads/s": LkpMetric("flowops_read", "rate"),
    "filebench.sum_writes/s": LkpMetric("flowops_write", "rate"),
    "filebench.sum_bytes_mb/s": LkpMetric("flowops", "throughput", MIB),
    "fsmark.files_per_sec": LkpMetric("create", "rate"),
    "postmark.transactions": LkpMetric("transactions", "rate"),
    "postmark.files_created": LkpMetric("create", "rate"),
    "postmark.creation_alone": LkpMetric("create", "rate", params=_ALONE),
    "postmark.creation_mixed_trans": LkpMetric("create", "rate", params=_MIXED),
    "postmark.files_read": LkpMetric("read", "rate"),
    "postmark.files_appended": LkpMetric("append", "rate"),
    "postmark.files_deleted": LkpMetric("delete", "rate"),
    "postmark.deletion_alone": LkpMetric("delete", "rate", params=_ALONE),
    "postmark.deletion_mixed_trans": LkpMetric("delete", "rate", params=_MIXED),
    "postmark.data_read": LkpMetric("read", "throughput"),
    "postmark.data_written": LkpMetric("write", "throughput"),
    "sysbench-fileio.read_operations/s": LkpMetric("read", "rate", params=_UNKNOWN_ORDER),
    "sysbench-fileio.read_bytes_MiB/s": LkpMetric("read", "throughput", MIB, params=_UNKNOWN_ORDER),
    "sysbench-fileio.write_operations/s": LkpMetric("write", "rate", params=_UNKNOWN_ORDER),
    "sysbench-fileio.write_bytes_MiB/s": LkpMetric("write", "throughput", MIB, params=_UNKNOWN_ORDER),
    "sysbench-fileio.fsync_operations/s": LkpMetric("sync", "rate"),
    "sysbench-fileio.latency_min_ms": LkpMetric("mix", "latency_min", over=1000, params=_UNKNOWN_MODE),
    "sysbench-fileio.latency_avg_ms": LkpMetric("mix", "latency_mean", over=1000, params=_UNKNOWN_MODE),
    "sysbench-fileio.latency_95th_ms": LkpMetric("mix", "latency_p95", over=1000, params=_UNKNOWN_MODE),
    "sysbench-fileio.latency_max_ms": LkpMetric("mix", "latency_max", over=1000, params=_UNKNOWN_MODE),
}
_FIO = re.compile(
    r"fio\.(?P<test>read|write)_(?P<name>bw_MBps|iops|clat_mean_ns|clat_(?:90|95|99)%_ns)"
    r"(?:\.instance(?P<instance>[0-9]{1,6}))?"
)
# fio's JSON has KiB/s, which LKP divides by 1024.
_FIO_METRICS: dict[str, tuple[str, int, int]] = {
    "bw_MBps": ("throughput", MIB, 1),
    "iops": ("rate", 1, 1),
    "clat_mean_ns": ("latency_mean", 1, 10**9),
    "clat_90%_ns": ("latency_p90", 1, 10**9),
    "clat_95%_ns": ("latency_p95", 1, 10**9),
    "clat_99%_ns": ("latency_p99", 1, 10**9),
}
_IOZONE = re.compile(r"iozone\.([0-9]{1,12})KB_([0-9]{1,12})reclen\.([a-z_]{1,20})")
_IOZONE_TESTS = {name: name for name in ("write", "rewrite", "read", "reread", "random_read", "random_write")}
_IOZONE_TESTS |= {name: name for name in ("record_rewrite", "fwrite", "frewrite", "fread", "freread")}
_IOZONE_TESTS |= {"bkwd_read": "backward_read", "stride_read": "strided_read"}
_FXMARK = re.compile(
    r"fxmark\.(?P<media>hdd|ssd|nvme|mem)_(?P<file_system>[a-z0-9_]{1,40})_(?P<test>[A-Z]{4})_(?P<threads>[0-9]{1,6})"
    r"_(?P<io>bufferedio|directio)\.works/sec"
)
_AIM9 = re.compile(r"aim9\.([a-z][a-z0-9_-]{0,60})\.ops_per_sec")
_TIME = re.compile(r"[a-z0-9-]{1,40}\.time\.([a-z_]{1,40})")  # of the script around the program, by GNU time
_TIMES = {
    "elapsed_time": LkpMetric("run", "elapsed"),
    "user_time": LkpMetric("run", "user_time"),
    "system_time": LkpMetric("run", "system_time"),
    "percent_of_cpu_this_job_got": LkpMetric("run", "cpu_of_one_core", over=100),
}


def meaning(name: str) -> LkpMetric | None:
    """What a metric of LKP means; None if it is not read."""
    if exact := _EXACT.get(name):
        return exact
    if match := _FIO.fullmatch(name):
        metric, times, over = _FIO_METRICS[match["name"]]
        params: dict[str, Param] = {"latency": "clat"} if metric.startswith("latency") else {}
        if match["instance"]:
            params["instance"] = int(match["instance"])
        return LkpMetric(match["test"], metric, times, over, {**_UNKNOWN_ORDER, **params})
    if (match := _IOZONE.fullmatch(name)) and match[3] in _IOZONE_TESTS:
        file_size, record_size = int(match[1]) * 1024, int(match[2]) * 1024
        return LkpMetric(
            _IOZONE_TESTS[match[3]], "throughput", 1024, file_size=file_size or None, record_size=record_size or None
        )
    if match := _FXMARK.fullmatch(name):
        setting: dict[str, Param] = {key: match[key] for key in ("media", "file_system", "io")}
        return LkpMetric(match["test"].lower(), "rate", params=setting, threads=int(match["threads"]))
    if match := _AIM9.fullmatch(name):
        return LkpMetric(match[1].replace("-", "_"), "rate")
    return _TIMES.get(match[1]) if (match := _TIME.fullmatch(name)) else None
