"""The logs that fio writes beside its output, by their names: which job and test each of them is of.

The options `write_bw_log`, `write_iops_log`, `write_lat_log` and `write_hist_log` name the logs; without a value, and
in outputs without options, the job's name does. With `per_job_logs`, the default, the number of the process follows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from benchagent.formats.companions import Companion, base_name
from benchagent.formats.reading.located_json import Object

from .histogram import count_of
from .job_entries import JobEntry, jobs_of
from .options import test_of

_WORDS = {
    "write_bw_log": ("bw",),
    "write_iops_log": ("iops",),
    "write_lat_log": ("lat", "clat", "slat"),
    "write_hist_log": ("clat_hist",),
}
_MOST_JOBS = 200  # clones that the output lists one by one have one name, so this is many jobs


class JobTimes(NamedTuple):
    """When a job started, in seconds after the first one, and the time from then to the end of the last job."""

    start: float = 0.0
    until_end: float = 0.0


def companions_of(entries: Sequence[JobEntry], times: Sequence[JobTimes]) -> dict[str, Companion]:
    """The tests of each log of these jobs, which are all of one run of fio.

    A log that several jobs may have written under one name is left out.
    """
    if len({entry.name for entry in entries}) > _MOST_JOBS:
        return {}
    found: dict[str, list[tuple[int, Companion]]] = defaultdict(list)
    for process, (entry, time) in enumerate(zip(entries, times), start=1):
        tests = {each.name: test_of(each.name, entry.rw) for each in entry.directions if each.name != "mixed"}
        for stem in _stems(entry):
            found[stem].append((process, Companion(tests, *time)))
    numbered = not any("group_reporting" in entry.options for entry in entries)
    companions: dict[str, Companion] = {}
    for stem, several in found.items():
        if all(each == several[0][1] for _, each in several):
            companions[f"{stem}.log"] = several[0][1]
        elif numbered:
            companions.update({f"{stem}.{process}.log": each for process, each in several})
    return companions


def _stems(entry: JobEntry) -> Iterator[str]:
    for option, words in _WORDS.items():
        prefix = base_name(entry.options.get(option, "")) or entry.name
        for word in words:
            yield f"{prefix}_{word}"


def times_of(root: Object) -> list[JobTimes]:
    """When each job of a document started.

    fio prints it from 3.36 on. Before, a group of jobs starts when the longest job of the group before it has ended.
    """
    jobs = jobs_of(root)
    lengths = [count_of(job.get("job_runtime")) or 0 for job in jobs]
    starts = [count_of(job.get("job_start")) or 0 for job in jobs]
    if not all(starts):
        groups = [count_of(job.get("groupid")) or 0 for job in jobs]
        longest: dict[int, int] = {}
        for group, length in zip(groups, lengths):
            longest[group] = max(longest.get(group, 0), length)
        before = dict(zip(sorted(longest), accumulate((longest[group] for group in sorted(longest)), initial=0)))
        starts = [before[group] for group in groups]
    first = min(starts, default=0)
    end = max((start + length for start, length in zip(starts, lengths)), default=0)
    return [JobTimes((start - first) / 1000, (end - start) / 1000) for start in starts]
