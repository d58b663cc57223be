"""What a selection evaluates to: a table of cells with verdicts, best sets and what differs besides the factor."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from benchagent.formats.vocabulary import METRICS
from benchdb.runs.models import Run
from benchdb.runs.numbers import plural
from benchdb.runs.queries import Measured, available, measured
from benchdb.runs.units import UNITS
from benchdb.runs.words import metric_label
from benchdb.stats import STATISTICS_VERSION

from .choices import Choices, complete
from .dimensions import DIMENSIONS, Dimension
from .guard import differences
from .judge import judge
from .pivot import Grid, pivot
from .selection import MOST_RUNS, ImpossibleSelection, NothingThere, Selection

SCHEMA = "benchdb.table/1"
MOST_RESULTS = 5000
MOST_VALUES = 1_000_000


def selected_runs(selection: Selection, reader: Any) -> list[Run]:
    """The runs of a selection that `reader` may see, in the order chosen; one query.

    Raises ImpossibleSelection where the selection names none, NothingThere where one is not there or not to be seen.
    """
    if selection.runs:
        visible = Run.objects.visible_to(reader).with_context()
        found = {run.id: run for run in visible.filter(pk__in=selection.runs)}
        if missing := [str(run) for run in selection.runs if run not in found]:
            raise NothingThere([f"There is no run {', '.join(missing)} that you may see."])
        return [found[run] for run in selection.runs]
    if selection.campaign is None:
        raise ImpossibleSelection(["Choose runs (run=…) or a campaign (campaign=…) to compare."])
    # A campaign is a search, which finds no unlisted run.
    listed = Run.objects.listed_for(reader).of_campaign(selection.campaign).with_context()
    runs = list(listed.order_by("id")[: MOST_RUNS + 1])
    if len(runs) > MOST_RUNS:
        raise ImpossibleSelection([f"This campaign has more than {MOST_RUNS} runs; name those to compare with run=…."])
    if not runs:
        raise NothingThere([f"There is no campaign {selection.campaign} with runs that you may see."])
    return runs


def evaluate(selection: Selection, reader: Any) -> tuple[dict[str, Any], Choices]:
    """The table as JSON, and the choices that led to it. Three queries, however many runs and results there are.

    Raises ImpossibleSelection.
    """
    runs = selected_runs(selection, reader)
    choices = complete(selection, available(run.id for run in runs))
    chosen = choices.selection
    shown = [run for run in runs if not chosen.tool or run.tool == chosen.tool]
    _bound(choices.results, shown)
    results = measured((run.id for run in shown), _filters(chosen))
    table = build_table(choices, shown, results)
    table["notes"] += _left_out(runs, {result.run_id for result in results}, chosen)
    return table, choices


def _left_out(runs: Sequence[Run], with_results: set[UUID], chosen: Selection) -> list[str]:
    """Which of the chosen runs are in no cell, and why."""
    other = [run for run in runs if chosen.tool and run.tool != chosen.tool]
    without = [run for run in runs if run not in other and run.id not in with_results]
    notes = []
    if other and chosen.campaign is None:  # a campaign has the runs of all its tools
        tools = ", ".join(dict.fromkeys(run.tool for run in other))
        notes.append(f"Left out: {plural(len(other), 'run')} of another tool ({tools}).")
    if without:
        notes.append(f"Left out: {plural(len(without), 'run')} without a result for what is chosen.")
    return notes


def _bound(results: int, runs: Sequence[Run]) -> None:
    """Raise ImpossibleSelection for more than a page can hold or a request may compute."""
    if results > MOST_RESULTS:
        raise ImpossibleSelection(
            [f"This table would hold {results} results, {MOST_RESULTS} at most: choose fewer runs, tests or sizes."]
        )
    values = results * max((run.round_count for run in runs), default=0)
    if values > MOST_VALUES:
        raise ImpossibleSelection(
            [f"This table would compare {values} values, {MOST_VALUES} at most: choose fewer runs, tests or sizes."]
        )


def _filters(selection: Selection) -> dict[str, Sequence[Any]]:
    """The conditions on results; a size or thread count that is None means results without one."""
    filters: dict[str, Sequence[Any]] = {"metric": [selection.metric]}
    if selection.tests:
        filters["test"] = selection.tests
    pivots = {selection.rows, selection.columns, selection.split}
    for name in ("file_size", "record_size", "threads"):
        if name not in pivots:
            filters[name] = [getattr(selection, name)]
    return filters


def build_table(choices: Choices, runs: Sequence[Run], results: Sequence[Measured]) -> dict[str, Any]:
    """The table of these results; everything a page, an export or a permalink shows is in it."""
    selection = choices.selection
    by_id = {run.id: run for run in runs}
    grid = pivot(selection, by_id, results, UNITS[choices.unit])
    baseline = _baseline(selection, grid)
    higher_is_better = METRICS[selection.metric].higher_is_better
    judge(grid, baseline, higher_is_better=higher_is_better)
    factor = DIMENSIONS[selection.rows]
    return {
        "schema": SCHEMA,
        "title": _title(grid, runs),
        "subtitle": _subtitle(selection, runs),
        "query": selection.replace(unit=choices.unit, baseline=grid.row_labels[baseline]).query(),
        "rows": {"name": factor.name, "label": factor.label},
        "columns": {"name": selection.columns, "label": DIMENSIONS[selection.columns].label},
        "split": selection.split and {"name": selection.split, "label": DIMENSIONS[selection.split].label},
        "metric": selection.metric,
        "unit": choices.unit,
        "base_unit": UNITS[choices.unit].base,
        "per": UNITS[choices.unit].per,
        "higher_is_better": higher_is_better,
        "baseline": grid.row_labels[baseline],
        "heads": grid.column_labels,
        "groups": [
            {
                "label": label,
                "n": _n_line(cells),
                "rows": [
                    {"label": grid.row_labels[i], "baseline": i == baseline, "cells": cells[i]}
                    for i in range(len(grid.row_labels))
                ],
            }
            for label, cells in zip(grid.split_labels, grid.cells, strict=True)
        ],
        "differences": differences(selection, runs),
        "notes": grid.notes,
        "runs": [str(run.id) for run in runs],
        "run_list": [_run_line(run, factor) for run in runs],
        "computing": [str(run.id) for run in runs if run.runstate.state in ("received", "computing")],
        "statistics_version": STATISTICS_VERSION,
    }


def _baseline(selection: Selection, grid: Grid) -> int:
    """The baseline's row: the one chosen, or the first. Raises ImpossibleSelection for one that is not there."""
    if not selection.baseline:
        return 0
    if selection.baseline not in grid.row_labels:
        there = ", ".join(grid.row_labels)
        raise ImpossibleSelection([f"baseline cannot be {selection.baseline!r}; possible are {there}."])
    return grid.row_labels.index(selection.baseline)


