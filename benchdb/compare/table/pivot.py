"""Results into a grid of cells: splits × rows × columns."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from benchdb.compare.query.dimensions import Value, dimension, joined, reader_of, settings_value
from benchdb.compare.query.selection import Selection
from benchdb.runs.cells.cell import Cell, cells_of, combined_cells
from benchdb.runs.models import Run
from benchdb.runs.queries import Measured
from benchdb.wording.units import UNITS, Unit

Key = tuple[Value, ...]  # a place on an axis: the value of each of its dimensions
Place = tuple[Key, Key, Key]  # split, row, column


@dataclass(frozen=True)
class Axis:
    """One axis: its dimensions, its places in order, and how each is labelled: in parts, one a dimension."""

    names: tuple[str, ...]
    keys: list[Key]
    parts: list[dict[str, str]]

    @cached_property
    def labels(self) -> list[str]:
        """The parts together."""
        return [joined(parts) for parts in self.parts]


@dataclass(frozen=True)
class Grid:
    """The three axes, and the cell of each place where something was measured."""

    split: Axis
    rows: Axis
    columns: Axis
    cells: dict[Place, Cell]
    notes: list[str]

    @property
    def names(self) -> tuple[str, ...]:
        """The dimensions of a place, one after the other."""
        return (*self.split.names, *self.rows.names, *self.columns.names)

    def places(self) -> Iterator[Place]:
        """All places in the order in which people read them."""
        return ((s, r, c) for s in self.split.keys for r in self.rows.keys for c in self.columns.keys)


def pivot(
    selection: Selection, runs: Mapping[UUID, Run], results: Sequence[Measured], units: Mapping[str, str]
) -> Grid:
    """Place every result; where several runs meet in one cell their means become the sample.

    Values that were asked for keep the order in which they were asked for. Else dimensions of runs keep the runs'
    order, numbers are sorted, everything else keeps the order of the documents.
    """
    results, notes = _one_kind_of_params(selection, results)
    results = sorted(results, key=lambda measured: measured.ordinal)
    cells = _cells(results, runs, units)
    by_run: dict[UUID, list[Measured]] = {run: [] for run in runs}
    for measured in results:
        by_run[measured.run_id].append(measured)
    all_names = (selection.split_names, selection.rows, selection.columns)
    placed: dict[Place, dict[UUID, Cell]] = defaultdict(dict)
    where: dict[int, Place] = {}  # by the identity of the result
    doubled = False
    for run_id, own in by_run.items():
        split_of, row_of, column_of = (reader_of(names, runs[run_id]) for names in all_names)
        for measured in own:
            place = split_of(measured), row_of(measured), column_of(measured)
            there = placed[place]
            where[id(measured)] = place
            doubled |= run_id in there
            there.setdefault(run_id, cells[id(measured)])
    if doubled:
        notes.append("Some cells have several results of one run; the first is shown. Filter to see the others.")
    in_documents = [where[id(measured)] for measured in results]
    axes = [
        _axis(selection, names, [place[i] for place in in_documents], [place[i] for place in placed])
        for i, names in enumerate(all_names)
    ]
    return Grid(axes[0], axes[1], axes[2], _combined(placed, units), notes)


def _cells(results: Sequence[Measured], runs: Mapping[UUID, Run], units: Mapping[str, str]) -> dict[int, Cell]:
    """The cell of each result, by the result's identity, in the unit of its metric."""
    by_metric: dict[str, list[Measured]] = defaultdict(list)
    for measured in results:
        by_metric[measured.metric].append(measured)
    found: dict[int, Cell] = {}
    for metric, own in by_metric.items():
        found.update(zip(map(id, own), cells_of(own, UNITS[units[metric]], runs), strict=True))
    return found


