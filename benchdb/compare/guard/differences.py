"""What differs between runs, as plain data in the words of a page."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from benchdb.compare.query.dimensions import dimension, label_of_run
from benchdb.compare.query.selection import Selection
from benchdb.runs.models import Run
from benchdb.wording.sizes import parse_size

from .fact import SKIP, Guarded, GuardedColumn, GuardedFact, apart, matches, within
from .facts import HARDWARE, columns
from .lines import days_apart, not_known
from .machine import DETAILS, KERNEL, MACHINE
from .wording import say_ratio

Difference = dict[str, Any]

# These name runs and say nothing of what was varied: one severe difference between them is what they are compared for.
OPEN = ("run", "campaign", "campaign_point", "label:*")
RUNS_DIFFER = "runs_differ"  # the code of the warning
PLACES = ("file_size", "record_size", "threads")


def differences(selection: Selection, runs: Sequence[Run]) -> list[Difference]:
    """`[{name, label, severe, values: [{value, where: [labels]}], inside: [labels]}]`; empty where nothing differs.

    `where` are the labels of the factor; `inside` those within whose cells runs differ. Severe ones come first.
    """
    if len(runs) < 2:
        return []
    varied = selection.axes | {name for name in PLACES if _is_fixed(selection, name)}
    where = _where(selection, runs)
    found = list(columns(runs, varied, _file_to_memory(selection)))
    told = [_softened(column, selection, runs) for column in found if column.differs]
    keys = [_key(tuple(selection.axes), run) for run in runs]
    shown = [_difference(column, where, keys) for column in _unless_the_one(told, selection)]
    return [*sorted(shown, key=lambda each: not each["severe"]), *days_apart(runs, where), *not_known(found, where)]


def mark_inside(selection: Selection, runs: Sequence[Run], cells: Iterable[dict[str, Any]]) -> None:
    """Give every cell of several runs `inside`, the names of what differs between them, and a warning that says it."""
    by_id = {str(run.id): run for run in runs}
    found: dict[frozenset[str], list[GuardedColumn]] = {}
    for cell in cells:
        if len(cell["runs"]) < 2:
            continue
        met = frozenset(cell["runs"])
        if met not in found:
            own = [run for run_id, run in by_id.items() if run_id in met]
            found[met] = [column for column in columns(own, selection.axes) if column.differs]
        cell["inside"] = [column.name for column in found[met]]
        if found[met]:
            text = f"The runs in this cell are not alike: {', '.join(column.label for column in found[met])}."
            cell["warnings"] = [*cell["warnings"], {"code": RUNS_DIFFER, "numbers": {}, "text": text}]


def changed(runs: Sequence[Run], ignored: Collection[str]) -> list[int]:
    """The places of runs that differ from the one before in more than the ignored facts: one walk over all of them."""
    places: set[int] = set()
    for column in columns(runs, frozenset()):
        if column.name not in ignored and column.differs:
            pairs = enumerate(pairwise(column.values), start=1)
            places |= {i for i, pair in pairs if None not in pair and SKIP not in pair and not column.same(pair)}
    return sorted(places)


def changes(before: Run, after: Run) -> list[Difference]:
    """`[{name, label, severe, before, after}]` between two runs of a series; what is not known of one is left out."""
    return _changed(columns([before, after], frozenset()))


def machine_changes(before: Run, after: Run) -> list[Difference]:
    """As `changes`, of the machine alone: all but its storage. Of the runs only the environments are looked at."""
    runs = [before, after]
    return _changed(column for fact in (*MACHINE, *KERNEL, *DETAILS) for column in fact.columns(runs, frozenset()))


def _changed(found: Iterable[GuardedColumn]) -> list[Difference]:
    told = [(column, _texts(column)) for column in found if column.differs]
    return [
        {"name": column.name, "label": column.label, "severe": column.is_severe, "before": texts[0], "after": texts[1]}
        for column, texts in sorted(told, key=lambda each: not each[0].is_severe)
    ]


def _is_fixed(selection: Selection, name: str) -> bool:
    """Whether all cells have the same of it, whatever the tools were asked for."""
    chosen = selection.filter(name)
    return len(chosen) == 1 and chosen != (dimension(name).word,)


def _file_to_memory(selection: Selection) -> list[Guarded]:
    """File size ÷ memory, where the table is of one file size: what decides whether a cache was measured."""
    if not _is_fixed(selection, "file_size"):
        return []
    size = parse_size(selection.filter("file_size")[0])

    def of(run: Run) -> float | None:
        memory = run.environment.facts["memory"]
        known = memory.get("usable") or memory["total"]
        return size / known if known else None

    return [GuardedFact("file_to_memory", "file size ÷ memory", of, "memory", say_ratio, apart(0.5), within(0.05))]


def _where(selection: Selection, runs: Sequence[Run]) -> list[str]:
    """The label of each run: what the factor says of it, else the axes, else its place among the runs."""
    for names in (selection.factor_names, tuple(sorted(selection.axes))):
        if any(_of_runs(name) for name in names):
            return [label_of_run(names, run) for run in runs]
    machines = [run.machine.name for run in runs]
    return machines if len(set(machines)) > 1 else [f"run {i}" for i in range(1, len(runs) + 1)]


def _of_runs(name: str) -> bool:
    return dimension(name).of_run is not None


def _key(names: Sequence[str], run: Run) -> tuple[Any, ...]:
    """Where the run stands on the axes."""
    return tuple(of_run(run) for name in names if (of_run := dimension(name).of_run) is not None)


def _softened(column: GuardedColumn, selection: Selection, runs: Sequence[Run]) -> GuardedColumn:
    """Not severe is what machines are made of, where these are compared, and what differs only from split to split."""
    if not column.is_severe:
        return replace(column, severe=False)
    splits = [_key(selection.split_names, run) for run in runs]
    machines = "machine" in selection.axes and matches(column.name, HARDWARE.split())
    return replace(column, severe=not machines and any(True for _ in _differing(column, splits)))


def _unless_the_one(told: Sequence[GuardedColumn], selection: Selection) -> list[GuardedColumn]:
    """Where the axes only name runs, one severe difference is what they are compared for; two cannot be told apart."""
    varied = [name for name in selection.axes if _of_runs(name)]
    severe = [column for column in told if column.severe]
    if varied and all(matches(name, OPEN) for name in varied) and len(severe) == 1:
        return [replace(column, severe=False) for column in told]
    return list(told)


def _differing(column: GuardedColumn, keys: Sequence[Any]) -> Iterator[Any]:
    """The keys within which the column differs."""
    for key in dict.fromkeys(keys):
        own = [value for value, each in zip(column.values, keys, strict=True) if each == key]
        if replace(column, values=own).differs:
            yield key


def _difference(column: GuardedColumn, where: Sequence[str], keys: Sequence[Any]) -> Difference:
    listed: dict[str, dict[str, None]] = {}
    for value, text, place in zip(column.values, _texts(column), where, strict=True):
        if value is not SKIP:
            listed.setdefault(text, {})[place] = None
    mixed = set(_differing(column, keys))
    return {
        "name": column.name,
        "label": column.label,
        "severe": column.severe,
        "values": [{"value": text, "where": list(places)} for text, places in listed.items()],
        "inside": list(dict.fromkeys(place for place, key in zip(where, keys, strict=True) if key in mixed)),
    }


def _texts(column: GuardedColumn) -> list[str]:
    """The values for people; those that differ but print alike are numbered."""
    texts = ["unknown" if value is None else "" if value is SKIP else column.say(value) for value in column.values]
    known = {text for text, value in zip(texts, column.values, strict=True) if value not in (None, SKIP)}
    if len(known) > 1:
        return texts
    distinct: list[Any] = []
    for value in column.known:
        if value not in distinct:
            distinct.append(value)
    return [
        f"{text} ({distinct.index(value) + 1})" if value in distinct else text
        for text, value in zip(texts, column.values, strict=True)
    ]
