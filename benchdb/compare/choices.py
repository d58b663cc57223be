"""Completing a selection: what the reader left open is chosen from what the runs have, and the page says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchagent.formats.vocabulary import METRICS
from benchdb.runs.headlines import main_metric
from benchdb.runs.sizes import print_size
from benchdb.runs.units import default_unit, possible

from .dimensions import DIMENSIONS, METRIC, Dimension
from .selection import NO_SPLIT, SIZES, ImpossibleSelection, Selection

MOST_SPLITS = 8
Row = dict[str, Any]


@dataclass(frozen=True)
class Menu:
    """One choice on the page: its parameter, label, the chosen value and the possible (value, label) pairs."""

    name: str
    label: str
    chosen: str
    options: list[tuple[str, str]]


@dataclass(frozen=True)
class Choices:
    """A selection with nothing left open, the unit it is shown in, and the menus that change it.

    `tests` are the (value, label) pairs of the tests that could be shown where tests are an axis; `results` is how many
    results the selection takes in.
    """

    selection: Selection
    unit: str
    menus: list[Menu]
    tests: list[tuple[str, str]]
    results: int


def complete(selection: Selection, available: Sequence[Row]) -> Choices:
    """Fill in what is open: throughput or rate, else the value that most runs have; the largest file and record, the
    fewest threads.

    `available` is what `runs.queries.available` gives. Raises ImpossibleSelection where the runs have nothing of what
    was asked for, and says what they have.
    """
    if not available:
        raise ImpossibleSelection(["These runs have no results yet."])
    narrowed = _Narrowed(list(available))
    undecided = not selection.split
    if selection.split == NO_SPLIT:
        selection = selection.replace(split="")
    pivots = {selection.rows, selection.columns, selection.split}
    first = {row["metric"]: -index for index, row in reversed(list(enumerate(available)))}
    changes: Row = {}
    if "tool" not in pivots:
        changes["tool"] = narrowed.choose("tool", selection.tool or None, lambda tool: tool == "iozone")
    metric = selection.metric or main_metric((row["metric"], row["test"]) for row in narrowed.rows)
    changes["metric"] = narrowed.choose("metric", metric, lambda name: first[name])
    unit = _unit(changes["metric"], selection.unit)
    every_test = _Narrowed(narrowed.rows)
    if "test" not in pivots:
        changes["tests"] = (narrowed.choose("test", next(iter(selection.tests), None), lambda test: 0),)
    elif selection.tests:
        narrowed.keep("test", selection.tests)
    if "file_size" not in pivots:
        changes["file_size"] = narrowed.choose("file_size", selection.file_size, lambda size: size or 0)
    if (
        "record_size" not in pivots
        and selection.record_size is None
        and undecided
        and (1 < narrowed.count("record_size") <= MOST_SPLITS)
    ):
        changes["split"] = "record_size"
        pivots.add("record_size")
    if "record_size" not in pivots:
        changes["record_size"] = narrowed.choose("record_size", selection.record_size, lambda size: size or 0)
    if "threads" not in pivots:
        changes["threads"] = narrowed.choose("threads", selection.threads, lambda threads: -(threads or 0))
    for name in ("file_size", "record_size", "threads"):
        if name in changes:
            every_test.rows = [row for row in every_test.rows if row[name] == changes[name]]
    tests = every_test.options("test") if "test" in pivots else []
    results = sum(row["runs"] for row in narrowed.rows)
    return Choices(selection.replace(**changes), unit, narrowed.menus, tests, results)


def _unit(metric: str, chosen: str) -> str:
    base = METRICS[metric].unit
    if chosen and chosen not in possible(base):
        raise ImpossibleSelection([f"{metric} cannot be shown in {chosen}; possible are {', '.join(possible(base))}."])
    return chosen or default_unit(metric)


@dataclass
class _Narrowed:
    """What the runs have, narrowed by one choice after another."""

    rows: list[Row]
    menus: list[Menu] = field(default_factory=list)

    def choose(self, name: str, chosen: Any, order: Callable[[Any], Any]) -> Any:
        """`chosen`, or else the value that most runs have (ties: greatest `order`); only rows with it stay."""
        weights: Counter[Any] = Counter()
        for row in self.rows:
            weights[row[name]] = max(weights[row[name]], row["runs"])
        if chosen is None:
            chosen = max(weights, key=lambda value: (weights[value], order(value)))
        options = self.options(name)
        self.keep(name, (chosen,))
        self.menus.append(Menu(name, _dimension(name).label, _parameter(name, chosen), options))
        return chosen

    def options(self, name: str) -> list[tuple[str, str]]:
        """The values that are left, as the query string has them and as people read them.

        Sizes are sorted, tests are in the order of the documents. The empty value is that of results without one; only
        BenchDB itself chooses it.
        """
        values = list(dict.fromkeys(row[name] for row in self.rows))
        ordered = values if name == "test" else [*_sorted(values), *(None for value in values if value is None)]
        return [(_parameter(name, value), _dimension(name).print(value)) for value in ordered]

    def keep(self, name: str, values: Sequence[Any]) -> None:
        """Only the rows with one of the values stay; ImpossibleSelection where a value is not among them."""
        known = {row[name] for row in self.rows}
        if unknown := [_parameter(name, value) for value in values if value not in known]:
            there = ", ".join(_parameter(name, value) for value in _sorted(known)) or "none"
            raise ImpossibleSelection(
                [f"No result has {_dimension(name).label} {', '.join(unknown)}; possible are {there}."]
            )
        self.rows = [row for row in self.rows if row[name] in values]

    def count(self, name: str) -> int:
        """How many values of this dimension are left."""
        return len({row[name] for row in self.rows})


def _dimension(name: str) -> Dimension:
    return METRIC if name == METRIC.name else DIMENSIONS[name]


def _sorted(values: Iterable[Any]) -> list[Any]:
    return sorted(value for value in values if value is not None)


def _parameter(name: str, value: Any) -> str:
    """A value as the query string has it."""
    if value is None:
        return ""
    return print_size(value) if name in SIZES else str(value)
