"""Builds the content of response curves from results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from benchagent.formats.vocabulary import METRICS, test_label
from benchdb import __version__
from benchdb.compare.guard import differences, shared_facts
from benchdb.compare.guard.levels import say_over
from benchdb.compare.guard.mixed import mixtures, without_figure
from benchdb.compare.query.dimensions import dimension, labels_of_runs
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.query.runs import run_line
from benchdb.compare.query.selection import MARGIN
from benchdb.compare.table.evaluate import Collected
from benchdb.compare.table.pivot import Pivoted, pivot
from benchdb.compare.table.titles import subtitle
from benchdb.runs.cells.cell import Cell
from benchdb.runs.models import UNFINISHED, Run
from benchdb.stats import STATISTICS_VERSION
from benchdb.stats.comparing.baseline import LEVEL
from benchdb.wording.units import UNITS, default_unit
from benchdb.wording.words import metric_label

from .content import SCHEMA, ResponseAxis, ResponseContent, ResponseCurve
from .curves import Curves, curves_of
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
            run_line(run, label, versions[run.id])
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
    machines = {run.machine_id: run.machine.name for run in runs}
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
