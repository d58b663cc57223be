"""Reads fio's report for people.

Its numbers are rounded, mostly to four digits; fio 2 also prints a wrong decimal after K and M, by at most 0.1 %.
Options come from the lines with which fio begins, `name: (g=0): rw=…`, and from the command line above, if they are
there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from .job_entries import JobEntry, common_options
from .options import pattern
from .printed_reports import AnnouncedJob, OtherLines, PrintedJob, PrintedReport, reports_in


@dataclass
class ReportEntries:
    """The jobs of each report in a text, fio's words for their errors, and the lines that are in no report."""

    starts: list[list[JobEntry]] = field(default_factory=list)
    words: dict[int, str] = field(default_factory=dict)
    other: OtherLines = field(default_factory=OtherLines)


def entries_of_reports(printed: Sequence[tuple[int, str]]) -> ReportEntries:
    """Read the reports in the lines of a text, as ``report_text.printed_lines`` returns them."""
    found = ReportEntries()
    reports = list(reports_in(printed, found.other))
    for report, later in zip(reports, [*reports[1:], PrintedReport()]):
        if report.goes_on_in(later):
            later.announced, later.command = report.announced, report.command
            later.version, later.started = report.version, report.started
            continue
        for job in report.jobs:
            if job.error:
                found.words.setdefault(job.errno, f"err={job.errno} ({job.error})")
        found.starts.append(list(_entries(report)))
    return found


def _entries(report: PrintedReport) -> Iterator[JobEntry]:
    clones = Counter((job.name, job.group) for job in report.jobs)
    shared = _shared_options(report.announced)
    totals = list(_totals(report, shared))
    of_group = Counter(job.group for job in report.jobs)
    seen: Counter[tuple[str, str]] = Counter()
    pasted = sum(job.members for job in report.jobs)
    for job in report.jobs:
        key = (job.name, job.group)
        seen[key] += 1
        options = {**report.command.get(job.name, {}), **_options_of(job, shared, alone=of_group[job.group] == 1)}
        threads = job.members * clones[key] or None
        if report.started and pasted < report.started:  # some of its processes were not pasted
            threads = report.started if len(clones) == 1 else None
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
    yield from totals


def _totals(report: PrintedReport, shared: Mapping[tuple[str, str | None], dict[str, str]]) -> Iterator[JobEntry]:
    """The totals of groups with several jobs or none, as jobs of their own; one job without numbers gets them."""
    for group in dict.fromkeys(group for group, _ in report.totals):
        totals = [direction for of_group, direction in report.totals if of_group == group]
        jobs = [job for job in report.jobs if job.group == group]
        if len(jobs) == 1:
            jobs[0].directions = jobs[0].directions or totals
            continue
        for direction in totals:
            for value in direction.values:
                value.params = {**value.params, "view": "total"}
        options = shared.get((group, None), {})
        yield JobEntry(
            line=totals[0].values[0].line,
            name=next(iter({job.name for job in jobs})) if len({job.name for job in jobs}) == 1 else "",
            host=None,
            options=options,
            rw=pattern(options) if "rw" in options else None,
            threads=sum(job.members for job in jobs) or None,
            version=report.version,
            errno=0,
            directions=totals,
            cpu=(),
            process=1,
        )


def _shared_options(announced: list[AnnouncedJob]) -> dict[tuple[str, str | None], dict[str, str]]:
    """The options that all jobs of a group share, by (group, None), and those of one name in it, by (group, name)."""
    options: dict[tuple[str, str | None], list[Mapping[str, str]]] = {}
    for job in announced:
        for key in ((job.group, None), (job.group, job.name)):
            options.setdefault(key, []).append(job.options)
    return {key: common_options(of_key) for key, of_key in options.items()}


def _options_of(
    job: PrintedJob, shared: Mapping[tuple[str, str | None], dict[str, str]], *, alone: bool
) -> dict[str, str]:
    """The options of a job. With group_reporting, one job is reported for all of its group: those that all share."""
    options = shared.get((job.group, None if alone and job.members > 1 else job.name), {})
    return options if not options or {"bs", "bsrange"} & options.keys() else {**options, "bsrange": "several"}
