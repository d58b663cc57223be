"""What the tests of a plan did over time, from the logs that fio writes beside their files.

Each test has a log of its rate and one of its throughput, with the means of steps of at least half a second. All clones
of a test write to the same log (`per_job_logs=0`), so that the lines of a step are added up.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from benchagent.formats.fio.logs import samples
from benchagent.formats.model import FormatError, ToolSeries
from benchagent.formats.sampled import MOST_POINTS
from benchagent.toml.tables import Parameters

from .options import TESTS

SHORTEST_STEP = 500  # milliseconds; fio's means of shorter steps are of too few operations for slow disks
FEWEST_STEPS = 4
MOST_BYTES = 64 * 1024 * 1024  # of a log: the step grows with the seconds, so this is thousands of threads
_VERSION = "3"  # of fio; it matters for latencies alone


def log_options(parameters: Parameters) -> list[str]:
    """The options of all tests, which have a log of their own each by `logs_of`."""
    step = max(SHORTEST_STEP, round(1000 * float(str(parameters.get("seconds", 0))) / MOST_POINTS))
    return [f"--log_avg_msec={step}", "--log_unix_epoch=1", "--per_job_logs=0"]


def logs_of(test: str) -> list[str]:
    """The options with the logs of one test."""
    return [f"--write_iops_log={test}", f"--write_bw_log={test}"]


def series_in(directory: Path) -> list[ToolSeries]:
    """The series of the tests whose logs are in the directory. Logs that were read are removed.

    A test without whole logs has none: it was too short, or the disk was full.
    """
    return list(_found(directory))


def _found(directory: Path) -> Iterator[ToolSeries]:
    since_boot = time.time() - time.monotonic()  # the log has wall-clock time
    for test in TESTS:
        rates, throughputs = (_lines(directory / f"{test}_{word}.log", word) for word in ("iops", "bw"))
        times = sorted({at for at, _ in rates})
        steps = sorted(after - before for before, after in zip(times, times[1:]) if after - before > SHORTEST_STEP // 2)
        if len(steps) < FEWEST_STEPS - 1:
            continue
        first, step = times[0], steps[len(steps) // 2]
        operations, moved = (_counted(lines, first, step) for lines in (rates, throughputs))
        while len(operations) > MOST_POINTS:
            operations, moved = (_pairs(column) for column in (operations, moved))
            step *= 2
        moved = (moved + [0] * len(operations))[: len(operations)]
        start = (first - step) / 1000 - since_boot
        yield ToolSeries(test, start, step / 1000, tuple(operations), tuple(moved), (0,) * len(operations))


def _lines(path: Path, word: str) -> list[tuple[int, float]]:
    """The end of a step in milliseconds, and the mean of one clone and direction in it; [] without a whole log."""
    try:
        if path.is_symlink() or path.stat().st_size > MOST_BYTES:
            return []
        found = samples(path.read_text(), word, _VERSION)
        path.unlink()
    except (OSError, UnicodeDecodeError, FormatError):
        return []
    return [pair for each in found for pair in zip(each.times, each.values)]


def _counted(lines: list[tuple[int, float]], first: int, step: int) -> list[int]:
    """The operations or bytes of each step. Nothing happened in a step without a line."""
    sums: dict[int, float] = defaultdict(float)
    for at, mean in lines:
        sums[max(round((at - first) / step), 0)] += mean * step / 1000
    return [round(sums.get(i, 0.0)) for i in range(max(sums, default=-1) + 1)]


def _pairs(column: list[int]) -> list[int]:
    return [sum(column[i : i + 2]) for i in range(0, len(column), 2)]