def _title(grid: Grid, runs: Sequence[Run]) -> str:
    machines = list(dict.fromkeys(run.machine.name for run in runs))
    where = machines[0] if len(machines) == 1 else f"{len(machines)} machines"
    return f"{', '.join(grid.row_labels)} on {where}"


def _subtitle(selection: Selection, runs: Sequence[Run]) -> str:
    """`iozone 3.489 · throughput · 1 GiB file · 1 MiB records`: what all cells have in common."""
    versions = list(dict.fromkeys(f"{run.tool} {run.tool_version or ''}".strip() for run in runs))
    pivots = {selection.rows, selection.columns, selection.split}
    tests = [DIMENSIONS["test"].print(test) for test in selection.tests] if "test" not in pivots else []
    nouns = {"file_size": "file", "record_size": "records", "threads": "threads"}
    fixed = {name: getattr(selection, name) for name in nouns if name not in pivots}
    if fixed.get("threads") == 1:  # goes without saying
        del fixed["threads"]
    places = [f"{DIMENSIONS[name].print(value)} {nouns[name]}" for name, value in fixed.items() if value is not None]
    return " · ".join([", ".join(versions), metric_label(selection.metric), *tests, *places])


def _n_line(cells: Sequence[Sequence[Any]]) -> str:
    """`n = 10 rounds`, `n = 9 to 10 rounds`, `n = 3 runs`, `n = 3 runs or 10 rounds`."""
    counted: dict[str, set[int]] = {"run": set(), "round": set()}
    for cell in (cell for row in cells for cell in row if cell and cell["n"]):
        counted["run" if len(cell["runs"]) > 1 else "round"].add(cell["n"])
    said = [_counted(counts, noun) for noun, counts in counted.items() if counts]
    return f"n = {' or '.join(said)}" if said else ""


def _counted(counts: set[int], noun: str) -> str:
    low, high = min(counts), max(counts)
    return f"{low if low == high else f'{low} to {high}'} {noun}{'' if high == 1 else 's'}"


def _run_line(run: Run, factor: Dimension) -> dict[str, Any]:
    shown = factor if factor.of_run else DIMENSIONS["file_system"]
    return {
        "id": str(run.id),
        "label": shown.print(shown.of_run(run)) if shown.of_run else "",
        "machine": run.machine.name,
        "started_at": run.started_at.isoformat(),
        "rounds": run.round_count,
        "tool": " ".join(filter(None, [run.tool, run.tool_version])),
        "command": shlex.join(run.command),
    }
