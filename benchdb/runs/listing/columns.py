"""The columns of a list of runs, the usual selection of them, and the sort keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from benchdb.facts.fact import Fact
from benchdb.facts.registry import FILED
from benchdb.runs.facts.storage_stack import storage_line
from benchdb.runs.models import Run
from benchdb.wording.numbers import say_number
from benchdb.wording.times import added_later, known_time
from benchdb.wording.words import cut, upper

from .headlines import Overview


@dataclass(frozen=True, slots=True)
class ListCell:
    """A cell with `text` and `note`, with `lines`, with a `time` and the time at which it was `added` if much later,
    with a `state` and its `reason`, or with `links`, texts and addresses."""

    text: str = ""
    note: str = ""
    lines: Sequence[str] | None = None
    time: datetime | date | str | None = None
    added: datetime | None = None
    state: str = ""
    reason: str | None = None
    links: Sequence[tuple[str, str]] = ()


Fill = Callable[[Run, Overview | None], ListCell]


@dataclass(frozen=True)
class ListColumn:
    """A column with the function for its cells; `sort` is a key of SORTS."""

    name: str
    label: str
    cell: Fill
    sort: str = ""
    number: bool = False


def _text(value: object, note: str = "") -> ListCell:
    return ListCell("unknown" if value is None else cut(str(value), LONGEST_TEXT), cut(note, LONGEST_TEXT))


def _headline(run: Run, overview: Overview | None) -> ListCell:
    return ListCell(lines=[headline.text for headline in overview.chosen] if overview else [])


def _labels(run: Run, overview: Overview | None) -> ListCell:
    return ListCell(lines=[f"{key} {value}" for key, value in run.runstate.labels.items()])


def _started(run: Run, overview: Overview | None) -> ListCell:
    added = added_later(run.finished_at, run.received_at)
    return ListCell(time=known_time(run.started_at, run.finished_at), added=added)


def _state(run: Run, overview: Overview | None) -> ListCell:
    return ListCell(state=run.runstate.state, reason=run.runstate.failure or None)


def _of_fact(fact: Fact) -> ListColumn:
    """The column of a fact."""
    of = fact.of
    assert of is not None, fact.name
    name = fact.name if fact in SORTED else ""
    label = fact.label if fact.label.startswith("mkfs") else upper(fact.label)  # a program's name stays as it is
    return ListColumn(
        fact.name, label, lambda run, _: ListCell(cut(fact.print(of(run)), LONGEST_TEXT)), name, fact.kind in NUMBERS
    )


NUMBERS = ("number", "size")  # kinds of facts
LONGEST_TEXT = 200  # of a fact in a list; the page of the run has the whole text
SORTED = [fact for fact in FILED if fact.column and not (fact.filter and fact.filter.many)]
COLUMNS = {
    column.name: column
    for column in (
        ListColumn(
            "file_system",
            "File system",
            lambda run, _: _text(run.target.file_system, storage_line(run.target.facts)),
            "file_system",
        ),
        ListColumn(
            "machine",
            "Machine",
            lambda run, _: _text(run.machine.name, run.environment.kernel_release or "kernel unknown"),
            "machine",
        ),
        ListColumn("headline", "Headline", _headline),
        ListColumn(
            "results",
            "Results",
            lambda run, overview: _text(say_number(overview.results if overview else 0, 0)),
            number=True,
        ),
        ListColumn("rounds", "Rounds", lambda run, _: _text(run.round_count or "–"), "rounds", number=True),
        ListColumn("started", "Started", _started, "started"),
        ListColumn("state", "State", _state),
    )
}
COLUMNS |= {fact.name: _of_fact(fact) for fact in FILED if fact.name not in COLUMNS}
COLUMNS["labels"] = ListColumn("labels", "Labels", _labels)
USUAL = ("file_system", "machine", "headline", "results", "rounds", "started")
# Columns that differ from the facet with their values in name.
OF_FACET = {fact.filter.name: fact.name for fact in FILED if fact.filter and fact.filter.name} | {"label": "labels"}


SortKey = str | int | datetime


@dataclass(frozen=True)
class Sort:
    """A sort key: `path` starts at the state of a run; `read` parses a value of a query string, or raises ValueError.

    `empty` replaces a missing value; None if every run has a value.
    """

    path: str
    read: Callable[[str], SortKey]
    empty: str | int | None


def _number(text: str) -> int:
    if len(text) > 18:
        raise ValueError(text)
    return int(text)


def _time(text: str) -> datetime:
    time = datetime.fromisoformat(text)
    if time.tzinfo is None:
        raise ValueError(text)
    return time


def _by_text(path: str) -> Sort:
    return Sort(f"facets__{path}", str, "")


def _by_number(path: str) -> Sort:
    return Sort(f"facets__{path}", _number, -1)


# By name in the query string; a minus before a name reverses the order.
SORTS = {
    **{fact.name: _by_number(fact.column) if fact.kind in NUMBERS else _by_text(fact.column) for fact in SORTED},
    "machine": _by_text("machine__name"),
    "rounds": Sort("run__round_count", _number, None),
    "started": Sort("run__started_at", _time, None),
}
