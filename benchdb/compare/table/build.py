"""Builds the content of a table: cells with verdicts and best sets, findings, and differences besides the factor."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict
from typing import Any

from benchagent.formats.vocabulary import METRICS
from benchdb import __version__
from benchdb.compare.content import MOST_CELLS, Measure
from benchdb.compare.guard import differences, mark_inside
from benchdb.compare.query.dimensions import label_of
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.query.runs import run_line
from benchdb.compare.query.selection import Selection
from benchdb.compare.table.findings import findings
from benchdb.compare.verdicts.pairs import LEVEL, Stacked
from benchdb.runs.cells.cell import show_statistic
from benchdb.runs.models import Run
from benchdb.runs.queries import Measured
from benchdb.stats import STATISTICS_VERSION
from benchdb.wording.units import UNITS

from .complete import Choices
from .content import SCHEMA, keys_of
from .factor import Factor, factor_of
from .judge import judge
from .pivot import AxisKey, CellGrid, TableAxis, pivot
from .titles import n_line, subtitle, title


def build_table(choices: Choices, runs: Sequence[Run], results: Sequence[Measured]) -> dict[str, Any]:
    """The table of these results, schema `benchdb.table/2`, with everything that pages, exports and permalinks show.

    Raises ImpossibleSelection if the table has no such baseline, or more cells than a page can hold.
    """
    selection = choices.selection
    grid = pivot(selection, {run.id: run for run in runs}, results, choices.units)
    _bound(grid)
    # A run without a cell counts for no difference, and sharing the table needs no consent to show it.
    ids_with_cells = {run for cell in grid.cells.values() for run in cell["runs"]}
    runs = [run for run in runs if str(run.id) in ids_with_cells]
    factor = factor_of(grid, selection.factor_names)
    baseline = _baseline(selection, factor)
    stacked = Stacked(grid.cells.values())
    means = judge(grid, stacked, factor, baseline, margin=selection.margin, correction=selection.correction)
    mark_inside(selection, runs, grid.cells.values())
    _show_statistic(choices, grid)
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "title": title(selection, factor, runs),
        "subtitle": subtitle(choices, runs),
        "query": _query(choices, ids_with_cells, factor.labels[baseline]),
        **_pivoted(selection, grid, factor),
        "baseline": factor.labels[baseline],
        "heads": _heads(choices, grid, factor, baseline),
        "groups": _groups(choices, grid, factor, baseline),
        "geometric_means": means,
        "findings": [],
        "differences": [asdict(difference) for difference in differences(selection, runs)],
        "notes": [*choices.notes, *grid.notes],
        **_described(runs, results, factor),
        "statistics_version": STATISTICS_VERSION,
        "benchdb_version": __version__,
    }
    content["findings"] = findings(content, stacked)
    return content


def _show_statistic(choices: Choices, grid: CellGrid) -> None:
    """Give the cells the text of the chosen statistic instead of that of the mean."""
    statistic = choices.selection.statistic
    if statistic != "mean":
        for cell in grid.cells.values():
            show_statistic(cell, statistic, UNITS[choices.units[cell["metric"]]])


def _query(choices: Choices, placed: Collection[str], baseline: str) -> str:
    """The query string of the same table, with nothing left open and without runs that have no cells."""
    return choices.selection.replace(
        runs=tuple(run for run in choices.selection.runs if str(run) in placed),
        units=tuple(dict.fromkeys(choices.units.values())),
        baseline=baseline,
    ).query()


def _pivoted(selection: Selection, grid: CellGrid, factor: Factor) -> dict[str, Any]:
    """The keys of the content about the pivot and the comparison."""
    return {
        "factor": {"names": list(factor.names), "label": label_of(factor.names)},
        "rows": _named(grid.rows),
        "columns": _named(grid.columns),
        "split": _named(grid.split) if grid.split.names else None,
        "statistic": selection.statistic,
        "margin": selection.margin,
        "level": LEVEL,
        "correction": selection.correction,
    }


def _described(runs: Sequence[Run], results: Sequence[Measured], factor: Factor) -> dict[str, Any]:
    """The keys of the content that describe the runs and the state of their statistics."""
    parser_versions = {result.run_id: result.parser_version for result in results}
    return {
        "runs": [str(run.id) for run in runs],
        "run_list": [run_line(run, factor.names, parser_versions[run.id]) for run in runs],
        "computing": [str(run.id) for run in runs if run.runstate.state in ("received", "computing")],
        "recomputing": sorted({str(result.run_id) for result in results if result.outdated}),
    }


def _bound(grid: CellGrid) -> None:
    places = len(grid.split.keys) * len(grid.rows.keys) * len(grid.columns.keys)
    if places > MOST_CELLS:
        raise ImpossibleSelection(
            [f"This table would have {places} places, {MOST_CELLS} at most: choose other rows and columns, or filter."]
        )


def _baseline(selection: Selection, factor: Factor) -> AxisKey:
    """The baseline's value of the factor: the selected one, or the first. Raises ImpossibleSelection."""
    if not selection.baseline:
        return next(iter(factor.labels))
    value = factor.value(selection.baseline)
    if value is None:
        possible = ", ".join(factor.labels.values())
        raise ImpossibleSelection([f"baseline cannot be {selection.baseline!r}; possible are {possible}."])
    return value


