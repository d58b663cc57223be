"""The results of a run as tables, one for each metric: rows are file × record sizes, columns are tests, as for iozone.

All latencies are one table: rows are tests and places, columns are percentiles. If most cells of the others would be
empty, because each test has its own sizes or parameters as with bonnie++, they are one table: rows are tests, columns
are metrics. Jobs with latencies, as those of fio, are rows of a first table with their main figures.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import TypeVar

from benchagent.formats.vocabulary import METRICS, test_label
from benchdb.runs.cells.cell import Cell, cells_of
from benchdb.runs.cells.cell_context import ShownCell, show_cell
from benchdb.runs.cells.grids import GridResult
from benchdb.runs.cells.links import result_href
from benchdb.runs.cells.measured_table import MeasuredRow, MeasuredTable, RowGroup, TableColumn, with_memory_in_heads
from benchdb.runs.cells.panel import CellPanel, show_panel
from benchdb.runs.models import Run
from benchdb.runs.queries import Measured
from benchdb.wording.numbers import plural
from benchdb.wording.sizes import say_size, unbroken
from benchdb.wording.units import UNITS, Unit, default_unit
from benchdb.wording.words import (
    command_line,
    common_and_own,
    direction,
    metric_label,
    params_in_words,
    place_in_words,
    place_words,
    threads_and_params,
)

from .latencies import LATENCY, column_of, has_meaning, is_view, quantity_of, without_column

NO_BREAK_SPACE = "\u00a0"  # for a head without parameters, so that all names are aligned
MOST_OPEN = 8  # rows of all tables after the first that are not folded
TIMES = ("elapsed", "user_time", "system_time")
# The columns of jobs. The mean is shown for jobs too short for percentiles.
JOBS = {"rate": "Rate", "throughput": "Throughput", "latency_p50": "p50", "latency_p99": "p99", "latency_p999": "p99.9"}
MEAN = {"latency_mean": "Mean latency"}
JOBS_HEADING = "main figures"

Column = TypeVar("Column")
RowKey = tuple[int | None, int | None, int | None, str]


@dataclass(frozen=True, slots=True)
class ResultCell:
    """A result with its cell in the unit of its table."""

    result: Measured
    cell: Cell
    unit: Unit


ByMetric = Mapping[str, Sequence[ResultCell]]


def shown_results(run: Run, results: Sequence[Measured], units: Mapping[str, str]) -> dict[str, list[ResultCell]]:
    """Results by metric, in the order of the document; `units` maps base units to chosen units."""
    by_metric: dict[str, list[Measured]] = {}
    for result in results:
        by_metric.setdefault(result.metric, []).append(result)
    with_cells = {}
    for metric, of_metric in by_metric.items():
        unit = UNITS[units.get(METRICS[metric].unit) or default_unit(metric)]
        pairs = zip(of_metric, cells_of(of_metric, unit, {run.id: run}), strict=True)
        with_cells[metric] = [ResultCell(result, cell, unit) for result, cell in pairs]
    return with_cells


def results_tables(
    by_metric: ByMetric, surfaces: Mapping[str, Mapping[str, str]], panels: str
) -> list[dict[str, object]]:
    """All tables, the main one first, latencies after all others; long ones after the first are folded.

    `surfaces` are the addresses of surfaces by metric and test; `panels` is the address of the panels of cells. Times
    of whole steps (mkfs, mount, the run itself) are one separate table.
    """
    shown = {metric: by_metric[metric] for metric in sorted(by_metric, key=list(METRICS).index)}
    times, rest = steps_and_rest(shown)
    latencies = [cell for metric, cells in rest.items() if quantity_of(metric) == LATENCY for cell in cells]
    tables = []
    if not surfaces and (jobs := jobs_table(rest)):
        tables.append((JOBS_HEADING, jobs))
        rest = {metric: left for metric, cells in rest.items() if (left := _not_in(jobs, cells))}
    others = {metric: cells for metric, cells in rest.items() if quantity_of(metric) != LATENCY}
    if _is_clearer_by_test(others):
        tables.append(("by test", table_by_test("tests", "Test", others)))
    else:
        for metric, cells in others.items():
            as_views = any(is_view(cell.result.params) for cell in cells)
            table = latency_table(metric, cells) if as_views else results_table(metric, cells, surfaces.get(metric, {}))
            tables.append((metric_label(metric), table))
    if latencies:
        tables.append((LATENCY, latency_table(LATENCY, latencies)))
    if times:
        tables.append(("times", table_by_test("times", "Step", times)))
    return _with_folds(tables, panels)


def _with_folds(tables: Sequence[tuple[str, MeasuredTable]], panels: str) -> list[dict[str, object]]:
    shown: list[dict[str, object]] = []
    height = 0
    for heading, table in tables:
        lines = [row for group in table.groups for row in group.rows]
        folded = bool(shown) and (tables[0][0] == JOBS_HEADING or height + len(lines) > MOST_OPEN)
        height += 0 if folded or not shown else len(lines)
        results = plural(sum(cell.status != "missing" for row in lines for cell in row.cells), "result")
        shown.append(
            {
                "heading": heading,
                "table": replace(with_memory_in_heads(table), panels=panels),
                "folded": folded,
                "results": results,
            }
        )
    return shown


def _not_in(jobs: MeasuredTable, cells: Sequence[ResultCell]) -> list[ResultCell]:
    """Those of these results that the table of jobs lacks, and all latencies."""
    there = {cell.detail for group in jobs.groups for row in group.rows for cell in row.cells}
    return [cell for cell in cells if quantity_of(cell.result.metric) == LATENCY or key(cell.result) not in there]


def steps_and_rest(by_metric: ByMetric) -> tuple[dict[str, list[ResultCell]], dict[str, list[ResultCell]]]:
    """Times of whole steps, and all other results that have a meaning, by metric."""
    steps: dict[str, list[ResultCell]] = {}
    rest: dict[str, list[ResultCell]] = {}
    for metric, cells in by_metric.items():
        for cell in (cell for cell in cells if has_meaning(cell.result)):
            part = steps if is_step(cell.result) else rest
            part.setdefault(metric, []).append(cell)
    return steps, rest


def _is_clearer_by_test(by_metric: ByMetric) -> bool:
    """Whether each test has only one place, and rows of tests leave fewer empty cells than rows of places."""
    results = [cell.result for cells in by_metric.values() for cell in cells]
    tests = {result.test for result in results}
    if len(results) != len({(result.metric, result.test) for result in results}):
        return False
    places = sum(
        len({cell.result.test for cell in cells}) * len({place_of(cell.result) for cell in cells})
        for cells in by_metric.values()
    )
    return len(tests) * len(by_metric) < places


def is_step(result: GridResult) -> bool:
    """Whether a result is the time of a whole step, such as mkfs."""
    return result.metric in TIMES and result.file_size is None and result.record_size is None and not result.params


def results_table(metric: str, shown: Sequence[ResultCell], surfaces: Mapping[str, str]) -> MeasuredTable:
    """The table of one metric, the largest files first.

    If each test has parameters of its own, such as a write with fsync and a read without, its head has them, and tests
    with the same sizes share a row.
    """
    tests = list(dict.fromkeys(item.result.test for item in shown))
    own = _own_params(shown)
    rows: dict[RowKey, dict[str, ResultCell]] = {}
    for item in shown:
        file_size, record_size, threads, params = place_of(item.result)
        rows.setdefault((file_size, record_size, threads, "" if own else params), {})[item.result.test] = item
    unit, arrow = shown[0].unit.name, direction(METRICS[metric].higher_is_better)
    columns = [TableColumn(test_label(test), unit, arrow, surfaces.get(test), note=own.get(test)) for test in tests]
    groups = [
        RowGroup(
            label,
            None,
            [_row(row, tests, with_file=label is None, with_params=not own) for row in rows_of_group],
        )
        for label, rows_of_group in _groups(rows)
    ]
    return _table(metric, _row_head(rows), columns, groups)


def _own_params(shown: Sequence[ResultCell]) -> dict[str, str]:
    """The parameters of each test in words, if each has the same ones everywhere and they differ between tests."""
    params: dict[str, set[str]] = {}
    words: dict[str, str] = {}
    for item in shown:
        params.setdefault(item.result.test, set()).add(place_of(item.result)[3])
        words[item.result.test] = ", ".join(params_in_words(item.result.params)) or NO_BREAK_SPACE
    alike = all(len(each) == 1 for each in params.values())
    return words if alike and len(set().union(*params.values())) > 1 else {}


def table_by_test(name: str, row_head: str, by_metric: ByMetric) -> MeasuredTable:
    """A row for each test and a column for each metric: for bonnie++, or the times of whole steps as in time(1)."""
    shown = sorted((item for items in by_metric.values() for item in items), key=lambda item: item.result.ordinal)
    rows: dict[tuple[str, RowKey], dict[str, ResultCell]] = {}
    for item in shown:
        rows.setdefault((item.result.test, place_of(item.result)), {})[item.result.metric] = item
    columns = [
        _column((label := metric_label(metric))[:1].upper() + label[1:], items[0])
        for metric, items in by_metric.items()
    ]
    groups: dict[str, list[MeasuredRow]] = {}
    for (test, _), row in rows.items():
        parameters = unbroken(place_in_words(next(iter(row.values())).result))
        cells = [_cell(row.get(metric)) for metric in by_metric]
        groups.setdefault(parameters, []).append(MeasuredRow(test_label(test), parameters or None, cells))
    return _table(name, row_head, columns, _by_place(groups))


def jobs_table(by_metric: ByMetric) -> MeasuredTable | None:
    """A row for each job of fio, or test of another tool, with a rate or throughput; None without latencies.

    fio has several kinds of latencies; a job has the percentiles of the first kind with any, or the mean of completion.
    """
    rows: dict[tuple[str, tuple[str, ...]], dict[str, ResultCell]] = {}
    for metric in JOBS | MEAN:
        for item in by_metric.get(metric, ()):
            params = item.result.params
            if is_view(params) or (metric in MEAN and params.get("latency", "completion") != "completion"):
                continue
            place = tuple(place_words(item.result._replace(params={**params, "latency": None})))
            if metric in ("rate", "throughput") or (item.result.test, place) in rows:
                rows.setdefault((item.result.test, place), {}).setdefault(metric, item)
    first = {metric: item for row in rows.values() for metric, item in row.items()}
    heads = {
        metric: head for metric, head in (JOBS if "latency_p50" in first else JOBS | MEAN).items() if metric in first
    }
    if not any(metric.startswith("latency_") for metric in heads):
        return None
    columns = {metric: _column(head, first[metric]) for metric, head in heads.items()}
    return _by_test_and_place("jobs", "Test", columns, [(*place, row) for place, row in rows.items()])


def latency_table(name: str, shown: Sequence[ResultCell]) -> MeasuredTable:
    """A row for each test and place, a column for each percentile or other statistic."""
    columns: dict[tuple[float, str], TableColumn] = {}
    rows: dict[tuple[str, tuple[str, ...], int], dict[tuple[float, str], ResultCell]] = {}
    for item in sorted(shown, key=lambda item: -(item.result.file_size or 0)):
        column = column_of(item.result.metric, item.result.params)
        columns[column] = _column(column[1], item)
        place = tuple(place_words(item.result._replace(params=without_column(item.result.params))))
        copy = next(copy for copy in count() if column not in rows.get((item.result.test, place, copy), {}))
        rows.setdefault((item.result.test, place, copy), {})[column] = item
    ordered = {column: columns[column] for column in sorted(columns)}
    return _by_test_and_place(name, "Test", ordered, [(test, place, row) for (test, place, _), row in rows.items()])


def _by_test_and_place(
    name: str,
    row_head: str,
    columns: Mapping[Column, TableColumn],
    rows: Sequence[tuple[str, Sequence[str], Mapping[Column, ResultCell]]],
) -> MeasuredTable:
    """The head has the settings that all rows share, each row only the others."""
    common, own = common_and_own([place for _, place, _ in rows])
    lines = [
        MeasuredRow(
            test_label(test),
            unbroken(words) or None,
            [_cell(row.get(column)) for column in columns],
        )
        for (test, _, row), words in zip(rows, own, strict=True)
    ]
    return _table(name, row_head, [*columns.values()], [RowGroup(None, unbroken(common) or None, lines)])


def _by_place(rows: Mapping[str, list[MeasuredRow]]) -> list[RowGroup]:
    """Groups of rows with the place as their label, if several rows share a place."""
    every = [row for rows_of_place in rows.values() for row in rows_of_place]
    if len(every) < 2 * len(rows) or list(rows) == [""]:
        return [RowGroup(None, None, every)]
    return [
        RowGroup(parameters or None, None, [replace(row, note=None) for row in rows_of_place])
        for parameters, rows_of_place in rows.items()
    ]


def _table(name: str, row_head: str, columns: Sequence[TableColumn], groups: Sequence[RowGroup]) -> MeasuredTable:
    return MeasuredTable(f"results-{name}", f"Results: {metric_label(name)}", row_head, columns, groups)


def _column(label: str, item: ResultCell) -> TableColumn:
    return TableColumn(label, item.unit.name, direction(METRICS[item.result.metric].higher_is_better))


def panel_of(run: Run, result: Measured, unit: str) -> dict[str, CellPanel]:
    """The panel of one result by the key of its cell; `unit` is that of throughputs, "" for the usual one."""
    (items,) = shown_results(run, [result], {"B/s": unit}).values()
    return {key(result): show_panel(items[0].cell, title(result), items[0].unit, command_line(run.command))}


def title(result: GridResult) -> str:
    """`Random read, 1 GiB file, 1 MiB records`."""
    return ", ".join(filter(None, [test_label(result.test), place_in_words(result)]))


def key(result: Measured) -> str:
    """The key of a result's panel."""
    return f"r{result.ordinal}"


