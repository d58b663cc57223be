"""Evaluates a surface: record size × file size of one test, for up to eight runs, and the ratio of two."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import replace
from urllib.parse import urlencode

from django.utils.text import get_text_list

from benchagent.formats.vocabulary import METRICS, test_label
from benchdb import __version__
from benchdb.compare.content import MOST_CELLS, Difference
from benchdb.compare.guard import differences, shared_facts
from benchdb.compare.guard.distinguishing import distinguishing
from benchdb.compare.query.dimensions import labels_of_runs
from benchdb.compare.query.errors import ImpossibleSelection, NothingThere
from benchdb.compare.query.runs import absent, machine_names, run_line, selected_runs
from benchdb.compare.query.selection import CORRECTIONS, MARGIN, Selection
from benchdb.compare.verdicts.pairs import LEVEL, compare_sides, stack, verdicts_of
from benchdb.http.requests import Reader
from benchdb.runs.cells.cell import Cell, cells_of
from benchdb.runs.cells.grids import grids
from benchdb.runs.costs import before_places, before_results
from benchdb.runs.models import UNFINISHED, Run
from benchdb.runs.queries import Measured, measured
from benchdb.stats import STATISTICS_VERSION
from benchdb.wording.sizes import say_size
from benchdb.wording.units import UNITS, Unit, default_unit, possible

from .averages import SurfaceCells
from .cache_marks import marks
from .content import SCHEMA, RunSurface, SurfaceContent, derived
from .selection import SurfaceSelection
from .shape import shape_findings

__all__ = ["SurfaceSelection", "evaluate_surface"]

ResultGrid = dict[tuple[str, str], list[Measured]]


def evaluate_surface(selection: SurfaceSelection, reader: Reader) -> tuple[SurfaceContent, list[tuple[str, str]]]:
    """The surface, and the (test, metric) pairs for which all chosen runs have a surface. Two queries.

    Raises NothingThere if this reader may see no such run, ImpossibleSelection if the runs have no such surface, and
    MustWait.
    """
    runs = selected_runs(named := Selection(runs=selection.runs), reader)
    if missing := absent(named, runs):
        raise NothingThere([f"There is no run {', '.join(map(str, missing))} that you may see."])
    before_results(runs)
    results = measured(run.id for run in runs)
    grids_of_runs = [grids([result for result in results if result.run_id == run.id]) for run in runs]
    common = [key for key in grids_of_runs[0] if all(key in grid for grid in grids_of_runs)]
    test, metric = _chosen(selection, runs, grids_of_runs, common)
    unit = _unit(metric, selection.unit)
    chosen = SurfaceSelection(selection.runs, test, metric, unit, selection.statistic, selection.colours)
    return build_surface(chosen, runs, [grid[test, metric] for grid in grids_of_runs]), common


def _chosen(
    selection: SurfaceSelection,
    runs: Sequence[Run],
    grids_of_runs: Sequence[ResultGrid],
    common: Sequence[tuple[str, str]],
) -> tuple[str, str]:
    """Test and metric: the selected ones, else throughput, else the first ones in the first run's document."""
    candidates = [key for key in common if selection.test in ("", key[0]) and selection.metric in ("", key[1])]
    if candidates:
        return min(candidates, key=lambda key: key[1] != "throughput")
    wanted = f"{selection.test or 'any test'} ({selection.metric or 'any metric'})"
    if len(runs) > 1 and not common:
        possible = "; ".join(f"{run.id} has {_names(grid)}" for run, grid in zip(runs, grids_of_runs, strict=True))
        raise ImpossibleSelection([f"These runs have no surface of the same test and metric: {possible}."])
    subject = "This run has" if len(runs) == 1 else "These runs have"
    raise ImpossibleSelection([f"{subject} no surface of {wanted}. Possible are {_names(common)}."])


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
) -> SurfaceContent:
    """The content for the results of one test, a list a run: docs/surfaces.md, "Schema"."""
    unit = UNITS[selection.unit]
    higher_is_better = METRICS[selection.metric].higher_is_better
    file_sizes = sorted({size for of_run in results for result in of_run if (size := result.file_size) is not None})
    record_sizes = sorted({size for of_run in results for result in of_run if (size := result.record_size) is not None})
    _bound(len(file_sizes), len(record_sizes))
    before_places(sum(map(len, results)))
    cells = [_placed(run, of_run, file_sizes, record_sizes, unit) for run, of_run in zip(runs, results, strict=True)]
    if len(runs) == 2:
        cells[1] = _judged(*cells, higher_is_better=higher_is_better)
    # The dimension that distinguishes the runs; `file_system` for one run, `run` for equal ones.
    factor = next(iter(distinguishing(runs)), SAME) if len(runs) > 1 else ONLY_RUN
    labels = labels_of(runs, factor)
    lines = [
        run_line(run, label, of_run[0].parser_version, machines)
        for machines in [machine_names(runs)]
        for run, label, of_run in zip(runs, labels, results, strict=True)
    ]
    content = SurfaceContent(
        schema=SCHEMA,
        title=f"{test_label(selection.test)}: record size × file size",
        subtitle=_subtitle(runs, labels),
        test=selection.test,
        label=test_label(selection.test),
        statistic=selection.statistic,
        metric=selection.metric,
        unit=unit.name,
        base_unit=unit.base,
        per=unit.per,
        higher_is_better=higher_is_better,
        margin=MARGIN,
        level=LEVEL,
        correction=CORRECTIONS[0],
        file_sizes=file_sizes,
        file_labels=[say_size(size) for size in file_sizes],
        record_sizes=record_sizes,
        record_labels=[say_size(size) for size in record_sizes],
        surfaces=[
            RunSurface(str(run.id), label, shlex.join(run.command), run.round_count, lines, averages=[])
            for run, label, lines in zip(runs, labels, cells, strict=True)
        ],
        marks=marks(runs),
        factor=factor,
        differences=differences_of(runs, factor, labels),
        shared=shared_facts(runs),
        notes=_notes(results),
        runs=[str(run.id) for run in runs],
        run_list=lines,
        query=selection.query(),
        computing=[str(run.id) for run in runs if run.runstate.state in UNFINISHED],
        recomputing=sorted({str(result.run_id) for of_run in results for result in of_run if result.outdated}),
        statistics_version=STATISTICS_VERSION,
        ratio_averages=[],
        benchdb_version=__version__,
    )
    content = derived(content)
    return replace(content, shape=shape_findings(content))


