"""A run of fio with logs of all kinds: of means, of single operations, and histograms."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

JOBS = """[global]
size=1m
write_bw_log=log
write_iops_log=log
write_lat_log=log
write_hist_log=log
log_avg_msec=50
log_hist_msec=50
log_hist_coarseness=1
ioengine=libaio
[a]
rw=randrw
time_based
runtime=2000ms
iodepth=4
rate_iops=2000
fdatasync=8
lat_percentiles=1
slat_percentiles=1
[b]
stonewall
rw=write
log_avg_msec=0
time_based
runtime=500ms
rate_iops=1000
write_bw_log=single
write_iops_log=single
write_lat_log=single
"""


@dataclass(frozen=True)
class LoggedRun:
    """The folder of the logs, and the output as JSON."""

    folder: Path
    output: str

    def log(self, name: str) -> str:
        return (self.folder / name).read_text()


def logged_run(folder: Path) -> LoggedRun:
    (folder / "jobs").write_text(JOBS)
    done = subprocess.run(
        ["fio", "--output-format=json+", "jobs"], cwd=folder, capture_output=True, text=True, check=True
    )
    return LoggedRun(folder, done.stdout)
