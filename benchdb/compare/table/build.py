"""Builds the content of a table: cells with verdicts and best sets, findings, and differences besides the factor."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from benchagent.formats.vocabulary import METRICS
from benchdb import __version__
from benchdb.compare.content import MOST_CELLS, Measure
from benchdb.compare.guard import differences, shared_facts, unlike_runs
from benchdb.compare.guard.mixed import Mixture, mixtures, without_figure
from benchdb.compare.query.dimensions import as_data, dimension, label_of, labels_of_runs
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.query.runs import machine_names, run_line
from benchdb.compare.query.selection import Selection
from benchdb.compare.table.findings import findings
from benchdb.compare.verdicts.blocks import campaigns_of
from benchdb.compare.verdicts.pairs import LEVEL, stack
from benchdb.compare.verdicts.tails import NO_DISTRIBUTIONS, Distributions, tail_verdicts
from benchdb.runs.cells.cell import Cell, text_of_statistic
from benchdb.runs.cells.verdict import CellWarning, TailVerdict
from benchdb.runs.cells.warnings import with_sentence
from benchdb.runs.facts.order import Values, order_warnings
from benchdb.runs.models import UNFINISHED, Run
from benchdb.runs.queries import Measured
from benchdb.stats import STATISTICS_VERSION
from benchdb.wording.units import UNITS

from .complete import Choices
from .content import SCHEMA, AxisName, TableContent, TableGroup, TablePart, TableRow
from .grid import Grid, grid_of
from .judge import Judged, judge
from .pivot import Pivoted, TableAxis, pivot
from .sorting.rows import refuse_impossible_sort
from .titles import ALONE, n_line, subtitle, title


def build_table(
    choices: Choices,
    runs: Sequence[Run],
    results: Sequence[Measured],
    left_out: list[str],
    notes: list[str],
    distributions: Distributions = NO_DISTRIBUTIONS,
) -> TableContent:
    """The table of these results, with everything that pages, exports and permalinks show.

    `left_out` are notes on runs that are in no cell, `notes` the last ones.

    Raises ImpossibleSelection if the table has no such baseline or column to sort by, or too many cells for a page.
    """
    selection = choices.selection
    pivoted = pivot(selection, {run.id: run for run in runs}, results, choices.units)
    _bound(pivoted)
    mixed = mixtures(selection, runs, (cell.runs for cell in pivoted.cells.values()))
    pivoted = pivoted._replace(cells={at: _to_compare(cell, mixed) for at, cell in pivoted.cells.items()})
    # A run without a cell counts for no difference, and sharing the table needs no consent to show it.
    ids_with_cells = {run for cell in pivoted.cells.values() for run in cell.runs}
    runs = [run for run in runs if str(run.id) in ids_with_cells]
    table = grid_of(_unjudged(choices, runs, results, pivoted, [*left_out, *notes]))
    content = replace(table.content, baseline=_baseline(selection, table.values))
    table = replace(table, content=content)
    columns = stack(table.cells, campaigns_of(runs))
    judged = judge(table, columns)
    tails = tail_verdicts(
        table.cells,
        columns,
        judged.verdicts,
        judged.against,
        distributions,
        margin=selection.margin,
        correction=selection.correction,
    )
    _judge_cells(choices, runs, table, judged, tails)
    content = replace(
        content,
        title=title(selection, table.values, runs),
        query=_query(choices, pivoted, ids_with_cells, content.baseline),
        heads=_heads(choices, pivoted, of_baseline := _labels_of_baseline(table)),
        groups=_groups(choices, pivoted, of_baseline),
        geometric_means=list(judged.means),
        across_machines=list(judged.across_machines),
        differences=differences(selection, runs, _rivals(table)),
        warnings=[*([ALONE] if left_out and len(runs) == 1 else []), *warnings_of_order(runs, table.cells)],
        notes=[*content.notes, *_nothing_compared(table, judged)],
    )
    refuse_impossible_sort(content)
    # Verdicts play no part in the tests of findings.
    return replace(content, findings=findings(table, columns))


def _unjudged(
    choices: Choices, runs: Sequence[Run], results: Sequence[Measured], pivoted: Pivoted, notes: list[str]
) -> TableContent:
    """The table as measured, without a baseline and all that rests on one; its cells have no verdicts yet."""
    selection, factor = choices.selection, choices.selection.factor_names
    parser_versions = {result.run_id: result.parser_version for result in results}
    return TableContent(
        schema=SCHEMA,
        title="",
        subtitle=subtitle(choices, runs),
        query="",
        factor=AxisName(list(factor), label_of(factor)),
        rows=_named(pivoted.rows),
        columns=_named(pivoted.columns),
        split=_named(pivoted.split) if pivoted.split.names else None,
        statistic=selection.statistic,
        margin=selection.margin,
        level=LEVEL,
        correction=selection.correction,
        baseline="",
        heads=_heads(choices, pivoted, {}),
        groups=_groups(choices, pivoted, {}),
        geometric_means=[],
        across_machines=[],
        findings=[],
        differences=[],
        shared=shared_facts(runs),
        warnings=[],
        notes=[*choices.notes, *pivoted.of_params, *pivoted.notes, *notes],
        runs=[str(run.id) for run in runs],
        run_list=[
            run_line(run, label, parser_versions[run.id], machines)
            for machines in [machine_names(runs)]
            for run, label in zip(runs, _run_labels(factor, runs), strict=True)
        ],
        computing=[str(run.id) for run in runs if run.runstate.state in UNFINISHED],
        recomputing=sorted({str(result.run_id) for result in results if result.outdated}),
        statistics_version=STATISTICS_VERSION,
        benchdb_version=__version__,
    )


def _rivals(table: Grid) -> set[frozenset[str]]:
    """The ids of the runs whose cells are compared with each other, for each place of the table."""
    return {frozenset(run for cell in rivals.values() for run in table.cells[cell].runs) for rivals in table.contests}


def _nothing_compared(table: Grid, judged: Judged) -> list[str]:
    """A note if there are several values of the factor, and no two of their cells differ in it alone."""
    if judged.verdicts or len(table.values) < 2:
        return []
    name = table.content.factor.label
    why = f"no two cells differ in the {name} alone"
    return [f"Nothing is compared, because {why}. To compare them anyway, choose all rows as the factor."]


def _to_compare(cell: Cell, mixed: Mapping[frozenset[str], Mixture]) -> Cell:
    """The cell without the figures of a mixture, and without values whose statistics wait: they make no answer."""
    if cell.status == "computing":
        return replace(cell, values=None)
    mixture = mixed.get(frozenset(cell.runs)) if len(cell.runs) > 1 else None
    return cell if mixture is None else without_figure(cell, mixture)


def _run_labels(factor: Sequence[str], runs: Sequence[Run]) -> list[str]:
    """The labels of the runs in the list of runs: their values of the factor, or their file systems."""
    of_runs = [name for name in factor if dimension(name).of is not None]
    return labels_of_runs(of_runs or ["file_system"], runs)


def _judge_cells(
    choices: Choices, runs: Sequence[Run], table: Grid, judged: Judged, tails: Mapping[int, TailVerdict]
) -> None:
    """Give the cells their verdicts, the marks of the best, and the text of the chosen statistic."""
    statistic = choices.selection.statistic
    unlike = unlike_runs(choices.selection, runs, [cell.runs for cell in table.cells])
    for index, cell in enumerate(table.cells):
        if len(cell.runs) > 1:
            cell.inside, warnings = unlike[frozenset(cell.runs)]
            cell.warnings = [*cell.warnings, *warnings]
        cell.text = text_of_statistic(cell, statistic, UNITS[choices.units[cell.metric]])
        cell.verdict, cell.tail = judged.verdicts.get(index), tails.get(index)
        cell.baseline, cell.best = index in judged.baselines, index in judged.best


def _query(choices: Choices, pivoted: Pivoted, placed: Collection[str], baseline: str) -> str:
    """The query string of the same table: with nothing left open, and without runs and values that have no cells."""
    selection, filters = choices.selection, dict(choices.selection.filters)
    for axis in (pivoted.split, pivoted.rows, pivoted.columns):
        for index, name in enumerate(axis.names):
            there = {dimension(name).parameter(key[index]) for key in axis.keys}
            filters[name] = tuple(value for value in selection.filter(name) if value in there)
    return selection.replace(
        runs=tuple(run for run in selection.runs if str(run) in placed),
        units=tuple(dict.fromkeys(choices.units.values())),
        baseline=baseline,
        filters={name: filters[name] for name in selection.filters},
    ).query()


def _bound(grid: Pivoted) -> None:
    places = len(grid.split.keys) * len(grid.rows.keys) * len(grid.columns.keys)
    if places > MOST_CELLS:
        raise ImpossibleSelection(
            [f"This table would have {places} places, {MOST_CELLS} at most: choose other rows and columns, or filter."]
        )


def _baseline(selection: Selection, values: Sequence[str]) -> str:
    """The baseline's value of the factor: the selected one, or the first. Raises ImpossibleSelection."""
    if not selection.baseline:
        return values[0]
    if selection.baseline not in values:
        possible = ", ".join(values)
        raise ImpossibleSelection([f"baseline cannot be {selection.baseline!r}; possible are {possible}."])
    return selection.baseline


