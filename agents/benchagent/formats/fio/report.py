"""Reads fio's report for people: one job of each `name: (groupid=0, jobs=1): err= 0: pid=…`, with the lines below it.

Its numbers are rounded, mostly to four digits; fio 2 also prints a wrong decimal after K and M, by at most 0.1 %.
Options come from the lines with which fio begins, `name: (g=0): rw=…`, if they are there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from benchagent.formats.reading.runs import RunValue
from benchagent.formats.reading.text import split_lines

from . import report_lines as lines
from .job_entries import Direction, JobEntry, common_options
from .messages import version_in
from .options import pattern

_LONGEST = 120
_STATUS = re.compile(r" *Run status group [0-9]+ \(all jobs\):")
_BLOCK_SIZES = re.compile(r"(?:\([RWT]\) )?([0-9.]+)([KMGT]?)(i?)B?-([0-9.]+)([KMGT]?)(i?)B?")
_SETTING = re.compile(r"(\w{1,40})=([^\s,]{1,120})")


@dataclass
class _Announced:
    """What fio prints of a job before it starts: its group and its options."""

    name: str
    group: str
    options: dict[str, str]


@dataclass
class _FioReport:
    """The output of one start of fio: announced jobs, finished jobs with their groups, and the version."""

    announced: list[_Announced] = field(default_factory=list)
    jobs: list[_Job] = field(default_factory=list)
    version: str | None = None
    ended: bool = False  # the status of the groups was printed

    def goes_on_in(self, other: _FioReport) -> bool:
        """Whether the other report is a later one of the same jobs (--status-interval): its numbers include these."""
        same = [(job.name, job.group, job.pid) for job in self.jobs]
        return not other.announced and same == [(job.name, job.group, job.pid) for job in other.jobs]


@dataclass
class _Job:
    line: int
    name: str
    group: str
    members: int
    errno: int
    error: str
    pid: str
    directions: list[Direction] = field(default_factory=list)
    values: list[RunValue] = field(default_factory=list)  # of the last direction
    cpu: list[RunValue] = field(default_factory=list)
    percentiles: tuple[str, str] | None = None  # kind and unit of the lines that follow
    decimal: bool = False


def entries_of_reports(text: str) -> tuple[list[JobEntry], dict[int, str]]:
    """The jobs of all reports in a text, and fio's words for their errors."""
    entries: list[JobEntry] = []
    words: dict[int, str] = {}
    reports = list(_reports(text))
    for report, later in zip(reports, [*reports[1:], _FioReport()]):
        if report.goes_on_in(later):
            continue
        for job in report.jobs:
            if job.error:
                words.setdefault(job.errno, f"err={job.errno} ({job.error})")
        entries += _entries(report)
    return entries, words


def _reports(text: str) -> Iterator[_FioReport]:
    report = _FioReport()
    for number, printed in enumerate(split_lines(text), start=1):
        line = printed.rpartition("\r")[2]  # progress overwrites itself
        header, job, version = lines.HEADER.match(line), lines.JOB.match(line), version_in(line)
        if (header and report.jobs) or (version and report.jobs) or (job and report.ended):
            yield report
            report = _FioReport()
        if header:
            report.announced.append(_announced(*header.groups()))
        elif version:
            report.version = version
        elif job:
            name, group, members, errno, error, pid = job.groups()
            report.jobs.append(_Job(number, name[:_LONGEST], group, int(members), int(errno), error or "", pid))
        elif _STATUS.match(line):
            report.ended = True
        elif report.jobs and not report.ended:
            _read(report.jobs[-1], line, number)
    yield report


def _announced(name: str, group: str, rw: str, sizes: str, more: str) -> _Announced:
    options = {"rw": rw, "bsrange": sizes}
    found = [
        (lines.size(low, power, binary), lines.size(high, high_power, high_binary))
        for low, power, binary, high, high_power, high_binary in _BLOCK_SIZES.findall(sizes)
    ]
    if found and all(low and low == high for low, high in found):
        options = {"rw": rw, "bs": ",".join(str(low) for low, _ in found)}
    return _Announced(name[:_LONGEST], group, {**options, **dict(_SETTING.findall(more))})


def _read(job: _Job, line: str, number: int) -> None:
    """Take the numbers of a line below a job."""
    if match := lines.DIRECTION.match(line):
        values, job.decimal = lines.rates(match[2], number)
        _begin(job, match[1], values)
    elif lines.SYNC.match(line):
        _begin(job, "sync", [])
    elif match := lines.PERCENTILES_OF.match(line):
        job.percentiles = (match[1] or "clat", match[2])
    elif job.percentiles and line.lstrip().startswith("|"):
        job.values += lines.percentiles(line, number, *job.percentiles)
    elif lines.CPU.match(line):
        job.cpu += lines.cpu(line, number)
    else:
        job.values += lines.latency(line, number)
        job.values += lines.samples(line, number, decimal=job.decimal)


def _begin(job: _Job, name: str, values: list[RunValue]) -> None:
    job.values, job.percentiles = values, None
    job.directions.append(Direction(name, job.values))


def _entries(report: _FioReport) -> Iterator[JobEntry]:
    clones = Counter((job.name, job.group) for job in report.jobs)
    shared = _shared_options(report.announced)
    of_group = Counter(job.group for job in report.jobs)
    seen: Counter[tuple[str, str]] = Counter()
    for job in report.jobs:
        key = (job.name, job.group)
        seen[key] += 1
        options = _options_of(job, shared, alone=of_group[job.group] == 1)
        threads = job.members * clones[key]
        yield JobEntry(
            line=job.line,
            name=job.name,
            host=None,
            options=options,
            rw=pattern(options) if "rw" in options else None,
            threads=threads,
            version=report.version,
            errno=job.errno,
            directions=[replace(each, values=list(each.values)) for each in job.directions],
            cpu=job.cpu,
            process=seen[key],
            clones=clones[key],
        )


def _shared_options(announced: list[_Announced]) -> dict[tuple[str, str | None], dict[str, str]]:
    """The options that all jobs of a group share, by (group, None), and those of one name in it, by (group, name)."""
    options: dict[tuple[str, str | None], list[Mapping[str, str]]] = {}
    for job in announced:
        for key in ((job.group, None), (job.group, job.name)):
            options.setdefault(key, []).append(job.options)
    return {key: common_options(of_key) for key, of_key in options.items()}


def _options_of(job: _Job, shared: Mapping[tuple[str, str | None], dict[str, str]], *, alone: bool) -> dict[str, str]:
    """The options of a job. With group_reporting, one job is reported for all of its group: those that all share."""
    options = shared.get((job.group, None if alone and job.members > 1 else job.name), {})
    return options if not options or {"bs", "bsrange"} & options.keys() else {**options, "bsrange": "several"}
