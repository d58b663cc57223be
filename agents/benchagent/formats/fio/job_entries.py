"""The jobs of fio's documents and reports, and the facts in which they differ."""

from __future__ import annotations

import re
from collections import ChainMap, Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice

from benchagent.formats.model import MOST_RESULTS, Param, TooManyResults
from benchagent.formats.reading.located_json import Leaf, Node, Object
from benchagent.formats.reading.runs import RunValue

from .job_values import cells, cpu, directions, first_line, logical_bytes, number, text
from .options import parameters, pattern, threads
from .steady import steady_state

_ALL_CLIENTS = "All clients"
_LONGEST = 120
_MOST_OPTIONS = 100  # of a job; each is compared with those of all other jobs
NAMES = ("job", "host", "process")  # facts that are not part of the workload


@dataclass(frozen=True)
class Direction:
    """What a job did in one direction: numbers without test and sizes, and the requested bytes if fio prints them.

    `unread` is what could not be read of them, with the reasons and lines.
    """

    name: str  # read, write, trim, sync or mixed
    values: list[RunValue]
    moved: int | None = None
    unread: Sequence[Leaf] = ()


@dataclass
class JobEntry:
    """One job of a document or report, or the `process`-th of its `clones`."""

    line: int
    name: str
    host: str | None
    options: Mapping[str, str]
    rw: str | None
    threads: int | None
    version: str | None
    errno: int
    directions: Sequence[Direction]
    cpu: Sequence[RunValue]
    process: int
    clones: int = 1
    facts: dict[str, Param] = field(default_factory=dict)
    steady: RunValue | None = None  # the time until it was steady


def entries_of(root: Object) -> list[JobEntry]:
    """Every job of a JSON document. Raises TooManyResults, as soon as it can."""
    shared, version = _options(root.get("global options")), text(root.get("fio version"))
    entries: list[JobEntry] = []
    results = 0
    seen: Counter[tuple[str, str | None]] = Counter()
    for job in jobs_of(root):
        name, host = text(job.get("jobname")) or "", text(job.get("hostname"))
        job_options = job.get("job options")
        printed = (
            isinstance(job_options, dict) or "rw" in shared or "readwrite" in shared
        )  # else fio prints no options of the job
        own = _options(job_options) if printed else {}
        options = ChainMap(own, shared) if own else shared if printed else {}  # not a copy for each of many jobs
        seen[name, host] += 1
        entries.append(_entry(job, name, host, options, _version(version), seen[name, host]))
        results += max(1, sum(value.value is not None for each in entries[-1].directions for value in each.values))
        if results > MOST_RESULTS:  # jobs of one document are no repetitions of each other
            raise TooManyResults
    of_clients = common_options([entry.options for entry in entries if entry.name != _ALL_CLIENTS])
    for entry in entries:
        entry.clones = seen[entry.name, entry.host]
        if entry.name == _ALL_CLIENTS:
            entry.host, entry.options = None, of_clients
            entry.rw, entry.threads = pattern(of_clients), threads(of_clients)
    return entries


def jobs_of(root: Object) -> list[Object]:
    """The objects of a document's jobs."""
    return [*_objects(root.get("jobs")), *_objects(root.get("client_stats"))]


def _entry(
    job: Object, name: str, host: str | None, options: Mapping[str, str], version: str | None, process: int
) -> JobEntry:
    rw = pattern(options)
    return JobEntry(
        line=first_line(job),
        name=name[:_LONGEST],
        host=host and host[:_LONGEST],
        options=options,
        rw=rw,
        threads=threads(options),
        version=version,
        errno=int(number(job.get("error")) or 0),
        directions=list(_directions(job, rw)),
        cpu=list(cpu(job)),
        process=process,
        steady=steady_state(job),
    )


def _directions(job: Object, rw: str | None) -> Iterator[Direction]:
    for name in directions(job, rw):
        section = job.get(name)
        if isinstance(section, dict):
            unread: list[Leaf] = []
            yield Direction(name, list(cells(section, unread)), logical_bytes(section), unread)
        else:
            yield Direction(name, [])


def tell_apart(starts: Sequence[Sequence[JobEntry]]) -> None:
    """Set the facts of the jobs of each start of fio.

    They are the options that all jobs of its start share, the job's name, and options in which jobs of one name differ.
    """
    by_name: dict[str, list[JobEntry]] = {}
    for entry in chain.from_iterable(starts):
        by_name.setdefault(entry.name, []).append(entry)
    same_of = {name: common_options([entry.options for entry in alike]) for name, alike in by_name.items()}
    for entries in starts:
        everywhere = common_options([entry.options for entry in entries])
        for entry in entries:
            same = same_of[entry.name]
            options = {name: text for name, text in entry.options.items() if name in everywhere or name not in same}
            host: dict[str, Param] = {"host": entry.host} if entry.host else {}
            clone: dict[str, Param] = {"process": entry.process} if entry.clones > 1 else {}
            words = entry.options.get("description", "") if "description" not in same else ""
            description: dict[str, Param] = {"description": words} if words else {}
            entry.facts = {**parameters(options), "job": entry.name, **host, **clone, **description}


def common_options(options: list[Mapping[str, str]]) -> dict[str, str]:
    """The options that all of these jobs have with the same value."""
    if not options:
        return {}
    return {name: text for name, text in options[0].items() if all(other.get(name) == text for other in options)}


def _options(node: Node | None) -> dict[str, str]:
    items = node.items() if isinstance(node, dict) else ()
    return dict(islice(((name, leaf.text) for name, leaf in items if isinstance(leaf, Leaf)), _MOST_OPTIONS))


def _objects(node: Node | None) -> list[Object]:
    return [item for item in node if isinstance(item, dict)] if isinstance(node, list) else []


def _version(printed: str | None) -> str | None:
    """`fio-3.33`, or `fio 2.0.8` of old, without its name."""
    return re.sub("^fio[- ]", "", printed)[:60] if printed else None