def _labels_of_baseline(table: Grid) -> dict[str, str]:
    """The labels of the baseline in the dimensions of the factor."""
    cell = table.value.tolist().index(table.values.index(table.content.baseline))
    return {name: table.label(cell, name) for name in table.content.factor.names}


def _named(axis: TableAxis) -> AxisName:
    return AxisName(list(axis.names), label_of(axis.names))


def _measure_of(choices: Choices, metric: str) -> Measure:
    unit = UNITS[choices.units[metric]]
    return Measure(metric, unit.name, unit.base, unit.per, METRICS[metric].higher_is_better)


def _parts(choices: Choices, axis: TableAxis, baseline: Mapping[str, str]) -> list[TablePart]:
    """The parts of an axis, with their measures if metric is one of its dimensions.

    `baseline` are the labels of the baseline in the dimensions of the factor.
    """
    metrics = [key[axis.names.index("metric")] for key in axis.keys] if "metric" in axis.names else None
    return [
        TablePart(
            label=label,
            parts=parts,
            values={name: as_data(name, value) for name, value in zip(axis.names, key, strict=True)},
            baseline=bool(baseline) and baseline.items() <= parts.items(),
            **(_measure_of(choices, str(metrics[index]))._asdict() if metrics else {}),
        )
        for index, (label, parts, key) in enumerate(zip(axis.labels, axis.parts, axis.keys, strict=True))
    ]


