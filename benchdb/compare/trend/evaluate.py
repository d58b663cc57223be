"""What a trend evaluates to: one result of one workload on one machine, run after run, with its change points."""

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
    """The trend as JSON, and by parameter what could be chosen instead. Eight queries, however many runs there are.

    Raises ImpossibleSelection, or NothingThere for a run or machine that is not there for this reader.
    """
    found = find(selection, reader)
    if not found.series:
        raise ImpossibleSelection([_no_series(selection, found)])
    runs = [run for series in found.series for run in series.runs]
    there = available(run.id for run in runs)
    chosen, menus = complete(selection, there)
    filters = {name: [getattr(chosen, name)] for name in ("test", "metric", "file_size", "record_size", "threads")}
    _bound(sum(row["runs"] for row in there if all(row[name] in filters[name] for name in filters)), runs)
    results = measured((run.id for run in runs), filters)
    chosen, own = _of_one_kind(chosen, results, runs)
    menus["params"] = list(dict.fromkeys(canonical(result.params) for result in results))
    menus["file_system"] = found.file_systems
    return build_trend(chosen, found, own), menus


def _bound(results: int, runs: Sequence[Run]) -> None:
    """Raise ImpossibleSelection for more than a request may read; a result has one value a round."""
    values = results * max((run.round_count for run in runs), default=0)
    if values > MOST_VALUES:
        raise ImpossibleSelection(
            [f"This trend would read {values} values of {plural(results, 'result')}, {MOST_VALUES} values at most."]
        )


def _no_series(selection: TrendSelection, found: TrendRuns) -> str:
    if selection.before is not None:
        return "There are no runs before this one. Leave out before=… for the newest."
    names = ", ".join(selection.file_systems)
    return f"No run on {names} shares the settings of this one; vary=… lets settings differ."


def _of_one_kind(
    chosen: TrendSelection, results: Sequence[Measured], runs: Sequence[Run]
) -> tuple[TrendSelection, dict[UUID, Measured]]:
    """One result a run: those with the chosen parameters of their own, else with those that most runs have."""
    kinds = [canonical(result.params) for result in results]
    if chosen.params and chosen.params not in kinds:
        there = ", ".join(dict.fromkeys(kinds)) or "none"
        raise ImpossibleSelection([f"No result has the params {chosen.params}; possible are {there}."])
    wanted = chosen.params or max(dict.fromkeys(kinds), key=kinds.count)
    own = {result.run_id: result for result, kind in zip(results, kinds, strict=True) if kind == wanted}
    return chosen.replace(params=wanted if len(set(kinds)) > 1 or chosen.params else ""), own


def build_trend(selection: TrendSelection, found: TrendRuns, results: Mapping[UUID, Measured]) -> dict[str, Any]:
    """The trend of these results; everything a page or an export shows is in it."""
    unit, metric = UNITS[selection.unit], METRICS[selection.metric]
    shown = [_series(selection, each, results, unit) for each in found.series]
    runs = [run for series in found.series for run in series.runs if run.id in results]
    label = test_label(selection.test)
    return {
        "schema": SCHEMA,
        "title": f"{label} over {'kernels' if selection.by == 'kernel' else 'time'} on {found.origin.machine.name}",
        "subtitle": _subtitle(selection, found),
        "query": _address(selection, found).query(),
        "by": selection.by,
        "test": selection.test,
        "label": label,
        "metric": selection.metric,
        "metric_label": metric_label(selection.metric),
        "higher_is_better": metric.higher_is_better,
        "unit": unit.name,
        "base_unit": unit.base,
        "per": unit.per,
        "series": [series for series in shown if series["runs"]],
        "notes": _notes(found, results),
        "runs": [str(run.id) for run in runs],
        "run_list": [_run_line(run) for run in runs],
        "older": str(min(run.id for run in runs)) if found.older else None,
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


def _subtitle(selection: TrendSelection, found: TrendRuns) -> str:
    """`fsload · ext4 · throughput · 1 GiB file · 64 KiB records`: what all points have in common."""
    nouns = {"file_size": "file", "record_size": "records", "threads": "threads"}
    fixed = {name: getattr(selection, name) for name in nouns}
    places = [
        f"{DIMENSIONS[name].print(value)} {nouns[name]}"
        for name, value in fixed.items()
        if value is not None and (name, value) != ("threads", 1)
    ]
    names = ", ".join(series.file_system for series in found.series)
    return " · ".join([found.origin.tool, names, metric_label(selection.metric), *places])


def _address(selection: TrendSelection, found: TrendRuns) -> TrendSelection:
    """Nothing left open: also a trend that went out from a machine has the address of a run."""
    systems = tuple(series.file_system for series in found.series)
    return selection.replace(run=found.origin.id, machine="", tool="", file_systems=systems)


def _notes(found: TrendRuns, results: Mapping[UUID, Measured]) -> list[str]:
    without = sum(run.id not in results for series in found.series for run in series.runs)
    notes = [f"Left out: {plural(without, 'run')} without this result."] if without else []
    former = sum(result.statistics_version not in (None, STATISTICS_VERSION) for result in results.values())
    if former:
        notes.append(f"The statistics of {plural(former, 'run')} are computed anew; till then the former ones stand.")
    return [*notes, "Older runs are not shown."] if found.older else notes
