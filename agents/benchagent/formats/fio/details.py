"""What fio's JSON has beyond results: each job's group, all of its options, and the histograms of json+.

Documents do not carry these yet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .histogram import MOST_BUCKETS, LatencyBins, bucket_of_index, bucket_of_value, histogram
from .job_entries import JobEntry, entries_of, jobs_of
from .job_values import LATENCIES
from .located_json import Leaf, Node, Object
from .options import test_of
from .reader import documents_in

_LONGEST_COUNT = 18  # digits
_SETTINGS = "FIO_IO_U_PLAT_"  # before the numbers of the buckets in 2.x, which has indexes of buckets


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
        group = _count(job.get("groupid"))
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
                if isinstance(latencies, dict) and isinstance(latencies.get("bins"), dict):
                    counted = histogram(unit, _buckets(latencies["bins"]))
                    mean = latencies.get("mean")
                    line = mean.line if isinstance(mean, Leaf) else 0
                    if counted.counts:
                        yield LatencyHistogram(test_of(direction.name, entry.rw), kind, line, counted)


def _buckets(bins: Node) -> Iterator[tuple[tuple[int, int], int]]:
    """The buckets and their counts; keys that are no numbers are left out."""
    printed = bins if isinstance(bins, dict) else {}
    by_index = any(key.startswith(_SETTINGS) for key in printed)
    for key, node in printed.items():
        number, count = _number(key), _count(node)
        if number is None or count is None or (by_index and number >= MOST_BUCKETS):
            continue
        yield (bucket_of_index if by_index else bucket_of_value)(number), count


def _count(node: Node | None) -> int | None:
    return _number(node.text) if isinstance(node, Leaf) else None


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _LONGEST_COUNT else None
