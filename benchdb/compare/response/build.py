"""Builds the content of response curves from results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from benchagent.formats.vocabulary import METRICS, test_label
from benchdb import __version__
from benchdb.compare.guard import differences, shared_facts
from benchdb.compare.guard.levels import say_over
from benchdb.compare.guard.mixed import mixtures, without_figure
from benchdb.compare.query.dimensions import dimension, joined, labels_of_runs, with_noun
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.query.keyed import level_of
from benchdb.compare.query.runs import machine_names, run_line
from benchdb.compare.query.selection import MARGIN
from benchdb.compare.table.evaluate import Collected
from benchdb.compare.table.pivot import Pivoted, pivot
from benchdb.compare.table.titles import subtitle
from benchdb.runs.cells.cell import Cell
from benchdb.runs.models import UNFINISHED, Run
from benchdb.stats import STATISTICS_VERSION
from benchdb.stats.comparing.baseline import LEVEL
from benchdb.wording.numbers import plural
from benchdb.wording.units import UNITS, default_unit
from benchdb.wording.words import metric_label

from .content import SCHEMA, ResponseAxis, ResponseContent, ResponseCurve, ResponsePoint
from .knees import knee_of
from .percentiles import distributions_behind, notes_of, with_percentiles
from .selection import NO_SERIES, ResponseSelection

MOST_CURVES = 7  # as many as there are colours
MOST_POINTS = 300


def build_response(selection: ResponseSelection, collected: Collected) -> ResponseContent:
    """The curves of these results, with everything that pages and exports show.

    Raises ImpossibleSelection if there are too many curves or points.
    """
    choices = collected.choices
    table = choices.selection
    series = tuple(name for name in table.rows if name != selection.over)
    grid = _grid(collected)
    drawn = curves_of(selection, grid, series)
    _bound(drawn.curves)
    distributions, too_many = distributions_behind(selection.latency, collected.results)
    curves = with_percentiles(drawn.curves, selection.latency, distributions)
    runs = _with_cells(collected.shown, curves)
    test = table.filters["test"][0]
    completed = replace(
        selection,
        series=series or (NO_SERIES,),
        units=tuple(dict.fromkeys(choices.units.values())),
        runs=tuple(run.id for run in runs if run.id in selection.runs),
        filters={name: values for name, values in table.filters.items() if name != "metric"},
    )
    versions = {result.run_id: result.parser_version for result in collected.results}
    of_runs = [name for name in series if dimension(name).of is not None] or ["file_system"]
    return ResponseContent(
        schema=SCHEMA,
        title=_title(test, selection.over, runs),
        subtitle=_subtitle(collected, runs, test, drawn),
        query=completed.query(),
        over=selection.over,
        over_label=say_over(selection.over),
        series=list(series),
        test=test,
        label=test_label(test),
        throughput=_axis(selection.metric, choices.units),
        latency=_axis(selection.latency, choices.units),
        curves=curves,
        statistic="mean",
        margin=MARGIN,
        level=LEVEL,
        correction="bonferroni",
        differences=differences(table, runs),
        shared=shared_facts(runs),
        notes=[
            *choices.notes,
            *(grid.of_params if "params" in series else []),
            *grid.notes,
            *collected.left_out,
            *drawn.notes,
            *too_many,
            *notes_of(curves),
        ],
        runs=[str(run.id) for run in runs],
        run_list=[
            run_line(run, label, versions[run.id], machines)
            for machines in [machine_names(runs)]
            for run, label in zip(runs, labels_of_runs(of_runs, runs), strict=True)
        ],
        computing=[str(run.id) for run in runs if run.runstate.state in UNFINISHED],
        recomputing=sorted({str(result.run_id) for result in collected.results if result.outdated}),
        statistics_version=STATISTICS_VERSION,
        benchdb_version=__version__,
    )


def _grid(collected: Collected) -> Pivoted:
    """A row a level of each series, a column a metric; cells over unlike runs have no figure."""
    table, shown = collected.choices.selection, collected.shown
    grid = pivot(table, {run.id: run for run in shown}, collected.results, collected.choices.units)
    mixed = mixtures(table, shown, (cell.runs for cell in grid.cells.values()))

    def plain(cell: Cell) -> Cell:
        mixture = mixed.get(frozenset(cell.runs)) if len(cell.runs) > 1 else None
        return cell if mixture is None else without_figure(cell, mixture)

    return grid._replace(cells={at: plain(cell) for at, cell in grid.cells.items()}) if mixed else grid


def _bound(curves: Sequence[ResponseCurve]) -> None:
    """Raise ImpossibleSelection for more curves or points than a picture can show."""
    if not curves:
        raise ImpossibleSelection(["None of these results has a number for its level of load."])
    points = sum(len(curve.points) for curve in curves)
    if len(curves) > MOST_CURVES or points > MOST_POINTS:
        raise ImpossibleSelection(
            [
                f"{len(curves)} curves with {points} points are too many to read, {MOST_CURVES} with {MOST_POINTS} at "
                "most: filter by a dimension, such as file_system=ext4."
            ]
        )


def _with_cells(runs: Sequence[Run], curves: Sequence[ResponseCurve]) -> list[Run]:
    shown = {
        run
        for curve in curves
        for point in curve.points
        for cell in (point.throughput, point.latency)
        if cell is not None
        for run in cell.runs
    }
    return [run for run in runs if str(run.id) in shown]


def _title(test: str, over: str, runs: Sequence[Run]) -> str:
    """`Random read over threads on epyc-2`."""
    machines = machine_names(runs)
    where = next(iter(machines.values())) if len(machines) == 1 else f"{len(machines)} machines"
    return f"{test_label(test)} over {say_over(over)} on {where}"


def _subtitle(collected: Collected, runs: Sequence[Run], test: str, drawn: Curves) -> str:
    """`fsload 0.1.0 · 1 GiB file · 4 KiB records · ext4, xfs`: that of a table, without the test."""
    parts = [part for part in subtitle(collected.choices, runs).split(" · ") if part != test_label(test)]
    names = ", ".join(curve.label for curve in drawn.curves if curve.label)
    return " · ".join(filter(None, [*parts, drawn.common, names]))


def _axis(metric: str, units: Mapping[str, str]) -> ResponseAxis:
    unit, of = UNITS[units.get(metric) or default_unit(metric)], METRICS[metric]
    return ResponseAxis(metric, metric_label(metric), unit.name, unit.base, unit.per, of.higher_is_better)


LEAST_POINTS = 2  # of a curve, if another one has so many


class Curves(NamedTuple):
    """The curves, notes on rows that are in none, and what all curves have in common of their series."""

    curves: list[ResponseCurve]
    notes: list[str]
    common: str


class _Position(NamedTuple):
    """A row, by its index: its level, and the label of the level."""

    level: float
    label: str
    row: int


def curves_of(selection: ResponseSelection, grid: Pivoted, series: Sequence[str]) -> Curves:
    """The curves in the order of their first rows. Single points are left out beside curves of several."""
    over = grid.rows.names.index(selection.over)
    positions: dict[tuple[str, ...], list[_Position]] = defaultdict(list)
    unplaced = 0
    for row, (key, parts) in enumerate(zip(grid.rows.keys, grid.rows.parts, strict=True)):
        level = level_of(key[over])
        if level is None:
            unplaced += 1
            continue
        label = with_noun(selection.over, parts[selection.over])
        positions[tuple(parts[name] for name in series)].append(_Position(level, label, row))
    several = {key: of_series for key, of_series in positions.items() if len(of_series) >= LEAST_POINTS}
    kept = several or positions
    labels, common = _labels([dict(zip(series, key, strict=True)) for key in kept])
    curves = [
        ResponseCurve(
            label, points := [_point(selection, grid, position) for position in sorted(of_series)], knee_of(points)
        )
        for label, of_series in zip(labels, kept.values(), strict=True)
    ]
    return Curves(curves, _notes(selection, unplaced, len(positions) - len(kept)), common)


def _labels(all_parts: Sequence[Mapping[str, str]]) -> tuple[list[str], str]:
    """The label of each series from what differs, and one from what does not; a file system is always in the first."""
    names = list(all_parts[0]) if all_parts else []
    differing = [name for name in names if len({parts[name] for parts in all_parts}) > 1 or name == "file_system"]
    same = {name: all_parts[0][name] for name in names if name not in differing}
    labels = [joined({name: parts[name] for name in differing}) if differing else "" for parts in all_parts]
    return labels, joined(same) if same else ""


def _notes(selection: ResponseSelection, unplaced: int, single: int) -> list[str]:
    notes = (
        [f"Not drawn: {plural(unplaced, 'row')} without a number of {say_over(selection.over)}."] if unplaced else []
    )
    return [*notes, f"Not drawn: {plural(single, 'single level')} of other settings."] if single else notes


def _point(selection: ResponseSelection, grid: Pivoted, position: _Position) -> ResponsePoint:
    column = {metric: index for index, (metric,) in enumerate(grid.columns.keys)}
    throughput, latency = (
        grid.cells.get((0, position.row, column[metric])) if metric in column else None
        for metric in (selection.metric, selection.latency)
    )
    return ResponsePoint(position.label, position.level, throughput, latency)