def _named(axis: TableAxis) -> dict[str, Any]:
    return {"names": list(axis.names), "label": label_of(axis.names)}


def _measure(choices: Choices, axis: TableAxis, index: int) -> Measure | None:
    """The measure at an index of an axis; None unless metric is one of its dimensions."""
    if "metric" not in axis.names:
        return None
    return _measure_of(choices, str(axis.keys[index][axis.names.index("metric")]))


def _measure_of(choices: Choices, metric: str) -> Measure:
    unit = UNITS[choices.units[metric]]
    return Measure(metric, unit.name, unit.base, unit.per, METRICS[metric].higher_is_better)


def _is_baseline(axis: TableAxis, index: int, factor: Factor, baseline: AxisKey) -> bool:
    """Whether the key at this index of the axis has all values of the baseline."""
    values_of_key = dict(zip(axis.names, axis.keys[index], strict=True))
    return all(
        name in values_of_key and values_of_key[name] == value
        for name, value in zip(factor.names, baseline, strict=True)
    )


def _part(choices: Choices, axis: TableAxis, index: int, factor: Factor, baseline: AxisKey) -> dict[str, Any]:
    """The keys that groups, rows and heads have in common."""
    return {
        "label": axis.labels[index],
        "parts": axis.parts[index],
        "baseline": _is_baseline(axis, index, factor, baseline),
        **keys_of(_measure(choices, axis, index)),
    }


def _heads(choices: Choices, grid: CellGrid, factor: Factor, baseline: AxisKey) -> list[dict[str, Any]]:
    heads = [_part(choices, grid.columns, i, factor, baseline) for i in range(len(grid.columns.keys))]
    if "metric" not in grid.names:  # then there is a single one, which every head names
        (metric,) = choices.units
        heads = [{**head, **keys_of(_measure_of(choices, metric))} for head in heads]
    return heads


def _groups(choices: Choices, grid: CellGrid, factor: Factor, baseline: AxisKey) -> list[dict[str, Any]]:
    rows = [_part(choices, grid.rows, i, factor, baseline) for i in range(len(grid.rows.keys))]
    groups = []
    for i, split in enumerate(grid.split.keys):
        cells = [[grid.cells.get((split, row, column)) for column in grid.columns.keys] for row in grid.rows.keys]
        group_rows = [{**row, "cells": line} for row, line in zip(rows, cells, strict=True)]
        groups.append({**_part(choices, grid.split, i, factor, baseline), "n": n_line(cells), "rows": group_rows})
    return groups
