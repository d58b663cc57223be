"""The query string of a question: the filters of the list of runs, a workload, similar hardware; all faults of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode

import orjson
from django.http import QueryDict

from benchagent.formats.vocabulary import METRICS
from benchdb.query_string import QueryReader
from benchdb.runs.listing.query import RunListQuery, read
from benchdb.runs.quantities.columns import Entry
from benchdb.runs.store.packed_quantities import canonical
from benchdb.wording.sizes import parse_size, print_size

from .facts import CONFIGURATION

NONE = "none"  # the parameter for a quantity without a size or threads
DISK_KINDS = ("nvme", "ssd", "rotational", "virtual")
WORKLOAD = ("metric", "file_size", "record_size", "threads", "params")
HARDWARE = ("like", "disk_kind", "near_memory", "near_threads")
MOST_NUMBER = 10**9
MOST_JSON = 4_000  # characters


@dataclass(frozen=True)
class Question:
    """What is asked. `workload` has the chosen dimensions of the quantity; `near_memory` is bytes."""

    runs: RunListQuery = field(default_factory=RunListQuery)
    workload: Mapping[str, Entry] = field(default_factory=dict)
    like: int | None = None
    disk_kind: str = ""
    near_memory: int | None = None
    near_threads: int | None = None
    vary: tuple[str, ...] = ()

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The parameters of the canonical query string."""
        numbers = {"like": self.like, "near_threads": self.near_threads}
        return [
            *self.runs.filters,
            *((name, printed(name, entry)) for name, entry in self.workload.items()),
            *((name, str(number)) for name, number in numbers.items() if number is not None),
            *([("disk_kind", self.disk_kind)] if self.disk_kind else []),
            *([("near_memory", print_size(self.near_memory))] if self.near_memory is not None else []),
            *(("vary", name) for name in self.vary),
        ]

    @property
    def text(self) -> str:
        """The canonical query string."""
        return urlencode(self.pairs)

    def of(self, tool: str, test: str) -> Question:
        """The same question for a test of a tool."""
        return replace(self, runs=replace(self.runs, facets={**self.runs.facets, "tool": (tool,), "test": (test,)}))


class QuestionReader(QueryReader):
    """Each method reads a parameter of a question."""

    def fault(self, name: str, text: str, expected: str) -> None:
        """Add the sentence that the parameter `name` cannot be `text`."""
        self.faults.append(f"“{name.replace('_', ' ')}” cannot be “{text[:80]}”. {expected}")

    def number(self, name: str, expected: str) -> int | None:
        return self.parsed(name, _whole, expected)

    def size(self, name: str) -> int | None:
        return self.parsed(name, _bounded_size, "It is a size such as 64K or 8G.")

    def chosen(self, name: str, known: Sequence[str]) -> str:
        text = self.text(name)
        if text and text not in known:
            self.fault(name, text, f"Possible are {', '.join(known)}.")
            return ""
        return text

    def workload(self) -> dict[str, Entry]:
        """The chosen dimensions of the quantity."""
        found: dict[str, Entry] = {}
        if metric := self.chosen("metric", list(METRICS)):
            found["metric"] = metric
        for name in ("file_size", "record_size"):
            if self.text(name) == NONE:
                found[name] = None
            elif (size := self.size(name)) is not None:
                found[name] = size
        if self.text("threads") == NONE:
            found["threads"] = None
        elif (threads := self.number("threads", "It is a whole number, or none.")) is not None:
            found["threads"] = threads
        if params := self.parsed("params", _canonical, 'It is a JSON object such as {"fsync":true}.'):
            found["params"] = params
        return found

    def vary(self) -> tuple[str, ...]:
        """The parts of the configuration."""
        texts = self.texts("vary")
        for unknown in (text for text in texts if text not in CONFIGURATION):
            self.fault("vary", unknown, f"Possible are {', '.join(CONFIGURATION)}.")
        return tuple(name for name in CONFIGURATION if name in texts)

    def one_workload(self, runs: RunListQuery) -> None:
        """Add a fault for several tools or tests: their figures are not of one quantity."""
        for name in ("tool", "test"):
            if len(values := runs.facets.get(name, ())) > 1:
                self.faults.append(f"“{name}” takes one value, not {len(values)}.")


def read_question(query: QueryDict) -> tuple[Question, list[str]]:
    """The question and its faults; empty parameters are ignored."""
    reader = QuestionReader(query)
    of_runs = query.copy()
    for name in (*WORKLOAD, *HARDWARE, "vary"):
        of_runs.pop(name, None)
    runs, faults = read(of_runs)
    reader.faults += faults
    reader.one_workload(runs)
    question = Question(
        runs=RunListQuery(runs.facets, runs.ranges, runs.words, runs.since, runs.until, runs.campaign),
        workload=reader.workload(),
        like=reader.number("like", "It is the number in the address of a machine."),
        disk_kind=reader.chosen("disk_kind", DISK_KINDS),
        near_memory=reader.size("near_memory"),
        near_threads=reader.number("near_threads", "It is a whole number."),
        vary=reader.vary(),
    )
    return question, reader.faults


def printed(name: str, entry: Entry) -> str:
    """The parameter for a value of a dimension of quantities."""
    if entry is None:
        return NONE
    return print_size(int(entry)) if name in ("file_size", "record_size") else str(entry)


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text[:20]) < MOST_NUMBER):
        raise ValueError(text)
    return int(text)


def _bounded_size(text: str) -> int:
    size = parse_size(text)
    if size >= 1 << 63:
        raise ValueError(text)
    return size


def _canonical(text: str) -> str:
    """Canonical JSON, as quantities have it."""
    found = orjson.loads(text) if len(text) <= MOST_JSON else None
    if not isinstance(found, dict):
        raise ValueError(text)
    return canonical(found)
