"""Completes a selection: chooses the parameters that the reader left open from the values of the runs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from benchagent.formats.vocabulary import METRICS
from benchagent.plan.tools import tool_named
from benchdb.compare.query.dimension_values import AvailableRow, in_order, matching
from benchdb.compare.query.dimensions import DIMENSIONS, Dimension, DimensionValue, dimension, is_dimension
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.query.selection import NO_SPLIT, Selection
from benchdb.runs.listing.headlines import main_metric
from benchdb.runs.models import Run
from benchdb.wording.units import UNITS, default_unit, possible

MOST_SPLITS = 8
MOST_OPTIONS = 30  # of a dimension of runs; with more of them choose other runs instead
ONE_VALUE = ("run", "tool")  # dimensions without boxes: runs are chosen elsewhere, and a menu chooses one tool

COLUMNS = ("test", "metric", "file_size", "record_size", "threads")  # the conditions of the query for results
MenuOptions = list[tuple[str, str]]  # (value in the query string, label)


def _number(value: DimensionValue) -> float:
    """A size or a number of threads; 0 for None."""
    return value if isinstance(value, int) else 0


# The choice among values with equally many runs: the largest file and record, the fewest threads.
PREFERENCE: dict[str, Callable[[DimensionValue], float]] = {
    "tool": lambda name: (tool := tool_named(str(name))) is not None and tool.preferred,
    "test": lambda test: 0,
    "file_size": _number,
    "record_size": _number,
    # Any number is preferred to None, which the run's own time has beside the results of a tool.
    "threads": lambda threads: -(float("inf") if threads is None else _number(threads)),
}


@dataclass(frozen=True)
class Menu:
    """One choice on the page: its parameter, label, the chosen value and the possible (value, label) pairs."""

    name: str
    label: str
    chosen: str
    options: MenuOptions


@dataclass(frozen=True)
class Choices:
    """A selection with nothing left open, the unit of each metric, and the menus that change it.

    `boxes` are the dimensions of results with several values to show, each with all of its values. `places` are the
    conditions on results, by column; `results` is the number of results that the selection includes, `notes` are the
    page's sentences about the choice. Unless the runs are `swept`, none of them has a surface. `runs` are all runs of
    the query, among which boxes choose.
    """

    selection: Selection
    units: Mapping[str, str]
    menus: list[Menu]
    boxes: dict[str, MenuOptions]
    places: Mapping[str, Sequence[DimensionValue]]
    results: int
    notes: list[str] = field(default_factory=list)
    swept: bool = True
    runs: Sequence[Run] = ()

    @cached_property
    def all_boxes(self) -> dict[str, MenuOptions]:
        """The boxes of the dimensions of runs and of results."""
        return {**options_of_runs(self.selection, self.runs), **self.boxes}

    @cached_property
    def keyed(self) -> list[str]:
        """The dimensions of one key (label:KEY, …) in which the runs differ."""
        return varying_keys(self.runs)


def complete(selection: Selection, available: Sequence[AvailableRow]) -> Choices:
    """Fill in what is open: throughput or rate, else the value that most runs have.

    `available` is the result of `runs.queries.available`, with `params` as the dimension has them. Raises
    ImpossibleSelection, with the possible values, if the runs have none of the selected values.
    """
    if not available:
        raise ImpossibleSelection(["These runs have no results yet."])
    narrowed = _Narrowed(list(available), dict(selection.filters), selection.axes)
    if "tool" in narrowed.axes or len(selection.filter("tool")) > 1:
        narrowed.keep("tool")
    else:
        narrowed.choose("tool")
    _metric(narrowed, available)
    narrowed.open_or_choose("test")
    narrowed.open_or_choose("file_size")
    sizes = len(selection.filter("record_size")) or narrowed.count("record_size")
    split = tuple(name for name in selection.split if name != NO_SPLIT)
    if not selection.split and "record_size" not in narrowed.axes and 1 < sizes <= MOST_SPLITS:
        split = ("record_size",)
        narrowed.axes |= {"record_size"}
    narrowed.open_or_choose("record_size")
    narrowed.open_or_choose("threads")
    narrowed.keep("params")
    chosen = selection.replace(split=split or (NO_SPLIT,), filters=narrowed.filters)
    metrics = dict.fromkeys(row.metric for row in narrowed.rows)
    return Choices(
        chosen,
        _units(list(metrics), selection.units),
        narrowed.menus,
        {name: options for name in narrowed.opened if len(options := narrowed.options_beside(name, available)) > 1},
        {name: list(dict.fromkeys(row.value(name) for row in narrowed.rows)) for name in COLUMNS},
        sum(row.runs for row in narrowed.rows),
        narrowed.notes,
        swept=_swept(available),
    )


def _swept(available: Sequence[AvailableRow]) -> bool:
    """Whether any metric was measured in two file sizes and two record sizes; otherwise no run has a surface."""
    sizes: dict[tuple[str, str], tuple[set[DimensionValue], set[DimensionValue]]] = defaultdict(lambda: (set(), set()))
    for row in available:
        if row.record_size is not None:
            files, records = sizes[row.test, row.metric]
            files.add(row.file_size)
            records.add(row.record_size)
    return any(len(files - {None}) > 1 and len(records) > 1 for files, records in sizes.values())


def _metric(narrowed: _Narrowed, available: Sequence[AvailableRow]) -> None:
    """Keep all selected metrics if metrics are an axis, else choose the main one."""
    first = {row.metric: -index for index, row in reversed(list(enumerate(available)))}
    if "metric" in narrowed.axes:
        narrowed.open_or_choose("metric")
        return
    main = main_metric((row.metric, row.test) for row in narrowed.fitting())
    if main is not None:
        narrowed.filters.setdefault("metric", (main,))
    narrowed.choose("metric", lambda name: first[str(name)])


def _units(metrics: Sequence[str], selected: Sequence[str]) -> dict[str, str]:
    """The unit of each metric. Raises ImpossibleSelection for a unit that fits none of them."""
    bases = {METRICS[metric].unit for metric in metrics}
    for unit in selected:
        if UNITS[unit].base not in bases:
            units = ", ".join(name for base in sorted(bases) for name in possible(base))
            raise ImpossibleSelection([f"{', '.join(metrics)} cannot be shown in {unit}; possible are {units}."])
    chosen = {UNITS[unit].base: unit for unit in selected}
    return {metric: chosen.get(METRICS[metric].unit) or default_unit(metric) for metric in metrics}


@dataclass
class _Narrowed:
    """The values of the runs, narrowed by one choice after another.

    `kept` are the values left in filtered dimensions, `opened` the dimensions on axes.
    """

    rows: list[AvailableRow]
    filters: dict[str, tuple[str, ...]]
    axes: frozenset[str]
    menus: list[Menu] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)
    kept: dict[str, set[DimensionValue]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def open_or_choose(self, name: str) -> None:
        """Keep all values of a dimension on an axis, or the selected ones; choose one value for any other dimension."""
        if name not in self.axes:
            self.choose(name)
            return
        self.opened.append(name)
        self.keep(name)

    def choose(self, name: str, preference: Callable[[DimensionValue], float] | None = None) -> None:
        """Keep only the first selected value, or the value that most runs have (ties: the greatest preference)."""
        options = options_of(name, self.rows)
        selected = self.filters.get(name, ())
        self.keep(name)
        if len(selected) > 1:
            others = ", ".join(dict(options)[text] for text in selected[1:])
            self.notes.append(f"Of the {dimension(name).label} shown is the first; put it on an axis to see {others}.")
        chosen = (
            selected[0] if selected else dimension(name).parameter(self._most(name, preference or PREFERENCE[name]))
        )
        self.filters[name] = (chosen,)
        self.keep(name)
        self.menus.append(Menu(name, dimension(name).label, chosen, options))

    def _most(self, name: str, preference: Callable[[DimensionValue], float]) -> DimensionValue:
        weights: Counter[DimensionValue] = Counter()
        for row in self.fitting():
            weights[row.value(name)] = max(weights[row.value(name)], row.runs)
        return max(weights, key=lambda value: (weights[value], preference(value)))

    def fitting(self) -> list[AvailableRow]:
        """The rows with a possible selected value in every dimension, from which open parameters are chosen.

        All rows if there is none; `keep` then reports the missing values.
        """
        selected = {name: set(values) for name in ("tool", *COLUMNS) if (values := self.filters.get(name))}
        possible = {
            name: {
                value for value in {row.value(name) for row in self.rows} if dimension(name).parameter(value) in texts
            }
            for name, texts in selected.items()
        }
        return [
            row for row in self.rows if all(row.value(name) in texts for name, texts in possible.items())
        ] or self.rows

    def keep(self, name: str) -> None:
        """Keep only the rows with a selected value. Raises ImpossibleSelection if no row has one of the values."""
        if selected := self.filters.get(name):
            self.rows = matching(name, selected, self.rows, lambda row: row.value(name), "result")
            self.kept[name] = {row.value(name) for row in self.rows}

    def count(self, name: str) -> int:
        """The number of values of this dimension that are left."""
        return len({row.value(name) for row in self.rows})

    def options_beside(self, name: str, available: Sequence[AvailableRow]) -> MenuOptions:
        """The values that are possible with the other choices, selected or not."""
        others = [(other, values) for other, values in self.kept.items() if other != name]
        return options_of(
            name, [row for row in available if all(row.value(other) in values for other, values in others)]
        )


def options_of(name: str, rows: Sequence[AvailableRow]) -> MenuOptions:
    """The values of a dimension, each as the query string has it and as people read it."""
    of = dimension(name)
    return [(of.parameter(value), of.print(value)) for value in in_order(row.value(name) for row in rows)]


def options_of_runs(selection: Selection, runs: Sequence[Run]) -> dict[str, MenuOptions]:
    """The dimensions in which the runs differ, with all their values, which readers can leave out of the table."""
    options: dict[str, MenuOptions] = {}
    for name, of in {**DIMENSIONS, **{name: dimension(name) for name in (*selection.axes, *selection.filters)}}.items():
        if of.of_run is None or name in ONE_VALUE:
            continue
        values = dict.fromkeys(of.of_run(run) for run in runs)
        if 1 < len(values) <= MOST_OPTIONS:
            options[name] = [(of.parameter(value), of.print(value)) for value in values]
    return options


def varying_keys(runs: Sequence[Run]) -> list[str]:
    """The labels, options and parameters in which the runs differ, as dimensions such as `label:patch`."""
    names: dict[str, None] = {}
    for run in runs:
        options = (option.partition("=")[0] for option in run.target.mount_options)
        keys = {
            "label": run.runstate.labels,
            "mount_option": [name.removeprefix("no") for name in options],
            "parameter": run.parameters,
        }
        names.update((f"{kind}:{key}", None) for kind, keys_of_kind in keys.items() for key in keys_of_kind)
    return [name for name in names if is_dimension(name) and _differ(dimension(name), runs)][:MOST_OPTIONS]


def _differ(of: Dimension, runs: Sequence[Run]) -> bool:
    return of.of_run is not None and len({of.of_run(run) for run in runs}) > 1
