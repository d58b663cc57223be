"""Reads fio's terse lines (`--output-format=terse`, `--minimal`), versions 2 to 5: one line for each job.

Columns and units: fio's manual, "Terse output", and `show_thread_status_terse_all` of its `stat.c`. A line becomes the
object that the JSON of fio 2 would have for the job, because both have KiB/s and microseconds. Version 2 has no fio
version in it; fio before 2.0 prints it without IOPS and percentiles. Before 2.0.8 the bandwidth is bytes by
milliseconds in every version.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from benchagent.formats.reading.located_json import Leaf, Node, Object

from .command import CommandJobs, jobs_of_command
from .job_entries import JobEntry, entries_of
from .messages import TERSE, is_known, version_in

_STATISTICS = ("min", "max", "mean", "stddev")
_BW = ("bw_min", "bw_max", "bw_agg", "bw_mean", "bw_dev")
_OF_VERSION_5 = ("bw_samples", "iops_min", "iops_max", "iops_mean", "iops_stddev", "iops_samples")
_NEXT_LINE = re.compile(r"[345];fio-[0-9]")
_HEADS = {"2": 4}  # version of the form, job, group, error
_HEAD = 5  # of later versions, which have fio's version after their own
_CPU = 5  # user, system, context switches, major and minor faults
_ERRORS = 2  # with continue_on_error; nothing else can follow in a line of version 2
_DISTRIBUTION = 7 + 10 + 12  # depths, latencies in microseconds, in milliseconds
# The directions by the number of groups of fields: one with unified_rw_reporting, one more than usual if it is `both`.
_DIRECTIONS: dict[str, dict[int, tuple[str, ...]]] = {
    "2": {1: ("mixed",), 2: ("read", "write"), 3: ("read", "write", "trim"), 4: ("read", "write", "trim", "mixed")},
    "3": {1: ("mixed",), 2: ("read", "write"), 3: ("read", "write", "mixed")},
    "4": {1: ("mixed",), 3: ("read", "write", "trim"), 4: ("read", "write", "trim", "mixed")},
    "5": {1: ("mixed",), 3: ("read", "write", "trim"), 4: ("read", "write", "trim", "mixed")},
}


class _Group(NamedTuple):
    """The fields of one direction: the first names, the first field of each latency, that of the samples, how many."""

    names: tuple[str, ...]
    latencies: dict[str, int]
    to_bw: int
    length: int


_PLAIN = _Group(("io_bytes", "bw", "runtime"), {"slat": 3, "clat": 7, "lat": 11}, 15, 20)  # before fio 2.0
_FULL = _Group(("io_bytes", "bw", "iops", "runtime"), {"slat": 4, "clat": 8, "lat": 32}, 36, 41)
_OF_5 = _FULL._replace(length=_FULL.length + len(_OF_VERSION_5))
_TO_PERCENTILES, _PAST_PERCENTILES = 12, 32


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
        version: Object = {"fio version": Leaf(self.version, min(self.names))} if self.version else {}
        return {**version, "jobs": self.jobs}


@dataclass
class TerseOutput:
    """All starts of fio in a text, the lines with its commands, and the numbers of terse lines that are cut.

    `descriptions` are the numbers of the lines below those of version 2: a semicolon and the description of the job.
    """

    starts: list[TerseStart] = field(default_factory=list)
    commands: list[tuple[int, str]] = field(default_factory=list)
    cut: set[int] = field(default_factory=set)
    descriptions: set[int] = field(default_factory=set)

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
    version, before = "", ""
    for number, line in printed:
        words = line.strip()
        job = _job(words, number, options, version) if TERSE.match(words) else None
        if not job and not words:
            continue
        if words.startswith(";") and before.startswith("2;"):
            output.descriptions.add(number)
            before = ""
            continue
        before, version = words, version_in(words) or version
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


def _job(line: str, number: int, options: CommandJobs, version: str) -> _TerseJob | None:
    """The job of a terse line; None if fields are missing, or if another line begins in it.

    `version` is fio's according to the lines above, for lines without one.
    """
    fields = line.split(";")
    terse_version, *others = fields
    head = _HEADS.get(terse_version, _HEAD)
    form = _OF_5 if terse_version == "5" else _FULL if "%=" in line or terse_version != "2" else _PLAIN
    first = next((at for at in range(head, len(fields)) if _fits(form, fields[at : at + form.length])), 0)
    if not first or _NEXT_LINE.search(line, 1):
        return None
    *name_parts, group, error = others[: first - 1]
    if head == _HEAD:
        version, *name_parts = name_parts
    elif len(name_parts) > 1:  # or a line that was cut has another one behind it
        return None
    groups = list(_groups(fields, first, form))
    directions = _DIRECTIONS[terse_version].get(len(groups))
    rest = fields[first + sum(map(len, groups)) :]
    if (
        not error.isdecimal()
        or directions is None
        or len(rest) < _CPU + _DISTRIBUTION
        or (terse_version == "2" and len(rest) > _CPU + _DISTRIBUTION + _ERRORS)
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
        **{direction: _direction(of_group, form, number, kind) for direction, of_group in zip(directions, groups)},
    }
    if of_job:
        printed["job options"] = {option: Leaf(value, number) for option, value in of_job.items()}
    return _TerseJob(name, version, printed)


def _groups(fields: Sequence[str], start: int, form: _Group) -> Iterator[Sequence[str]]:
    """The groups of fields of this form, one for each direction."""
    while _fits(form, group := fields[start : start + form.length]):
        yield group
        start += form.length


def _fits(form: _Group, group: Sequence[str]) -> bool:
    """Whether the fields are those of a direction."""
    if len(group) < form.length:
        return False
    if form is _PLAIN:
        return group[form.to_bw + 2].endswith("%") and all(each.isdecimal() for each in group[: form.to_bw : 4])
    return all("%=" in each for each in group[_TO_PERCENTILES:_PAST_PERCENTILES])


def _direction(fields: Sequence[str], form: _Group, line: int, kind: str) -> Object:
    """A direction as fio 2 has it in its JSON: statistics in microseconds, percentiles in those of this kind."""
    printed = [Leaf(each, line) for each in fields]
    latencies: dict[str, Object] = {
        name: dict(zip(_STATISTICS, printed[start : start + 4])) for name, start in form.latencies.items()
    }
    if form is not _PLAIN:
        shares = (each.split("%=", 1) for each in fields[_TO_PERCENTILES:_PAST_PERCENTILES])
        latencies[kind]["percentile"] = {share: Leaf(value, line) for share, value in shares}
    samples = zip((*_BW, *_OF_VERSION_5), printed[form.to_bw :])
    direction: Object = {**dict(zip(form.names, printed)), **latencies, **dict(samples)}
    moved, bandwidth, runtime = (_whole(fields[form.names.index(name)]) for name in ("io_bytes", "bw", "runtime"))
    if bandwidth and (form is _PLAIN or _is_bytes_by_milliseconds(moved, bandwidth, runtime)):
        direction["bw_bytes"] = Leaf(str(bandwidth * 1000), line)
        direction["bw"] = Leaf(f"{bandwidth * 1000 / 1024:.3f}", line)
    return direction


def _is_bytes_by_milliseconds(moved: int, bandwidth: int, runtime: int) -> bool:
    """Whether a bandwidth can only be bytes by milliseconds, not KiB/s; fio cuts all three numbers, `moved` to KiB."""
    least, most = moved * 1024, moved * 1024 + 1023
    if not runtime or not least // runtime <= bandwidth <= most // runtime:
        return False
    return not least * 1000 // runtime // 1024 <= bandwidth <= most * 1000 // runtime // 1024


def _whole(printed: str) -> int:
    return int(printed) if printed.isascii() and printed.isdecimal() and len(printed) <= 18 else 0
