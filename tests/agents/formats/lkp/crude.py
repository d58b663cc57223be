"""A second reader of LKP's statistics: each line's number belongs to the last name above it, or in it."""

import re
from collections.abc import Iterator

SUFFIXES = {
    "fsmark.files_per_sec": ("rate", 1.0),
    "throughput_MB/s": ("throughput", 1e6),
    "dbench.max_latency": ("latency_max", 1e-3),
    "_bw_MBps": ("throughput", 1048576.0),
    "_iops": ("rate", 1.0),
    "clat_mean_ns": ("latency_mean", 1e-9),
    "clat_90%_ns": ("latency_p90", 1e-9),
    "clat_95%_ns": ("latency_p95", 1e-9),
    "clat_99%_ns": ("latency_p99", 1e-9),
    "fileio.latency_avg_ms": ("latency_mean", 1e-3),
    "fileio.latency_95th_ms": ("latency_p95", 1e-3),
    "fileio.latency_max_ms": ("latency_max", 1e-3),
    "time.elapsed_time": ("elapsed", 1.0),
    "time.user_time": ("user_time", 1.0),
    "time.system_time": ("system_time", 1.0),
    "time.percent_of_cpu_this_job_got": ("cpu_of_one_core", 0.01),
    ".works/sec": ("rate", 1.0),
    "ops_per_sec": ("rate", 1.0),
}


def cells(text: str) -> Iterator[tuple[int, str, float]]:
    """(line, metric, number in base units); zeros too."""
    name = ""
    for number, line in enumerate(text.split("\n"), start=1):
        if named := re.match(r'\s*"([^"]+)":', line):
            name = named[1]
        figure = re.search(r"(?:: |^\s*)([0-9.eE+-]+),?$", line)
        name = re.sub(r"\.instance\d+$", "", name)
        for suffix, (metric, times) in SUFFIXES.items():
            if figure and name.endswith(suffix):
                yield number, metric, float(figure[1]) * times
        if figure and re.search(r"reclen\.[a-z_]+$", name):
            yield number, "throughput", float(figure[1]) * 1024
