"""What fio's jobs did over time, from the logs that fio writes into the target's directory.

Each test of a plan gets a log of its rate and one of its throughput, with the means of steps of at least half a second.
All clones of a test write to the same log (`per_job_logs=0`). A job file runs unchanged, so it has the logs that it
asks for itself.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from benchagent.formats.companions import Companion, companion_named, placed
from benchagent.formats.fio.log_reader import series_of_log
from benchagent.formats.fio.logs import log_name
from benchagent.formats.model import FormatError, Parsed
from benchagent.formats.over_time import OverTime, joined
from benchagent.formats.sampled import MOST_POINTS
from benchagent.toml.tables import Parameters

SHORTEST_STEP = 500  # milliseconds; fio's means of shorter steps are of too few operations for slow disks
MOST_BYTES = 16 * 1024 * 1024  # of a log; one of single operations can be longer, and takes 0.3 s a MiB
_BOTH_DIRECTIONS = ("mixed", "random_mixed")  # the tests of plans whose logs have two directions


def log_options(parameters: Parameters) -> list[str]:
    """The options of all tests, which have a log of their own each by `logs_of`."""
    step = max(SHORTEST_STEP, round(1000 * float(str(parameters.get("seconds", 0))) / MOST_POINTS))
    return [f"--log_avg_msec={step}", "--log_unix_epoch=1", "--per_job_logs=0"]


def logs_of(test: str) -> list[str]:
    """The options with the logs of one test."""
    return [f"--write_iops_log={test}", f"--write_bw_log={test}"]


def series_in(directory: Path, parsed: Parsed) -> list[OverTime]:
    """The series of the jobs of an output whose logs are in the directory. Logs that were read are removed.

    A job without whole logs has none: it was too short, or the disk was full. Times are those of CLOCK_MONOTONIC.
    """
    try:
        names = sorted(os.listdir(directory))
    except OSError:
        return []
    logs = ((name, companion_named(parsed.companions, name)) for name in names if name.endswith(".log"))
    return joined(each for name, log in logs if log for each in _read(directory / name, log, parsed.tool_version))


def _read(path: Path, companion: Companion, version: str | None) -> Iterator[OverTime]:
    """The series of one log; none without a whole log."""
    log = log_name(path.name)
    try:
        if log is None or path.is_symlink() or not path.is_file() or path.stat().st_size > MOST_BYTES:
            return
        written = path.stat().st_mtime
        found = series_of_log(path.read_text(), log, version)
        path.unlink()
    except (OSError, UnicodeDecodeError, FormatError):
        return
    since_boot = (
        time.time() - time.monotonic()
    )  # the log and the file, which fio writes at its end, have wall-clock time
    if log.prefix in _BOTH_DIRECTIONS:
        companion = replace(companion, tests=dict.fromkeys(companion.tests, log.prefix))
    for each in placed(found, replace(companion, start=written - companion.until_end)):
        yield replace(each, start=each.start - since_boot)
