"""Record size × file size of one test: of one run, or of two with their ratio. Holes where nothing was measured."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from typing import Any

from benchagent.formats.vocabulary import METRICS, test_label
from benchdb import __version__
from benchdb.compare.content import MOST_CELLS, Measure
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.query.runs import run_line, selected_runs
from benchdb.compare.query.selection import CORRECTIONS, MARGIN, Selection
from benchdb.compare.verdicts.pairs import LEVEL, judge_pairs
from benchdb.runs.cells.cell import Cell, cells_of
from benchdb.runs.cells.grids import grids
from benchdb.runs.models import Run
from benchdb.runs.queries import Measured, measured
from benchdb.stats import STATISTICS_VERSION
from benchdb.wording.sizes import say_size
from benchdb.wording.units import UNITS, Unit, default_unit, possible

from .averages import SurfaceCells
from .cache_marks import marks
from .content import SCHEMA, derived
from .factor import differences_of, factor_of, labels_of
from .selection import SurfaceSelection

__all__ = ["SurfaceSelection", "evaluate_surface"]

ResultGrid = dict[tuple[str, str], list[Measured]]


def evaluate_surface(selection: SurfaceSelection, reader: Any) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """The surface as JSON, and the (test, metric) pairs that all chosen runs have a surface of. Two queries.

    Raises NothingThere where there is no such run for this reader, ImpossibleSelection where they have no such surface.
    """
    runs = selected_runs(Selection(runs=selection.runs), reader)
    results = measured(run.id for run in runs)
    found = [grids([result for result in results if result.run_id == run.id]) for run in runs]
    common = [key for key in found[0] if all(key in each for each in found)]
    test, metric = _chosen(selection, runs, found, common)
    unit = _unit(metric, selection.unit)
    chosen = SurfaceSelection(selection.runs, test, metric, unit, selection.statistic)
    return build_surface(chosen, runs, [each[test, metric] for each in found]), common


def _chosen(
    selection: SurfaceSelection, runs: Sequence[Run], found: Sequence[ResultGrid], common: Sequence[tuple[str, str]]
) -> tuple[str, str]:
    """Test and metric: those asked for, else throughput, else what comes first in the first run's document."""
    fit = [key for key in common if selection.test in ("", key[0]) and selection.metric in ("", key[1])]
    if fit:
        return min(fit, key=lambda key: key[1] != "throughput")
    asked = f"{selection.test or 'any test'} ({selection.metric or 'any metric'})"
    if len(runs) > 1 and not common:
        each = "; ".join(f"{run.id} has {_names(own)}" for run, own in zip(runs, found, strict=True))
        raise ImpossibleSelection([f"These runs have no surface of the same test and metric: {each}."])
    who = "This run has" if len(runs) == 1 else "These runs have"
    raise ImpossibleSelection([f"{who} no surface of {asked}. Possible are {_names(common)}."])


def _names(keys: Iterable[tuple[str, str]]) -> str:
    names = ", ".join(f"{test} ({metric})" for test, metric in keys)
    return names or "none; it takes two record sizes and two file sizes"


def _unit(metric: str, chosen: str) -> str:
    units = possible(METRICS[metric].unit)
    if chosen and chosen not in units:
        raise ImpossibleSelection([f"{metric} cannot be shown in {chosen!r}; possible are {', '.join(units)}."])
    return chosen or default_unit(metric)


