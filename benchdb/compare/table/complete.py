"""Completes a selection: chooses the parameters that the reader left open from the values of the runs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from benchagent.formats.vocabulary import METRICS, SERIES
from benchdb.compare.guard.distinguishing import varying_keys
from benchdb.compare.query.dimensions import DIMENSIONS, dimension
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.query.narrowed import COLUMNS, Menu, MenuOptions, Narrowed
from benchdb.compare.query.selection import NO_SPLIT, Selection
from benchdb.facts.dimension import DimensionValue
from benchdb.facts.file_to_memory import NAME as FILE_TO_MEMORY
from benchdb.facts.options import settings_value
from benchdb.runs.listing.headlines import main_metric
from benchdb.runs.models import Run
from benchdb.runs.quantities.columns import Column, Quantities, SequentialReads
from benchdb.wording.units import UNITS, default_unit, possible

from .default_rows import tools_with_a_common_test, with_rows

MOST_SPLITS = 8
MOST_OPTIONS = 30  # of a dimension of runs; with more of them choose other runs instead
ONE_VALUE = ("run", "tool")  # dimensions without boxes: runs are chosen elsewhere, and a menu chooses one tool


@dataclass(frozen=True)
class Choices:
    """A selection with nothing left open, the unit of each metric, and the menus that change it; `asked` left it open.

    `boxes` are the dimensions of results with several values to show, each with all of its values. `places` are the
    conditions on results, by column, and `ordinals` those under which the runs have them, `sequential` the sequential
    reads beside them; `results` is the number of results that the selection includes, `notes` are the page's sentences
    about the choice. `quantities` are those of the runs. `runs` are all runs of the query, among which boxes choose.
    """

    asked: Selection
    selection: Selection
    units: Mapping[str, str]
    menus: list[Menu]
    boxes: dict[str, MenuOptions]
    places: Mapping[str, Sequence[DimensionValue]]
    ordinals: Sequence[int]
    sequential: SequentialReads
    results: int
    notes: list[str]
    quantities: Quantities
    runs: Sequence[Run] = ()

    @cached_property
    def all_boxes(self) -> dict[str, MenuOptions]:
        """The boxes of the dimensions of runs and of results."""
        return {**options_of_runs(self.selection, self.runs), **self.boxes}

    @cached_property
    def keyed(self) -> list[str]:
        """The dimensions of one key (label:KEY, …) in which the runs differ."""
        return varying_keys(self.runs)


def in_words(quantities: Quantities) -> Quantities:
    """The same quantities with the params as their dimension has them, and those of them that name a series."""
    column = quantities.columns["params"]
    params: list[Mapping[str, object]] = [json.loads(str(text)) for text in column.values]
    numbers: dict[str | None, int] = {}
    named = [settings_value({name: value for name, value in each.items() if name in SERIES}) for each in params]
    codes = np.array([numbers.setdefault(text, len(numbers)) for text in named], dtype=np.int64)[column.codes]
    words = replace(column, values=list(map(settings_value, params)))
    return replace(quantities, columns={**quantities.columns, "params": words, "series": Column([*numbers], codes)})


def complete(selection: Selection, quantities: Quantities, runs: Sequence[Run] = ()) -> Choices:
    """Fill in what is open: rows for what differs, throughput or rate, else the value that most runs have.

    `quantities` are those of the runs, `in_words`. Raises ImpossibleSelection, with the possible values, if the runs
    have none of the selected values.
    """
    asked = selection
    if not len(quantities):
        raise ImpossibleSelection(["These runs have no results yet."])
    narrowed = Narrowed(quantities, quantities.everything(), dict(selection.filters), selection.axes)
    by_ratio = FILE_TO_MEMORY in selection.axes or selection.filter(FILE_TO_MEMORY)
    sizes_by_ratio = frozenset({"file_size"} if by_ratio else ())  # the ratio chooses among the files
    narrowed.axes |= sizes_by_ratio
    tools = selection.filter("tool")
    if not selection.rows and not tools:
        tools = tools_with_a_common_test(narrowed)
        narrowed.filters |= {"tool": tools} if len(tools) > 1 else {}
    if "tool" in narrowed.axes or len(tools) > 1:
        narrowed.keep("tool")
    else:
        narrowed.choose("tool")
    _metric(narrowed)
    if not selection.rows:
        of_tools = [run for run in runs if not narrowed.filters.get("tool") or run.tool in narrowed.filters["tool"]]
        selection = with_rows(selection, of_tools, narrowed)
        narrowed.axes = selection.axes | sizes_by_ratio
    narrowed.open_or_choose("test")
    narrowed.open_or_choose("file_size")
    sizes = len(selection.filter("record_size")) or sum(size is not None for size in narrowed.values("record_size"))
    split = tuple(name for name in selection.split if name != NO_SPLIT)
    if not selection.split and "record_size" not in narrowed.axes and 1 < sizes <= MOST_SPLITS:
        split = ("record_size",)
        narrowed.axes |= {"record_size"}
    narrowed.open_or_choose("record_size")
    narrowed.open_or_choose("threads")
    narrowed.keep("params")
    chosen = selection.replace(split=split or (NO_SPLIT,), filters=narrowed.filters)
    return Choices(
        asked,
        chosen,
        _units([str(metric) for metric in narrowed.values("metric")], selection.units),
        narrowed.menus,
        {name: options for name in narrowed.opened if len(options := narrowed.options_beside(name)) > 1},
        {name: narrowed.values(name) for name in COLUMNS},
        quantities.ordinals(narrowed.left),
        quantities.sequential(narrowed.left),
        int(quantities.runs[narrowed.left].sum()),
        narrowed.notes,
        quantities,
    )


def _metric(narrowed: Narrowed) -> None:
    """Keep all selected metrics if metrics are an axis, else choose the main one."""
    quantities = narrowed.quantities
    first = {metric: -index for index, metric in enumerate(quantities.values("metric", quantities.everything()))}
    if "metric" in narrowed.axes:
        narrowed.open_or_choose("metric")
        return
    pairs = quantities.combinations(("metric", "test"), narrowed.fitting())
    main = main_metric((str(metric), str(test)) for metric, test in pairs)
    if main is not None:
        narrowed.filters.setdefault("metric", (main,))
    narrowed.choose("metric", lambda metric: first[metric])


def _units(metrics: Sequence[str], selected: Sequence[str]) -> dict[str, str]:
    """The unit of each metric. Raises ImpossibleSelection for a unit that fits none of them."""
    bases = {METRICS[metric].unit for metric in metrics}
    for unit in selected:
        if UNITS[unit].base not in bases:
            units = ", ".join(name for base in sorted(bases) for name in possible(base))
            raise ImpossibleSelection([f"{', '.join(metrics)} cannot be shown in {unit}; possible are {units}."])
    chosen = {UNITS[unit].base: unit for unit in selected}
    return {metric: chosen.get(METRICS[metric].unit) or default_unit(metric) for metric in metrics}


def options_of_runs(selection: Selection, runs: Sequence[Run]) -> dict[str, MenuOptions]:
    """The dimensions in which the runs differ, with all their values, which readers can leave out of the table."""
    options: dict[str, MenuOptions] = {}
    for name, of in {**DIMENSIONS, **{name: dimension(name) for name in (*selection.axes, *selection.filters)}}.items():
        if of.of is None or (name in ONE_VALUE and name not in selection.axes):
            continue
        values = dict.fromkeys(of.of(run) for run in runs)
        if 1 < len(values) <= MOST_OPTIONS:
            options[name] = [(of.parameter(value), of.print(value)) for value in values]
    return options
