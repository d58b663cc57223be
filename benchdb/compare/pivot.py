"""Results into a grid of cells: splits × rows × columns."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from benchdb.runs.cells import Cell, cells_of_run, combined_cell
from benchdb.runs.models import Run
from benchdb.runs.queries import Measured
from benchdb.runs.units import Unit

from .dimensions import DIMENSIONS, Value
from .selection import Selection


@dataclass(frozen=True)
class Grid:
    """`cells[split][row][column]`; None where nothing was measured. Labels are in the order of the cells."""

    split_labels: list[str]
    row_labels: list[str]
    column_labels: list[str]
    cells: list[list[list[Cell | None]]]
    notes: list[str]


def pivot(selection: Selection, runs: Mapping[UUID, Run], results: Sequence[Measured], unit: Unit) -> Grid:
    """Place every result; where several runs meet in one cell their means become the sample.

    Axes of runs keep the runs' order, sizes are sorted, everything else keeps the order of the documents.
    """
    results, notes = _one_kind_of_params(results)
    results = sorted(results, key=lambda measured: measured.ordinal)
    names = (selection.split, selection.rows, selection.columns)
    axes = [_axis(name, runs, results) for name in names]
    placed: dict[tuple[Value, ...], dict[UUID, Cell]] = defaultdict(dict)
    doubled = False
    by_id: dict[UUID, list[Measured]] = defaultdict(list)
    for measured in results:
        by_id[measured.run_id].append(measured)
    for run_id, run in runs.items():
        own = by_id[run_id]
        for measured, cell in zip(own, cells_of_run(own, unit, run), strict=True):
            by_run = placed[tuple(_value(name, run, measured) for name in names)]
            doubled |= run_id in by_run
            by_run.setdefault(run_id, cell)
    if doubled:
        notes.append("Some cells have several results of one run; the first is shown. Filter to see the others.")
    cells = [[[_cell(placed.get(key), unit) for key in row] for row in rows] for rows in _keys(axes)]
    labels = [_labels(name, axis) for name, axis in zip(names, axes, strict=True)]
    return Grid(labels[0], labels[1], labels[2], cells, notes)


def _labels(name: str, axis: Sequence[Value]) -> list[str]:
    """A label a value; values that print alike (memory that differs by a few KiB) get their exact value beside it."""
    if not name:
        return [""] * len(axis)
    said = [DIMENSIONS[name].print(value) for value in axis]
    return [f"{text} ({value})" if said.count(text) > 1 else text for text, value in zip(said, axis, strict=True)]


def _keys(axes: Sequence[Sequence[Value]]) -> list[list[list[tuple[Value, ...]]]]:
    splits, rows, columns = axes
    return [[[(split, row, column) for column in columns] for row in rows] for split in splits]


def _cell(by_run: Mapping[UUID, Cell] | None, unit: Unit) -> Cell | None:
    if not by_run:
        return None
    cells = list(by_run.values())
    return cells[0] if len(cells) == 1 else combined_cell(cells, unit)


def _value(name: str, run: Run, measured: Measured) -> Value:
    if not name:
        return None
    dimension = DIMENSIONS[name]
    if dimension.of_run is not None:
        return dimension.of_run(run)
    value: Value = getattr(measured, name)
    return value


def _axis(name: str, runs: Mapping[UUID, Run], results: Sequence[Measured]) -> list[Value]:
    """The values along one axis."""
    if not name:
        return [None]
    of_run = DIMENSIONS[name].of_run
    if of_run is not None:
        with_results = {measured.run_id for measured in results}
        return list(dict.fromkeys(of_run(run) for run_id, run in runs.items() if run_id in with_results))
    values: list[Value] = list(dict.fromkeys(getattr(measured, name) for measured in results))
    if any(isinstance(value, int) for value in values):
        return sorted(values, key=lambda value: value if isinstance(value, int) else -1)
    return values


def _one_kind_of_params(results: Sequence[Measured]) -> tuple[list[Measured], list[str]]:
    """Results that differ only in their params would meet in a cell: each test keeps its most frequent params."""
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    for measured in results:
        kinds[measured.test][_canonical(measured.params)] += 1
    kept = {test: max(counter, key=lambda kind: (counter[kind], -len(kind), kind)) for test, counter in kinds.items()}
    if all(len(counter) == 1 for counter in kinds.values()):
        return list(results), []
    note = "Tests were measured with several parameters; shown are " + "; ".join(
        f"{DIMENSIONS['test'].print(test)}: {kind}" for test, kind in kept.items() if len(kinds[test]) > 1
    )
    return [m for m in results if _canonical(m.params) == kept[m.test]], [note + "."]


def _canonical(params: Mapping[str, Any]) -> str:
    return json.dumps(params, sort_keys=True)