def _heads(choices: Choices, grid: Pivoted, baseline: Mapping[str, str]) -> list[TablePart]:
    heads = _parts(choices, grid.columns, baseline)
    if "metric" in (*grid.split.names, *grid.rows.names, *grid.columns.names):
        return heads
    (metric,) = choices.units  # there is a single one, which every head names
    return [replace(head, **_measure_of(choices, metric)._asdict()) for head in heads]


def _groups(choices: Choices, grid: Pivoted, baseline: Mapping[str, str]) -> list[TableGroup]:
    rows, width = _parts(choices, grid.rows, baseline), len(grid.columns.keys)
    groups = []
    for g, part in enumerate(_parts(choices, grid.split, baseline)):
        cells = [[grid.cells.get((g, r, c)) for c in range(width)] for r in range(len(rows))]
        group_rows = [TableRow(**_fields(row), cells=line) for row, line in zip(rows, cells, strict=True)]
        groups.append(TableGroup(**_fields(part), n=n_line(cells), rows=group_rows))
    return groups


def _fields(part: TablePart) -> dict[str, Any]:
    return {field.name: getattr(part, field.name) for field in fields(part)}


def warnings_of_order(runs: Iterable[Run], cells: Iterable[Cell]) -> list[CellWarning]:
    """The warnings about these runs.

    The values of a cell of several runs are means, which have no position. Where the direction of the metrics differs,
    that of the first cell counts, because times and rates would cancel each other.
    """
    results: dict[str, list[Values]] = defaultdict(list)
    single = [cell for cell in cells if len(cell.runs) == 1 and cell.values]
    for cell in single:
        if METRICS[cell.metric].higher_is_better == METRICS[single[0].metric].higher_is_better:
            results[cell.runs[0]].append(cell.values or [])
    return [with_sentence(warning) for warning in order_warnings(runs, results)]
