"""What fio's JSON has beyond results: the group and all options of each job, and the histograms of json+ by job.

Documents have the histograms (`job_values.py`), and options that describe the work; nothing reads the rest yet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from benchagent.formats.reading.located_json import Leaf, Object

from .histogram import LatencyBins, bins_of, count_of
from .job_entries import JobEntry, entries_of, jobs_of
from .job_values import LATENCIES
from .options import test_of
from .reader import documents_in


@dataclass(frozen=True)
class LatencyHistogram:
    """The latencies of one test.

    `kind` is submission, completion or total, as the param `latency` of results. `mean_line` is the line of the mean of
    the same latencies, so that the result `latency_mean` with this line and kind is of the same operations.
    """

    test: str
    kind: str
    mean_line: int
    histogram: LatencyBins


@dataclass(frozen=True)
class JobDetails:
    """One job, or the `process`-th of its clones. `options` are those of the job and those that all jobs share."""

    name: str
    host: str | None
    process: int
    group: int | None
    options: Mapping[str, str]
    histograms: tuple[LatencyHistogram, ...]


def details(text: str) -> list[JobDetails]:
    """The details of every job of every JSON document in a text, in order; none in a report for people.

    Raises FormatError for text that cannot be JSON, and for too many jobs.
    """
    return [job for _, document in documents_in(text) for job in _details_of(document.root)]


def _details_of(root: Object) -> Iterator[JobDetails]:
    for entry, job in zip(entries_of(root), jobs_of(root)):
        group = count_of(job.get("groupid"))
        found = tuple(_histograms(entry, job))
        yield JobDetails(entry.name, entry.host, entry.process, group, dict(entry.options), found)


def _histograms(entry: JobEntry, job: Object) -> Iterator[LatencyHistogram]:
    for direction in entry.directions:
        section = job.get(direction.name)
        if not isinstance(section, dict):
            continue
        for key, kind in LATENCIES.items():
            for suffix, unit in (("_ns", "ns"), ("", "us")):
                latencies = section.get(f"{key}{suffix}")
                if isinstance(latencies, dict):
                    counted = bins_of(latencies, unit)
                    mean = latencies.get("mean")
                    line = mean.line if isinstance(mean, Leaf) else 0
                    if counted.counts:
                        yield LatencyHistogram(test_of(direction.name, entry.rw), kind, line, counted)
