"""Builds the content of a table: cells with verdicts and best sets, findings, and differences besides the factor."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from benchagent.formats.vocabulary import METRICS
from benchdb import __version__
from benchdb.compare.content import MOST_CELLS, Measure
from benchdb.compare.guard import differences, shared_facts, unlike_runs
from benchdb.compare.query.dimensions import dimension, label_of, labels_of_runs
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.query.runs import run_line
from benchdb.compare.query.selection import Selection
from benchdb.compare.table.findings import findings
from benchdb.compare.verdicts.blocks import campaigns_of
from benchdb.compare.verdicts.order import warnings_of_order
from benchdb.compare.verdicts.pairs import LEVEL, Stacked, stack
from benchdb.compare.verdicts.tails import NO_DISTRIBUTIONS, Distributions, tail_verdicts
from benchdb.runs.cells.cell import Cell, text_of_statistic
from benchdb.runs.cells.verdict import TailVerdict
from benchdb.runs.models import UNFINISHED, Run
from benchdb.runs.queries import Measured
from benchdb.stats import STATISTICS_VERSION
from benchdb.wording.units import UNITS

from .complete import Choices
from .content import SCHEMA, AxisName, TableContent, TableGroup, TablePart, TableRow
from .factor import Factor, factor_of
from .grid import grid_of
from .judge import Judged, judge
from .mixed import Mixture, mixtures, without_figure
from .pivot import AxisKey, CellGrid, CellKey, TableAxis, pivot
from .sorting.rows import refuse_impossible_sort
from .titles import n_line, subtitle, title


def build_table(
    choices: Choices,
    runs: Sequence[Run],
    results: Sequence[Measured],
    notes: list[str],
    distributions: Distributions = NO_DISTRIBUTIONS,
) -> TableContent:
    """The table of these results, with everything that pages, exports and permalinks show; `notes` are its last notes.

    Raises ImpossibleSelection if the table has no such baseline or column to sort by, or too many cells for a page.
    """
    selection = choices.selection
    grid = pivot(selection, {run.id: run for run in runs}, results, choices.units)
    _bound(grid)
    mixed = mixtures(selection, runs, (cell.runs for cell in grid.cells.values()))
    grid = replace(grid, cells={key: _to_compare(cell, mixed) for key, cell in grid.cells.items()})
    # A run without a cell counts for no difference, and sharing the table needs no consent to show it.
    ids_with_cells = {run for cell in grid.cells.values() for run in cell.runs}
    runs = [run for run in runs if str(run.id) in ids_with_cells]
    factor = factor_of(grid, selection.factor_names)
    baseline = _baseline(selection, factor)
    stacked = Stacked(grid.cells, stack([*grid.cells.values()], campaigns_of(runs)))
    judged = judge(stacked, factor, baseline, margin=selection.margin, correction=selection.correction)
    tails = tail_verdicts(
        stacked,
        judged.verdicts,
        judged.against,
        distributions,
        margin=selection.margin,
        correction=selection.correction,
    )
    grid = replace(grid, cells=_final_cells(choices, runs, grid, judged, tails))
    parser_versions = {result.run_id: result.parser_version for result in results}
    content = TableContent(
        schema=SCHEMA,
        title=title(selection, factor, runs),
        subtitle=subtitle(choices, runs),
        query=_query(choices, ids_with_cells, factor.labels[baseline]),
        factor=AxisName(list(factor.names), label_of(factor.names)),
        rows=_named(grid.rows),
        columns=_named(grid.columns),
        split=_named(grid.split) if grid.split.names else None,
        statistic=selection.statistic,
        margin=selection.margin,
        level=LEVEL,
        correction=selection.correction,
        baseline=factor.labels[baseline],
        heads=_heads(choices, grid, factor, baseline),
        groups=_groups(choices, grid, factor, baseline),
        geometric_means=list(judged.means),
        across_machines=list(judged.across_machines),
        findings=[],
        differences=differences(selection, runs, _rivals(grid, factor)),
        shared=shared_facts(runs),
        warnings=warnings_of_order(runs, grid.cells.values()),
        notes=[*choices.notes, *grid.notes, *notes, *_nothing_compared(factor, judged)],
        runs=[str(run.id) for run in runs],
        run_list=[
            run_line(run, label, parser_versions[run.id])
            for run, label in zip(runs, _run_labels(factor, runs), strict=True)
        ],
        computing=[str(run.id) for run in runs if run.runstate.state in UNFINISHED],
        recomputing=sorted({str(result.run_id) for result in results if result.outdated}),
        statistics_version=STATISTICS_VERSION,
        benchdb_version=__version__,
    )
    refuse_impossible_sort(content)
    in_order = [key for key in grid.places() if key in grid.cells]
    columns = stacked.columns.take(stacked.indices(in_order))  # verdicts play no part in the tests
    return replace(content, findings=findings(grid_of(content), columns))


def _rivals(grid: CellGrid, factor: Factor) -> set[frozenset[str]]:
    """The ids of the runs whose cells are compared with each other, for each place of the table."""
    return {
        frozenset(run for key in keys if key in grid.cells for run in grid.cells[key].runs)
        for keys in factor.rivals.values()
    }


def _nothing_compared(factor: Factor, judged: Judged) -> list[str]:
    """A note if there are several values of the factor, and no two of their cells differ in it alone."""
    if judged.verdicts or len(factor.labels) < 2:
        return []
    name = label_of(factor.names)
    why = f"no two cells differ in the {name} alone"
    return [f"Nothing is compared, because {why}. To compare them anyway, choose all rows as the factor."]


def _to_compare(cell: Cell, mixed: Mapping[frozenset[str], Mixture]) -> Cell:
    """The cell without the figures of a mixture, and without values whose statistics wait: they make no answer."""
    if cell.status == "computing":
        return replace(cell, values=None)
    mixture = mixed.get(frozenset(cell.runs)) if len(cell.runs) > 1 else None
    return cell if mixture is None else without_figure(cell, mixture)


def _run_labels(factor: Factor, runs: Sequence[Run]) -> list[str]:
    """The labels of the runs in the list of runs: their values of the factor, or their file systems."""
    of_runs = [name for name in factor.names if dimension(name).of is not None]
    return labels_of_runs(of_runs or ["file_system"], runs)


def _final_cells(
    choices: Choices, runs: Sequence[Run], grid: CellGrid, judged: Judged, tails: Mapping[CellKey, TailVerdict]
) -> dict[CellKey, Cell]:
    """The cells with their verdicts, the marks of the best, and the text of the chosen statistic."""
    statistic = choices.selection.statistic
    unlike = unlike_runs(choices.selection, runs, [cell.runs for cell in grid.cells.values()])

    def final(key: CellKey, cell: Cell) -> Cell:
        inside, warnings = unlike[frozenset(cell.runs)] if len(cell.runs) > 1 else (None, [])
        return replace(
            cell,
            text=text_of_statistic(cell, statistic, UNITS[choices.units[cell.metric]]),
            warnings=[*cell.warnings, *warnings],
            verdict=judged.verdicts.get(key),
            tail=tails.get(key),
            baseline=key in judged.baselines,
            best=key in judged.best,
            inside=inside,
        )

    return {key: final(key, cell) for key, cell in grid.cells.items()}


def _query(choices: Choices, placed: Collection[str], baseline: str) -> str:
    """The query string of the same table, with nothing left open and without runs that have no cells."""
    return choices.selection.replace(
        runs=tuple(run for run in choices.selection.runs if str(run) in placed),
        units=tuple(dict.fromkeys(choices.units.values())),
        baseline=baseline,
    ).query()


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


def _named(axis: TableAxis) -> AxisName:
    return AxisName(list(axis.names), label_of(axis.names))


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


def _parts(choices: Choices, axis: TableAxis, factor: Factor, baseline: AxisKey) -> list[TablePart]:
    """The parts of an axis, with their measures if metric is one of its dimensions."""
    metrics = [key[axis.names.index("metric")] for key in axis.keys] if "metric" in axis.names else None
    return [
        TablePart(
            label=label,
            parts=parts,
            baseline=_is_baseline(axis, index, factor, baseline),
            **(_measure_of(choices, str(metrics[index]))._asdict() if metrics else {}),
        )
        for index, (label, parts) in enumerate(zip(axis.labels, axis.parts, strict=True))
    ]


def _heads(choices: Choices, grid: CellGrid, factor: Factor, baseline: AxisKey) -> list[TablePart]:
    heads = _parts(choices, grid.columns, factor, baseline)
    if "metric" in grid.names:
        return heads
    (metric,) = choices.units  # there is a single one, which every head names
    return [replace(head, **_measure_of(choices, metric)._asdict()) for head in heads]


def _groups(choices: Choices, grid: CellGrid, factor: Factor, baseline: AxisKey) -> list[TableGroup]:
    rows = _parts(choices, grid.rows, factor, baseline)
    groups = []
    for split, part in zip(grid.split.keys, _parts(choices, grid.split, factor, baseline), strict=True):
        cells = [[grid.cells.get((split, row, column)) for column in grid.columns.keys] for row in grid.rows.keys]
        group_rows = [TableRow(**_fields(row), cells=line) for row, line in zip(rows, cells, strict=True)]
        groups.append(TableGroup(**_fields(part), n=n_line(cells), rows=group_rows))
    return groups


def _fields(part: TablePart) -> dict[str, Any]:
    return {field.name: getattr(part, field.name) for field in fields(part)}