def place_of(result: GridResult) -> RowKey:
    """The place of a result among the rows of its table."""
    return (result.file_size, result.record_size, result.threads, json.dumps(result.params, sort_keys=True))


def _row_head(rows: Iterable[RowKey]) -> str:
    sized = [key for key in rows if key[0] is not None]
    if not sized:
        return "Parameters"
    return "File × record" if any(record is not None for _, record, _, _ in sized) else "File"


def _groups(
    rows: Mapping[RowKey, dict[str, ResultCell]],
) -> list[tuple[str | None, list[dict[str, ResultCell]]]]:
    """A group for each file size if several file sizes have several record sizes, otherwise one for all."""
    by_file: dict[int | None, list[dict[str, ResultCell]]] = {}
    for key in sorted(rows, key=lambda key: -1 if key[0] is None else key[0], reverse=True):
        by_file.setdefault(key[0], []).append(rows[key])
    if len(by_file) == 1 or len(rows) < 2 * len(by_file):
        return [(None, [row for of_file in by_file.values() for row in of_file])]
    return [
        ("other" if size is None else f"{say_size(size)} file", rows_of_file) for size, rows_of_file in by_file.items()
    ]


def _row(row: Mapping[str, ResultCell], tests: Sequence[str], *, with_file: bool, with_params: bool) -> MeasuredRow:
    first = next(iter(row.values())).result
    sizes = [first.file_size] if with_file else []
    label = " × ".join(say_size(size) for size in [*sizes, first.record_size] if size is not None)
    notes = threads_and_params(first if with_params else first._replace(params={}))
    if not label:
        label, notes = (", ".join(notes) or "–"), []
    return MeasuredRow(unbroken(label), ", ".join(notes) or None, [_cell(row.get(test)) for test in tests])


def _cell(item: ResultCell | None) -> ShownCell:
    if item is None:
        return show_cell(None)
    href = result_href(str(item.result.run_id), item.result.ordinal)
    return show_cell(item.cell, href=href, detail=key(item.result))
