"""Reads fio's report for people: one job of each `name: (groupid=0, jobs=1): err= 0: pid=…`, with the lines below it.

Its numbers are rounded, mostly to four digits; fio 2 also prints a wrong decimal after K and M, by at most 0.1 %.
Options come from the lines with which fio begins, `name: (g=0): rw=…`, if they are there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from benchagent.formats.reading.runs import RunValue

from . import report_lines as lines
from .job_entries import Direction, JobEntry, common_options
from .messages import is_known, version_in
from .options import pattern

_LONGEST = 120
_OF_A_PRIORITY = ("", "")  # these are not read
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
    seen: set[tuple[str, str, str]] = field(default_factory=set)  # processes of one job have different numbers
    ended: bool = False  # the status of the groups was printed

    def add(self, job: _Job) -> None:
        self.jobs.append(job)
        self.seen.add(job.identity)

    def goes_on_in(self, other: _FioReport) -> bool:
        """Whether the other report is a later one of the same jobs (--status-interval): its numbers include these."""
        same = [job.identity for job in self.jobs]
        return self.ended and not other.announced and same == [job.identity for job in other.jobs]


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
    closed: bool = False  # what follows is not of this job

    @property
    def identity(self) -> tuple[str, str, str]:
        return self.name, self.group, self.pid


@dataclass
class ReportEntries:
    """The jobs of all reports in a text, fio's words for their errors, and the lines with numbers of no job."""

    jobs: list[JobEntry] = field(default_factory=list)
    words: dict[int, str] = field(default_factory=dict)
    orphans: list[tuple[int, str]] = field(default_factory=list)


def entries_of_reports(printed: Sequence[tuple[int, str]]) -> ReportEntries:
    """Read the reports in the lines of a text, as ``report_text.printed_lines`` returns them."""
    found = ReportEntries()
    reports = list(_reports(printed, found.orphans))
    for report, later in zip(reports, [*reports[1:], _FioReport()]):
        if report.goes_on_in(later):
            continue
        for job in report.jobs:
            if job.error:
                found.words.setdefault(job.errno, f"err={job.errno} ({job.error})")
        found.jobs += _entries(report)
    return found


def _reports(printed: Sequence[tuple[int, str]], orphans: list[tuple[int, str]]) -> Iterator[_FioReport]:
    report, after_blank = _FioReport(), False
    for number, line in printed:
        if after_blank and line and report.jobs and not is_known(line):
            report.jobs[-1].closed = True  # fio prints no blank line within a job
        after_blank = not line
        header = lines.HEADER.match(line) if "(g=" in line else None
        job = _job(line, number) if "(groupid=" in line else None
        version = version_in(line) if line.startswith("fio") else None
        if report.jobs and (header or version or (job and (report.ended or job.identity in report.seen))):
            yield report
            report = _FioReport()
        if header:
            report.announced.append(_announced(*header.groups()))
        elif version:
            report.version = version
        elif job:
            report.add(job)
        elif line.startswith("Run status") and _STATUS.match(line):
            report.ended = True
        elif (report.ended or not report.jobs or not _read(report.jobs[-1], line, number)) and lines.has_numbers(line):
            orphans.append((number, line))
    yield report


def _job(line: str, number: int) -> _Job | None:
    match = lines.JOB.match(line)
    if match is None:
        return None
    name, group, members, errno, error, pid = match.groups()
    return _Job(number, name[:_LONGEST], group, int(members), int(errno), error or "", pid)


def _announced(name: str, group: str, rw: str, sizes: str, more: str) -> _Announced:
    options = {"rw": rw, "bsrange": sizes}
    found = [
        (lines.size(low, power, binary), lines.size(high, high_power, high_binary))
        for low, power, binary, high, high_power, high_binary in _BLOCK_SIZES.findall(sizes)
    ]
    if found and all(low and low == high for low, high in found):
        options = {"rw": rw, "bs": ",".join(str(low) for low, _ in found)}
    return _Announced(name[:_LONGEST], group, {**options, **dict(_SETTING.findall(more))})


def _read(job: _Job, line: str, number: int) -> bool:
    """Take the numbers of a line below a job. Returns whether there is nothing else to read in it."""
    match = lines.DIRECTION.match(line) if "IOPS=" in line or "io=" in line else None
    job.closed = job.closed or bool(match and any(direction.name == match[1] for direction in job.directions))
    if job.closed:
        return False
    if match:
        values, job.decimal = lines.rates(match[2], number)
        _begin(job, match[1], values)
        return not lines.is_cut(line)
    if lines.SYNC.match(line):
        _begin(job, "sync", [])
        return True
    if "percentiles (" in line:
        heading = lines.PERCENTILES_OF.match(line)
        job.percentiles = (heading[1] or "clat", heading[2]) if heading else _OF_A_PRIORITY
        return True
    if line.startswith("cpu"):
        found = list(lines.cpu(line, number))
        job.cpu += found
        return bool(found)
    found = list(_numbers(job, line, number))
    if (found and not job.directions) or ("th=[" in line and not job.percentiles):
        return False
    job.values += found
    return bool(found) or not lines.is_cut(line)


def _numbers(job: _Job, line: str, number: int) -> Iterator[RunValue]:
    if "th=[" in line and job.percentiles and job.percentiles != _OF_A_PRIORITY:
        yield from lines.percentiles(line, number, *job.percentiles)
    elif "sec)" in line:
        yield from lines.latency(line, number)
    elif "min=" in line:
        yield from lines.samples(line, number, decimal=job.decimal)


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
