"""The reports in the lines of a text: what fio announced, one job of each `name: (groupid=0, jobs=1): err= 0: pid=…`
with the lines below it, and the totals of groups.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from benchagent.formats.reading.latency_figures import with_enough_beyond
from benchagent.formats.reading.runs import RunValue

from . import report_lines as lines
from .command import CommandJobs, commands_in
from .job_entries import Direction
from .messages import is_known, version_in

_LONGEST = 120
_OF_A_PRIORITY = ("", "")  # these are not read
_STATUS = re.compile(r" *Run status group ([0-9]+) \(all jobs\):")
_SIZE = r"([0-9]{1,18}(?:\.[0-9]{1,12})?)([KMGT]?)(i?)B?"
_BLOCK_SIZES = re.compile(rf"(?:\([RWT]\) )?{_SIZE}-{_SIZE}")
_STARTING = re.compile(r"([0-9]{1,6}) (?:process|thread)")
_AT_ONCE = timedelta(seconds=2)
_SETTING = re.compile(r"(\w{1,40})=([^\s,]{1,120})")


@dataclass
class AnnouncedJob:
    """What fio prints of a job before it starts: its group and its options."""

    name: str
    group: str
    options: dict[str, str]


@dataclass
class PrintedReport:
    """The output of one start of fio: announced jobs, finished jobs with their groups, and the version."""

    announced: list[AnnouncedJob] = field(default_factory=list)
    command: CommandJobs = field(default_factory=dict)
    jobs: list[PrintedJob] = field(default_factory=list)
    version: str | None = None
    started: int | None = None  # processes and threads
    seen: set[tuple[str, str, str]] = field(default_factory=set)  # processes of one job have different numbers
    totals: list[tuple[str, Direction]] = field(default_factory=list)  # of each group
    group: str = ""  # whose totals follow
    since: list[str] = field(default_factory=list)  # lines below the last job
    ended: bool = False  # the status of the groups was printed

    def add(self, job: PrintedJob) -> None:
        self.jobs.append(job)
        self.seen.add(job.identity)
        self.since.clear()

    def has_another_start(self, job: PrintedJob) -> bool:
        """Whether a further job is of another start of fio, which prints all of its jobs at once, one below another."""
        if self.ended or job.identity in self.seen:
            return True
        printed = self.jobs[-1].printed, job.printed
        if printed[0] and printed[1]:
            return abs(printed[1] - printed[0]) > _AT_ONCE
        return any(line and not is_known(line) for line in self.since)

    def lacks_header(self, line: str) -> bool:
        """Whether a line begins a job whose header was not pasted."""
        match = lines.DIRECTION.match(line) if not self.jobs or not self.jobs[0].members else None
        return match is not None and (not self.jobs or any(each.name == match[1] for each in self.jobs[0].directions))

    def goes_on_in(self, other: PrintedReport) -> bool:
        """Whether the other report is a later one of the same jobs (--status-interval): its numbers include these."""
        same = [job.identity for job in self.jobs]
        return bool(same) and self.ended and not other.announced and same == [job.identity for job in other.jobs]


@dataclass
class PrintedJob:
    line: int
    name: str
    group: str
    members: int
    errno: int
    error: str
    pid: str
    printed: datetime | None
    directions: list[Direction] = field(default_factory=list)
    values: list[RunValue] = field(default_factory=list)  # of the last direction
    cpu: list[RunValue] = field(default_factory=list)
    percentiles: tuple[str, str] | None = None  # kind and unit of the lines that follow
    operations: float | None = None  # of the last direction, about, as its rate and its time say
    decimal: bool = False
    closed: bool = False  # what follows is not of this job

    @property
    def identity(self) -> tuple[str, str, str]:
        return self.name, self.group, self.pid


@dataclass
class OtherLines:
    """Lines that are in no report: those of commands that name jobs, and those with numbers of no job."""

    commands: list[tuple[int, str]] = field(default_factory=list)
    orphans: list[tuple[int, str]] = field(default_factory=list)


def reports_in(printed: Sequence[tuple[int, str]], other: OtherLines) -> Iterator[PrintedReport]:
    """The reports in the lines of a text, in order; lines that are in none are added to ``other``.

    A command line is that of the report below it, unless words that are not fio's follow.
    """
    report, after_blank = PrintedReport(), False
    commands, other.commands = commands_in(printed)
    of_commands = {number for number, _ in other.commands}
    for number, line in printed:
        if number in of_commands:
            if report.jobs:
                yield report
                report = PrintedReport()
            report.command = commands.get(number, {})
            continue
        if report.command and not report.jobs and line and not is_known(line):
            report.command = {}
        if after_blank and line and report.jobs and not is_known(line):
            report.jobs[-1].closed = True  # fio prints no blank line within a job
        after_blank = not line
        header = lines.HEADER.match(line) if "(g=" in line else None
        job = _job(line, number) if "(groupid=" in line else None
        version = version_in(line) if line.startswith("fio") else None
        if report.jobs and (header or version or (job and report.has_another_start(job))):
            yield report
            report = PrintedReport()
        if header:
            report.announced.append(_announced(*header.groups()))
        elif version:
            report.version = version
        elif line.startswith("Starting ") and (starting := _STARTING.findall(line)):
            report.started = sum(map(int, starting))
        elif job:
            report.add(job)
        elif line.startswith("Run status") and (status := _STATUS.match(line)):
            report.ended, report.group = True, status[1]
        elif report.lacks_header(line):
            if report.jobs:
                yield report
                report = PrintedReport()
            report.add(PrintedJob(number, "", "", 0, 0, "", "", None))
            _read(report.jobs[0], line, number)
        elif (total := lines.TOTAL.match(line)) and (values := lines.total(total[2], number)):
            group = report.group if report.ended else report.jobs[-1].group if report.jobs else ""
            report.totals.append((group, Direction(total[1].lower(), values)))
        elif (report.ended or not report.jobs or not _read(report.jobs[-1], line, number)) and lines.has_numbers(line):
            other.orphans.append((number, line))
        if report.jobs and not job:
            report.since.append(line)
    yield report


def _job(line: str, number: int) -> PrintedJob | None:
    match = lines.JOB.match(line)
    if match is None:
        return None
    name, group, members, errno, error, pid, date = match.groups()
    return PrintedJob(number, name[:_LONGEST], group, int(members), int(errno), error or "", pid, _time(date))


def _time(date: str | None) -> datetime | None:
    try:
        return datetime.strptime(date or "", "%b %d %H:%M:%S %Y")
    except ValueError:
        return None


def _announced(name: str, group: str, rw: str, sizes: str, more: str) -> AnnouncedJob:
    options = {"rw": rw, "bsrange": sizes}
    found = [
        (lines.size(low, power, binary), lines.size(high, high_power, high_binary))
        for low, power, binary, high, high_power, high_binary in _BLOCK_SIZES.findall(sizes)
    ]
    if found and all(low and low == high for low, high in found):
        options = {"rw": rw, "bs": ",".join(str(low) for low, _ in found)}
    return AnnouncedJob(name[:_LONGEST], group, {**options, **dict(_SETTING.findall(more))})


def _read(job: PrintedJob, line: str, number: int) -> bool:
    """Take the numbers of a line below a job. Returns whether there is nothing else to read in it."""
    match = lines.DIRECTION.match(line) if "IOPS=" in line or "io=" in line else None
    job.closed = job.closed or bool(match and any(direction.name == match[1] for direction in job.directions))
    if job.closed:
        return False
    if match:
        values, job.decimal = lines.rates(match[2], number)
        _begin(job, match[1], values)
        rate, elapsed = (value.value for value in values[1:])
        job.operations = rate * elapsed if rate and elapsed else None
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
    if issued := lines.ISSUED.match(line):
        for direction in job.directions:
            if direction.name == "sync":  # its rate is not printed
                direction.values[:] = with_enough_beyond(direction.values, float(issued[1]))
        return True
    found = list(_numbers(job, line, number))
    if (found and not job.directions) or ("th=[" in line and not job.percentiles):
        return False
    job.values += found
    return bool(found) or not lines.is_cut(line)


def _numbers(job: PrintedJob, line: str, number: int) -> Iterator[RunValue]:
    if "th=[" in line and job.percentiles and job.percentiles != _OF_A_PRIORITY:
        yield from with_enough_beyond(lines.percentiles(line, number, *job.percentiles), job.operations)
    elif "sec)" in line:
        yield from lines.latency(line, number)
    elif "min=" in line:
        yield from lines.samples(line, number, decimal=job.decimal)


def _begin(job: PrintedJob, name: str, values: list[RunValue]) -> None:
    job.values, job.percentiles, job.operations = values, None, None
    job.directions.append(Direction(name, job.values))