def build_surface(
    selection: SurfaceSelection, runs: Sequence[Run], results: Sequence[Sequence[Measured]]
) -> dict[str, Any]:
    """The surfaces of these results of one test, a list a run: docs/surfaces.md, "Schema"."""
    shown = UNITS[selection.unit]
    higher_is_better = METRICS[selection.metric].higher_is_better
    measure = Measure(selection.metric, shown.name, shown.base, shown.per, higher_is_better)
    file_sizes = sorted({size for own in results for result in own if (size := result.file_size) is not None})
    record_sizes = sorted({size for own in results for result in own if (size := result.record_size) is not None})
    _bound(len(file_sizes), len(record_sizes))
    cells = [_placed(run, own, file_sizes, record_sizes, shown) for run, own in zip(runs, results, strict=True)]
    if len(runs) > 1:
        _judge(cells, higher_is_better=higher_is_better)
    factor = factor_of(runs)
    labels = labels_of(runs, factor)
    lines = [run_line(run, [factor], own[0].parser_version) for run, own in zip(runs, results, strict=True)]
    content = {
        "schema": SCHEMA,
        "title": f"{test_label(selection.test)}: record size × file size",
        "subtitle": _subtitle(runs, labels),
        "test": selection.test,
        "label": test_label(selection.test),
        "statistic": selection.statistic,
        **measure._asdict(),
        "margin": MARGIN,
        "level": LEVEL,
        "correction": CORRECTIONS[0],
        "file_sizes": file_sizes,
        "file_labels": [say_size(size) for size in file_sizes],
        "record_sizes": record_sizes,
        "record_labels": [say_size(size) for size in record_sizes],
        "surfaces": [_surface(*each) for each in zip(runs, labels, cells, strict=True)],
        "marks": marks(runs),
        "factor": factor,
        "differences": differences_of(runs, factor, labels),
        "notes": _notes(results),
        "runs": [str(run.id) for run in runs],
        "run_list": [{**line, "label": label} for line, label in zip(lines, labels, strict=True)],
        "query": selection.query(),
        "computing": [str(run.id) for run in runs if run.runstate.state in ("received", "computing")],
        "recomputing": sorted({str(result.run_id) for own in results for result in own if result.outdated}),
        "statistics_version": STATISTICS_VERSION,
        "benchdb_version": __version__,
    }
    return derived(content)


def _bound(file_sizes: int, record_sizes: int) -> None:
    """Raise ImpossibleSelection for a grid larger than a page can hold, empty as most of it may be."""
    if file_sizes * record_sizes > MOST_CELLS:
        size = f"{file_sizes} file sizes × {record_sizes} record sizes"
        raise ImpossibleSelection(
            [f"A surface of {size} would have more than {MOST_CELLS} places; compare in a table."]
        )


def _surface(run: Run, label: str, cells: SurfaceCells) -> dict[str, Any]:
    command = shlex.join(run.command)
    return {"run": str(run.id), "label": label, "command": command, "rounds": run.round_count, "cells": cells}


def _placed(
    run: Run, results: Sequence[Measured], file_sizes: Sequence[int], record_sizes: Sequence[int], shown: Unit
) -> list[list[Cell | None]]:
    """`[i][j]` is file size i, record size j; None is a hole."""
    sizes = [(result.file_size, result.record_size) for result in results]
    place = dict(zip(sizes, cells_of(results, shown, {run.id: run}), strict=True))
    return [[place.get((file_size, record_size)) for record_size in record_sizes] for file_size in file_sizes]


def _judge(cells: Sequence[SurfaceCells], *, higher_is_better: bool) -> None:
    """Give the second run's cells their `verdict` against the first's; the grid is one family."""
    places = [(own, against) for lines in zip(*cells, strict=True) for against, own in zip(*lines, strict=True)]
    pairs = [(own, against) for own, against in places if own is not None and against is not None]
    if pairs:
        judge_pairs(pairs, higher_is_better=higher_is_better)


def _subtitle(runs: Sequence[Run], labels: Sequence[str]) -> str:
    """`iozone 3.489 · ext4 and xfs · epyc-2`: each part said once where both runs have it."""
    tools = dict.fromkeys(" ".join(filter(None, [run.tool, run.tool_version])) for run in runs)
    systems = dict.fromkeys(run.target.file_system or "unknown file system" for run in runs)
    machines = dict.fromkeys(run.machine.name for run in runs)
    told = [" and ".join(each) for each in (tools, systems, machines)]
    compared = " and ".join(labels)
    return " · ".join(told if len(runs) == 1 or compared in told else [*told, compared])


def _notes(results: Sequence[Sequence[Measured]]) -> list[str]:
    kinds = [(own[0].threads or 1, own[0].params) for own in results]
    same = all(kind == kinds[0] for kind in kinds)
    return [] if same else ["The two runs were measured with different threads or parameters."]
