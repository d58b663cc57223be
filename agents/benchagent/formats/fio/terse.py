"""Reads fio's terse lines (`--output-format=terse`, `--minimal`), versions 3, 4 and 5: one line for each job.

Columns and units: fio's manual, "Terse output", and `show_thread_status_terse_all` of its `stat.c`. A line becomes the
object that the JSON of fio 2 would have for the job, because both have KiB/s and microseconds. Version 2, which has no
fio version in it, is not read.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from benchagent.formats.reading.located_json import Leaf, Node, Object

from .command import CommandJobs, jobs_of_command
from .job_entries import JobEntry, entries_of
from .messages import TERSE, is_known

_INPUT_OUTPUT = ("io_bytes", "bw", "iops", "runtime")
_STATISTICS = ("min", "max", "mean", "stddev")
_LATENCIES = {"slat": 4, "clat": 8, "lat": 32}  # the first field of each in the group of a direction
_TO_PERCENTILES, _TO_BW = 12, 36
_BW = ("bw_min", "bw_max", "bw_agg", "bw_mean", "bw_dev")
_OF_VERSION_5 = ("bw_samples", "iops_min", "iops_max", "iops_mean", "iops_stddev", "iops_samples")
_LENGTH = _TO_BW + len(_BW)
_NEXT_LINE = re.compile(r"[345];fio-[0-9]")
_HEAD = 5  # version of the form, version of fio, job, group, error
_CPU = 5  # user, system, context switches, major and minor faults
_DISTRIBUTION = 7 + 10 + 12  # depths, latencies in microseconds, in milliseconds
# The directions by the number of groups of fields: one with unified_rw_reporting, one more than usual if it is `both`.
_DIRECTIONS: dict[str, dict[int, tuple[str, ...]]] = {
    "3": {1: ("mixed",), 2: ("read", "write"), 3: ("read", "write", "mixed")},
    "4": {1: ("mixed",), 3: ("read", "write", "trim"), 4: ("read", "write", "trim", "mixed")},
    "5": {1: ("mixed",), 3: ("read", "write", "trim"), 4: ("read", "write", "trim", "mixed")},
}


class _TerseJob(NamedTuple):
    name: str
    version: str
    printed: Object


@dataclass
class TerseStart:
    """The jobs of one start of fio, with their names by line."""

    jobs: list[Node] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    last: str = ""
    version: str = ""

    def add(self, job: _TerseJob, line: int) -> None:
        self.jobs.append(job.printed)
        self.seen.add(job.name)
        self.names[line], self.last, self.version = job.name, job.name, job.version

    @property
    def root(self) -> Object:
        """The start as the JSON of fio 2 has it."""
        return {"fio version": Leaf(self.version, min(self.names)), "jobs": self.jobs}


@dataclass
class TerseOutput:
    """All starts of fio in a text, the lines with its commands, and the numbers of terse lines that are cut."""

    starts: list[TerseStart] = field(default_factory=list)
    commands: list[tuple[int, str]] = field(default_factory=list)
    cut: set[int] = field(default_factory=set)

    def entries(self) -> list[JobEntry]:
        """The jobs of all starts."""
        return [entry for start in self.starts for entry in entries_of(start.root)]

    def lines_of_others(self, names: Collection[str]) -> set[int]:
        """The numbers of the lines that are cut, and of those whose job has none of these names."""
        return self.cut | {line for start in self.starts for line, name in start.names.items() if name not in names}


def terse_output(printed: Sequence[tuple[int, str]]) -> TerseOutput:
    """Read the terse lines among the lines of a text.

    Lines behind each other are of one start of fio. Another line begins the next one, as does a job that comes again
    behind other jobs. A command line is that of the lines below it, up to the next words that are not fio's.
    """
    output, start = TerseOutput(), TerseStart()
    options: CommandJobs = {}
    for number, line in printed:
        words = line.strip()
        job = _job(words, number, options) if TERSE.match(words) else None
        if not job and not words:
            continue
        if start.jobs and (job is None or (job.name in start.seen and job.name != start.last)):
            start = TerseStart()
        if job:
            output.starts += [start] * (not start.jobs)
            start.add(job, number)
        elif command := jobs_of_command(words):
            options = command
            output.commands.append((number, words))
        elif TERSE.match(words):
            output.cut.add(number)
        elif not is_known(words):
            options = {}
    return output


def _job(line: str, number: int, options: CommandJobs) -> _TerseJob | None:
    """The job of a terse line; None if fields are missing, or if another line begins in it."""
    fields = line.split(";")
    first = next((index for index in range(len(fields)) if _has_percentiles(fields[index : index + _TO_BW])), 0)
    if first < _HEAD or _NEXT_LINE.search(line, 1):
        return None
    terse_version, version, *name_parts, group, error = fields[:first]
    groups = list(_groups(fields, first, _LENGTH + len(_OF_VERSION_5) * (terse_version == "5")))
    directions = _DIRECTIONS[terse_version].get(len(groups))
    rest = fields[first + sum(map(len, groups)) :]
    if (
        not error.isdecimal()
        or directions is None
        or len(rest) < _CPU + _DISTRIBUTION
        or not rest[0].endswith("%")
        or not rest[1].endswith("%")
    ):
        return None
    name = ";".join(name_parts)
    of_job = options.get(name)
    kind = "lat" if of_job and of_job.get("lat_percentiles", "0") != "0" else "clat"
    printed: Object = {
        "jobname": Leaf(name, number),
        "groupid": Leaf(group, number),
        "error": Leaf(error, number),
        "usr_cpu": Leaf(rest[0][:-1], number),
        "sys_cpu": Leaf(rest[1][:-1], number),
        **{direction: _direction(of_group, number, kind) for direction, of_group in zip(directions, groups)},
    }
    if of_job:
        printed["job options"] = {option: Leaf(value, number) for option, value in of_job.items()}
    return _TerseJob(name, version, printed)


def _groups(fields: Sequence[str], start: int, length: int) -> Iterator[Sequence[str]]:
    """The groups of fields with percentiles, one for each direction."""
    while len(group := fields[start : start + length]) == length:
        if not _has_percentiles(group):
            return
        yield group
        start += length


def _has_percentiles(group: Sequence[str]) -> bool:
    percentiles = group[_TO_PERCENTILES : _LATENCIES["lat"]]
    return len(percentiles) == _LATENCIES["lat"] - _TO_PERCENTILES and all("%=" in each for each in percentiles)


def _direction(fields: Sequence[str], line: int, kind: str) -> Object:
    """A direction as fio 2 has it in its JSON: statistics in microseconds, percentiles in those of this kind."""
    printed = [Leaf(each, line) for each in fields]
    latencies: dict[str, Object] = {
        name: dict(zip(_STATISTICS, printed[start : start + 4])) for name, start in _LATENCIES.items()
    }
    shares = (each.split("%=", 1) for each in fields[_TO_PERCENTILES : _LATENCIES["lat"]])
    latencies[kind]["percentile"] = {share: Leaf(value, line) for share, value in shares}
    return {**dict(zip(_INPUT_OUTPUT, printed)), **latencies, **dict(zip((*_BW, *_OF_VERSION_5), printed[_TO_BW:]))}