def _combined(placed: Mapping[Place, Mapping[UUID, Cell]], units: Mapping[str, str]) -> dict[Place, Cell]:
    several = {place: list(by_run.values()) for place, by_run in placed.items() if len(by_run) > 1}
    shown: list[Unit] = [UNITS[units[cells[0]["metric"]]] for cells in several.values()]
    combined = dict(zip(several, combined_cells(list(several.values()), shown), strict=True))
    return {place: combined.get(place) or next(iter(by_run.values())) for place, by_run in placed.items()}


def _axis(selection: Selection, names: tuple[str, ...], in_documents: Sequence[Key], in_runs: Sequence[Key]) -> Axis:
    """Sorted dimension by dimension; where all are of runs and no order was asked for, as the runs come.

    The keys are those of all results, once in the order of the documents and once in that of the runs.
    """
    of_runs = [dimension(name).of_run is not None for name in names]
    keys = list(dict.fromkeys(in_runs))
    if not all(of_runs) or any(len(selection.filter(name)) > 1 for name in names):
        met = [in_runs if of_run else in_documents for of_run in of_runs]
        ranks = [_ranks(selection, name, [key[i] for key in met[i]]) for i, name in enumerate(names)]
        keys.sort(key=lambda key: [rank[value] for rank, value in zip(ranks, key, strict=True)])
    said = [label_values(name, dict.fromkeys(key[i] for key in keys)) for i, name in enumerate(names)]
    parts = [{name: said[i][key[i]] for i, name in enumerate(names)} for key in keys]
    return Axis(names, keys, parts)


def _ranks(selection: Selection, name: str, met: Sequence[Value]) -> dict[Value, int]:
    """The place of each value of a dimension: as asked for, or sorted, or as it was met."""
    asked = selection.filter(name)
    of = dimension(name)
    values = list(dict.fromkeys(met))
    if asked:
        values.sort(key=lambda value: asked.index(of.parameter(value)))
    elif of.of_run is None and any(isinstance(value, int) for value in values):
        values.sort(key=lambda value: value if isinstance(value, int) else -1)
    return {value: rank for rank, value in enumerate(values)}


def label_values(name: str, values: Mapping[Value, None]) -> dict[Value, str]:
    """A label a value; values that print alike (memory that differs by a few KiB) get their exact value beside it."""
    said = {value: dimension(name).print(value) for value in values}
    counts = Counter(said.values())
    return {value: f"{text} ({value})" if counts[text] > 1 else text for value, text in said.items()}


def _one_kind_of_params(selection: Selection, results: Sequence[Measured]) -> tuple[list[Measured], list[str]]:
    """Results that differ only in their params would meet in a cell: each test keeps its most frequent params.

    Where params are an axis they all stay; those that were asked for stay in any case.
    """
    of = dimension("params")
    said: dict[int, str] = {}  # by the identity of the params: rows that say the same share them
    for measured in results:
        if id(measured.params) not in said:
            said[id(measured.params)] = of.parameter(settings_value(measured.params))
    if len(set(said.values())) == 1 and not selection.filter("params"):
        return list(results), []
    pairs = [(measured, said[id(measured.params)]) for measured in results]
    if asked := selection.filter("params"):
        pairs = [(measured, kind) for measured, kind in pairs if kind in asked]
    if "params" in selection.axes:
        return [measured for measured, _ in pairs], []
    kinds: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for measured, kind in pairs:
        kinds[measured.test, measured.metric][kind] += 1
    kept = {of: max(counter, key=lambda kind: (counter[kind], -len(kind), kind)) for of, counter in kinds.items()}
    several = {test: kept[test, metric] for (test, metric), counter in kinds.items() if len(counter) > 1}
    shown = "; ".join(f"{dimension('test').print(test)}: {kind}" for test, kind in several.items())
    note = (
        f"Tests were measured with several parameters; shown are {shown}. For others choose params or make it an axis."
    )
    results = [measured for measured, kind in pairs if kept[measured.test, measured.metric] == kind]
    return results, [note] if several else []
