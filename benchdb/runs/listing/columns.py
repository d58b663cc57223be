"""The columns of a list of runs, the usual selection of them, and the sort keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from benchdb.runs.facts.storage_stack import say_layers, storage_line
from benchdb.runs.models import Run
from benchdb.wording.numbers import say_number
from benchdb.wording.sizes import say_size
from benchdb.wording.times import added_later, known_time

from .headlines import Overview


@dataclass(frozen=True, slots=True)
class ListCell:
    """A cell with `text` and `note`, with `lines`, with a `time` and the time at which it was `added` if much later, or
    with a `state` and its `reason`."""

    text: str = ""
    note: str = ""
    lines: Sequence[str] | None = None
    time: datetime | date | str | None = None
    added: datetime | None = None
    state: str = ""
    reason: str | None = None


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
    return ListCell("unknown" if value is None else str(value), note)


def _mount_options(run: Run) -> str | None:
    options = run.target.mount_options
    return None if options is None else ",".join(options) or "defaults"


def _size(value: int | None, absent: str = "unknown") -> ListCell:
    return ListCell(absent if value is None else say_size(value))


def _headline(run: Run, overview: Overview | None) -> ListCell:
    return ListCell(lines=[headline.text for headline in overview.chosen] if overview else [])


def _labels(run: Run, overview: Overview | None) -> ListCell:
    return ListCell(lines=[f"{key} {value}" for key, value in run.runstate.labels.items()])


def _started(run: Run, overview: Overview | None) -> ListCell:
    added = added_later(run.finished_at, run.received_at)
    return ListCell(time=known_time(run.started_at, run.finished_at), added=added)


def _state(run: Run, overview: Overview | None) -> ListCell:
    return ListCell(state=run.runstate.state, reason=run.runstate.failure or None)


_ALL = (
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
    ListColumn("tool_version", "Tool version", lambda run, _: _text(run.tool_version), "tool_version"),
    ListColumn("kernel", "Kernel", lambda run, _: _text(run.environment.kernel_release), "kernel"),
    ListColumn("os", "Distribution", lambda run, _: _text(run.environment.os_name), "os"),
    ListColumn("cpu", "CPU", lambda run, _: _text(run.environment.cpu_model), "cpu"),
    ListColumn("memory", "Memory", lambda run, _: _size(run.environment.memory), "memory", number=True),
    ListColumn("virtualization", "Virtualization", lambda run, _: _text(run.environment.virtualization)),
    ListColumn("mkfs_options", "mkfs options", lambda run, _: _text(run.target.mkfs_options or "defaults")),
    ListColumn("mount_options", "Mount options", lambda run, _: _text(_mount_options(run))),
    ListColumn("raid_level", "RAID level", lambda run, _: _text(run.target.raid_level or "no RAID"), "raid_level"),
    ListColumn("raid_chunk", "RAID chunk", lambda run, _: _size(run.target.raid_chunk, "–"), "raid_chunk", number=True),
    ListColumn("layers", "Layers", lambda run, _: _text(run.target.layers and say_layers(run.target.layers))),
    ListColumn("disk", "Disk", lambda run, _: _text(run.target.disk_model), "disk"),
    ListColumn("scheduler", "Scheduler", lambda run, _: _text(run.target.scheduler)),
    ListColumn("read_ahead", "Read-ahead", lambda run, _: _size(run.target.read_ahead), "read_ahead", number=True),
    ListColumn("cache", "Cache regime", lambda run, _: _text(run.cache_regime)),
    ListColumn("labels", "Labels", _labels),
)
COLUMNS = {column.name: column for column in _ALL}
USUAL = ("file_system", "machine", "headline", "results", "rounds", "started")
# Columns that differ from the facet with their values in name.
OF_FACET = {"mount_option": "mount_options", "label": "labels"}


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
    "tool": _by_text("tool"),
    "tool_version": _by_text("tool_version"),
    "file_system": _by_text("target__file_system"),
    "raid_level": _by_text("target__raid_level"),
    "raid_chunk": _by_number("target__raid_chunk"),
    "disk": _by_text("target__disk_model"),
    "read_ahead": _by_number("target__read_ahead"),
    "machine": _by_text("machine__name"),
    "kernel": _by_text("environment__kernel_release"),
    "os": _by_text("environment__os_name"),
    "cpu": _by_text("environment__cpu_model"),
    "memory": _by_number("environment__memory"),
    "rounds": Sort("run__round_count", _number, None),
    "started": Sort("run__started_at", _time, None),
}