def _bound(file_sizes: int, record_sizes: int) -> None:
    """Raise ImpossibleSelection for a grid that is too large for a page, even if most of it is empty."""
    if file_sizes * record_sizes > MOST_CELLS:
        size = f"{file_sizes} file sizes × {record_sizes} record sizes"
        raise ImpossibleSelection(
            [f"A surface of {size} would have more than {MOST_CELLS} places; compare in a table."]
        )


def _placed(
    run: Run, results: Sequence[Measured], file_sizes: Sequence[int], record_sizes: Sequence[int], unit: Unit
) -> list[list[Cell | None]]:
    """The cells of a run: `[i][j]` is file size i, record size j; None if nothing was measured."""
    sizes = [(result.file_size, result.record_size) for result in results]
    by_size = dict(zip(sizes, cells_of(results, unit, {run.id: run}), strict=True))
    return [[by_size.get((file_size, record_size)) for record_size in record_sizes] for file_size in file_sizes]


def _judged(baseline: SurfaceCells, compared: SurfaceCells, *, higher_is_better: bool) -> list[list[Cell | None]]:
    """The compared cells with their verdicts against those of the baseline; the grid is one family."""
    lines = enumerate(zip(baseline, compared, strict=True))
    both = {
        (i, j): (cell, against)
        for i, (base_line, line) in lines
        for j, (against, cell) in enumerate(zip(base_line, line, strict=True))
        if cell is not None and against is not None
    }
    if not both:
        return [[*line] for line in compared]
    firsts, seconds = zip(*both.values(), strict=True)
    comparisons = compare_sides((stack(firsts), stack(seconds)), higher_is_better)
    verdicts = dict(zip(both, verdicts_of(comparisons, firsts), strict=True))
    return [
        [cell and replace(cell, verdict=verdicts.get((i, j))) for j, cell in enumerate(line)]
        for i, line in enumerate(compared)
    ]


def _subtitle(runs: Sequence[Run], labels: Sequence[str]) -> str:
    """`iozone 3.489 · ext4 and xfs · epyc-2`: tools, file systems and machines, equal ones once."""
    tools = dict.fromkeys(" ".join(filter(None, [run.tool, run.tool_version])) for run in runs)
    systems = dict.fromkeys(run.target.file_system or "unknown file system" for run in runs)
    machines = machine_names(runs).values()
    parts = [get_text_list(list(names), "and") for names in (tools, systems, machines)]
    compared = get_text_list(list(labels), "and")
    return " · ".join(parts if len(runs) == 1 or compared in parts else [*parts, compared])


def _notes(results: Sequence[Sequence[Measured]]) -> list[str]:
    kinds = [(of_run[0].threads or 1, of_run[0].params) for of_run in results]
    same = all(kind == kinds[0] for kind in kinds)
    return [] if same else ["The runs were measured with different threads or parameters."]


ONLY_RUN = "file_system"  # the factor of one run
SAME = "run"  # the factor of runs that differ in no dimension


def labels_of(runs: Sequence[Run], factor: str) -> list[str]:
    """The label of each run on its page: `ext4`; the times of start if the runs are equal."""
    if factor == SAME:
        return [f"{run.started_at:%-d %b %Y %H:%M} UTC, …{str(run.id)[-4:]}" for run in runs]
    labels = labels_of_runs([factor], runs)
    return [
        label if labels.count(label) == 1 else f"{label}, …{str(run.id)[-4:]}"
        for label, run in zip(labels, runs, strict=True)
    ]


def differences_of(runs: Sequence[Run], factor: str, labels: Sequence[str]) -> list[Difference]:
    """The other differences between the runs, in the form of `guard.differences`; `where` are the labels."""
    if len(runs) == 1:
        return []
    selection = Selection.parse(urlencode([("rows", factor), ("columns", "test")]))
    named = {str(run.id): label for run, label in zip(runs, labels, strict=True)}
    return [
        replace(
            difference,
            values=[
                replace(value, where=[named.get(where, where) for where in value.where]) for value in difference.values
            ],
        )
        for difference in differences(selection, runs)
    ]
