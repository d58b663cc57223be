"""Evaluates a trend: one result of one workload on one machine, run after run, with its change points."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from benchagent.formats.vocabulary import METRICS, test_label
from benchdb import __version__
from benchdb.compare.query.dimensions import DIMENSIONS
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.runs.cells.cell import Cell, cells_of
from benchdb.runs.models import Run
from benchdb.runs.queries import Measured, available, measured
from benchdb.stats import STATISTICS_VERSION
from benchdb.wording.numbers import plural
from benchdb.wording.units import UNITS, Unit
from benchdb.wording.words import metric_label

from .complete import Menus, complete
from .history import history
from .order import in_order
from .runs import Series, TrendRuns, find, print_file_system
from .selection import TrendSelection, canonical

SCHEMA = "benchdb.trend/1"
MOST_VALUES = 1_000_000


def evaluate_trend(selection: TrendSelection, reader: Any) -> tuple[dict[str, Any], Menus]:
    """The trend as JSON, and the possible values of each parameter. Eight queries, for any number of runs.

    Raises ImpossibleSelection, and NothingThere if this reader may see no such run or machine.
    """
    trend = find(selection, reader)
    if not trend.series:
        raise ImpossibleSelection([_no_series(selection, trend)])
    runs = [run for series in trend.series for run in series.runs]
    rows = available(run.id for run in runs)
    chosen, menus = complete(selection, rows)
    filters = {name: [getattr(chosen, name)] for name in ("test", "metric", "file_size", "record_size", "threads")}
    _bound(sum(row["runs"] for row in rows if all(row[name] in filters[name] for name in filters)), runs)
    results = measured((run.id for run in runs), filters)
    chosen, of_runs = _of_one_kind(chosen, results, runs)
    menus["params"] = list(dict.fromkeys(canonical(result.params) for result in results))
    menus["file_system"] = trend.file_systems
    return build_trend(chosen, trend, of_runs), menus


def _bound(results: int, runs: Sequence[Run]) -> None:
    """Raise ImpossibleSelection for more values than a request may read; a result has one value a round."""
    values = results * max((run.round_count for run in runs), default=0)
    if values > MOST_VALUES:
        raise ImpossibleSelection(
            [f"This trend would read {values} values of {plural(results, 'result')}, {MOST_VALUES} values at most."]
        )


def _no_series(selection: TrendSelection, trend: TrendRuns) -> str:
    if selection.before is not None:
        return "There are no runs before this one. Leave out before=… for the newest."
    names = ", ".join(selection.file_systems)
    return f"No run on {names} shares the settings of this one; vary=… lets settings differ."


def _of_one_kind(
    chosen: TrendSelection, results: Sequence[Measured], runs: Sequence[Run]
) -> tuple[TrendSelection, dict[UUID, Measured]]:
    """One result a run: the result with the selected params, else with the params that most runs have."""
    kinds = [canonical(result.params) for result in results]
    if chosen.params and chosen.params not in kinds:
        possible = ", ".join(dict.fromkeys(kinds)) or "none"
        raise ImpossibleSelection([f"No result has the params {chosen.params}; possible are {possible}."])
    wanted = chosen.params or max(dict.fromkeys(kinds), key=kinds.count)
    of_runs = {result.run_id: result for result, kind in zip(results, kinds, strict=True) if kind == wanted}
    return chosen.replace(params=wanted if len(set(kinds)) > 1 or chosen.params else ""), of_runs


def build_trend(selection: TrendSelection, trend: TrendRuns, results: Mapping[UUID, Measured]) -> dict[str, Any]:
    """The trend of these results, with everything that pages and exports show."""
    unit, metric = UNITS[selection.unit], METRICS[selection.metric]
    contents = [_series(selection, series, results, unit) for series in trend.series]
    runs = [run for series in trend.series for run in series.runs if run.id in results]
    label = test_label(selection.test)
    return {
        "schema": SCHEMA,
        "title": f"{label} over {'kernels' if selection.by == 'kernel' else 'time'} on {trend.origin.machine.name}",
        "subtitle": _subtitle(selection, trend),
        "query": _address(selection, trend).query(),
        "by": selection.by,
        "test": selection.test,
        "label": label,
        "metric": selection.metric,
        "metric_label": metric_label(selection.metric),
        "higher_is_better": metric.higher_is_better,
        "unit": unit.name,
        "base_unit": unit.base,
        "per": unit.per,
        "series": [series for series in contents if series["runs"]],
        "notes": _notes(trend, results),
        "runs": [str(run.id) for run in runs],
        "run_list": [_run_line(run) for run in runs],
        "older": str(min(run.id for run in runs)) if trend.older else None,
        "computing": [str(run.id) for run in runs if run.runstate.state in ("received", "computing")],
        "statistics_version": STATISTICS_VERSION,
        "benchdb_version": __version__,
    }


def _series(selection: TrendSelection, series: Series, results: Mapping[UUID, Measured], unit: Unit) -> dict[str, Any]:
    """One line of the chart: `cells[i]` belongs to the run `runs[i]`."""
    runs = in_order([run for run in series.runs if run.id in results], selection.by)
    cells: list[Cell] = cells_of([results[run.id] for run in runs], unit, {run.id: run for run in runs})
    return {
        "label": series.file_system,
        "runs": [str(run.id) for run in runs],
        "cells": cells,
        **history(selection, runs, cells),
        "others": [
            {"names": list(names), "label": ", ".join(DIMENSIONS[name].label for name in names), "runs": number}
            for names, number in series.others.items()
        ],
    }


def _run_line(run: Run) -> dict[str, Any]:
    return {
        "id": str(run.id),
        "label": print_file_system(run),
        "machine": run.machine.name,
        "started_at": run.started_at.isoformat(),
        "kernel": run.environment.kernel_release or "unknown",
        "rounds": run.round_count,
        "tool": " ".join(filter(None, [run.tool, run.tool_version])),
        "command": shlex.join(run.command),
        "parse": run.runstate.current_parse,
    }


def _subtitle(selection: TrendSelection, trend: TrendRuns) -> str:
    """`fsload · ext4 · throughput · 1 GiB file · 64 KiB records`: the common properties of all points."""
    nouns = {"file_size": "file", "record_size": "records", "threads": "threads"}
    fixed = {name: getattr(selection, name) for name in nouns}
    texts = [
        f"{DIMENSIONS[name].print(value)} {nouns[name]}"
        for name, value in fixed.items()
        if value is not None and (name, value) != ("threads", 1)
    ]
    names = ", ".join(series.file_system for series in trend.series)
    return " · ".join([trend.origin.tool, names, metric_label(selection.metric), *texts])


def _address(selection: TrendSelection, trend: TrendRuns) -> TrendSelection:
    """The selection with nothing left open: a run instead of a machine."""
    systems = tuple(series.file_system for series in trend.series)
    return selection.replace(run=trend.origin.id, machine="", tool="", file_systems=systems)


def _notes(trend: TrendRuns, results: Mapping[UUID, Measured]) -> list[str]:
    without = sum(run.id not in results for series in trend.series for run in series.runs)
    notes = [f"Left out: {plural(without, 'run')} without this result."] if without else []
    former = sum(result.statistics_version not in (None, STATISTICS_VERSION) for result in results.values())
    if former:
        notes.append(f"The statistics of {plural(former, 'run')} are computed anew; till then the former ones stand.")
    return [*notes, "Older runs are not shown."] if trend.older else notes
