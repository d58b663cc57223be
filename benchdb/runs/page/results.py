"""The results of a run as tables, one for each metric: rows are file × record sizes, columns are tests, as for iozone.

All latencies are one table: rows are tests and places, columns are percentiles. If most cells of the others would be
empty, because each test has its own sizes or parameters as with bonnie++, they are one table: rows are tests, columns
are metrics.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from benchagent.formats.vocabulary import METRICS, test_label
from benchdb.runs.cells.cell import Cell, cells_of
from benchdb.runs.cells.cell_context import ShownCell, show_cell
from benchdb.runs.cells.grids import GridResult
from benchdb.runs.cells.links import result_href
from benchdb.runs.cells.measured_table import MeasuredRow, MeasuredTable, RowGroup, TableColumn, with_memory_in_heads
from benchdb.runs.cells.panel import CellPanel, show_panel
from benchdb.runs.cells.strips import Strip, StripPlace, strips
from benchdb.runs.models import Run
from benchdb.runs.queries import Measured
from benchdb.wording.sizes import say_size, unbroken
from benchdb.wording.units import UNITS, Unit, default_unit
from benchdb.wording.words import direction, metric_label, params_in_words, place_in_words, threads_and_params

from .latencies import LATENCY, column_of, quantity_of, without_column

NO_BREAK_SPACE = "\u00a0"  # for a head without parameters, so that all names are aligned
MOST_UNFOLDED = 6  # rows of a table after the first
TIMES = ("elapsed", "user_time", "system_time")

Strips = Mapping[str, Strip | None]
RowKey = tuple[int | None, int | None, int | None, str]


@dataclass(frozen=True, slots=True)
class ResultCell:
    """A result with its cell in the unit of its table."""

    result: Measured
    cell: Cell
    unit: Unit


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


@dataclass(frozen=True, slots=True)
class ResultsTable:
    """A table with its heading; a `folded` one shows only the heading."""

    heading: str
    table: MeasuredTable
    folded: bool = False


def results_tables(
    by_metric: Mapping[str, list[ResultCell]], command: str, surfaces: Mapping[str, Mapping[str, str]]
) -> list[ResultsTable]:
    """All tables, the main one first, latencies after all others; long ones after the first are folded.

    `surfaces` are the addresses of surfaces by metric and test. Times of whole steps (mkfs, mount, the run itself)
    are one separate table.
    """
    times, others = steps_and_rest({metric: by_metric[metric] for metric in sorted(by_metric, key=list(METRICS).index)})
    rest = {metric: cells for metric, cells in others.items() if quantity_of(metric) != LATENCY}
    latencies = [cell for metric, cells in others.items() if quantity_of(metric) == LATENCY for cell in cells]
    tables: list[ResultsTable] = []
    if _is_clearer_by_test(rest):
        tables.append(ResultsTable("by test", table_by_test("tests", "Test", rest, command)))
    else:
        for metric, cells in rest.items():
            table = results_table(metric, cells, command, surfaces.get(metric, {}))
            tables.append(ResultsTable(metric_label(metric), table, folded=_is_folded(table, tables)))
    if latencies:
        table = latency_table(latencies, command)
        tables.append(ResultsTable(LATENCY, table, folded=_is_folded(table, tables)))
    if times:
        tables.append(ResultsTable("times", table_by_test("times", "Step", times, command)))
    return tables


def _is_folded(table: MeasuredTable, before: Sequence[ResultsTable]) -> bool:
    """Whether a table is long, and not the first."""
    return bool(before) and sum(len(group.rows) for group in table.groups) > MOST_UNFOLDED


def steps_and_rest(
    by_metric: Mapping[str, Sequence[ResultCell]],
) -> tuple[dict[str, list[ResultCell]], dict[str, list[ResultCell]]]:
    """Times of whole steps, and all other results, by metric."""
    steps: dict[str, list[ResultCell]] = {}
    rest: dict[str, list[ResultCell]] = {}
    for metric, cells in by_metric.items():
        for cell in cells:
            part = steps if is_step(cell.result) else rest
            part.setdefault(metric, []).append(cell)
    return steps, rest


def _is_clearer_by_test(by_metric: Mapping[str, Sequence[ResultCell]]) -> bool:
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


def results_table(metric: str, shown: Sequence[ResultCell], command: str, surfaces: Mapping[str, str]) -> MeasuredTable:
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
    drawn = _strips(row.values() for row in rows.values())
    unit, arrow = shown[0].unit.name, direction(METRICS[metric].higher_is_better)
    columns = [TableColumn(test_label(test), unit, arrow, surfaces.get(test), note=own.get(test)) for test in tests]
    groups = [
        RowGroup(
            label,
            None,
            [_row(row, tests, drawn, with_file=label is None, with_params=not own) for row in rows_of_group],
        )
        for label, rows_of_group in _groups(rows)
    ]
    return _table(metric, _row_head(rows), columns, groups, shown, command)


def _own_params(shown: Sequence[ResultCell]) -> dict[str, str]:
    """The parameters of each test in words, if each has the same ones everywhere and they differ between tests."""
    params: dict[str, set[str]] = {}
    words: dict[str, str] = {}
    for item in shown:
        params.setdefault(item.result.test, set()).add(place_of(item.result)[3])
        words[item.result.test] = ", ".join(params_in_words(item.result.params)) or NO_BREAK_SPACE
    alike = all(len(each) == 1 for each in params.values())
    return words if alike and len(set().union(*params.values())) > 1 else {}


def table_by_test(
    name: str, row_head: str, by_metric: Mapping[str, Sequence[ResultCell]], command: str
) -> MeasuredTable:
    """A row for each test and a column for each metric: for bonnie++, or the times of whole steps as in time(1)."""
    shown = sorted((item for items in by_metric.values() for item in items), key=lambda item: item.result.ordinal)
    rows: dict[tuple[str, RowKey], dict[str, ResultCell]] = {}
    for item in shown:
        rows.setdefault((item.result.test, place_of(item.result)), {})[item.result.metric] = item
    drawn = _strips(row.values() for row in rows.values())
    columns = [
        TableColumn(
            (label := metric_label(metric))[:1].upper() + label[1:],
            items[0].unit.name,
            direction(METRICS[metric].higher_is_better),
        )
        for metric, items in by_metric.items()
    ]
    groups: dict[str, list[MeasuredRow]] = {}
    for (test, _), row in rows.items():
        parameters = unbroken(place_in_words(next(iter(row.values())).result))
        cells = [_cell(row.get(metric), drawn) for metric in by_metric]
        groups.setdefault(parameters, []).append(MeasuredRow(test_label(test), parameters or None, cells))
    return _table(name, row_head, columns, _by_place(groups), shown, command)


def latency_table(shown: Sequence[ResultCell], command: str) -> MeasuredTable:
    """A row for each test and place, a column for each percentile; mean, sd and minimum before them.

    The head has the settings that all rows share, each row only the others.
    """
    columns: dict[tuple[float, str], None] = {}
    rows: dict[tuple[str, str, int], dict[tuple[float, str], ResultCell]] = {}
    for item in shown:
        column = column_of(item.result.metric, item.result.params)
        columns[column] = None
        place = place_in_words(item.result._replace(params=without_column(item.result.params)))
        copy = next(copy for copy in count() if column not in rows.get((item.result.test, place, copy), {}))
        rows.setdefault((item.result.test, place, copy), {})[column] = item
    heads = [TableColumn(label, shown[0].unit.name, direction(higher_is_better=False)) for _, label in sorted(columns)]
    drawn = _strips(row.values() for row in rows.values())
    words = {place: place.split(", ") for _, place, _ in rows}
    common = [word for word in next(iter(words.values())) if all(word in of_place for of_place in words.values())]
    lines = [
        MeasuredRow(
            test_label(test),
            unbroken(", ".join(word for word in words[place] if word not in common)) or None,
            [_cell(row.get(column), drawn) for column in sorted(columns)],
        )
        for (test, place, _), row in rows.items()
    ]
    group = RowGroup(None, unbroken(", ".join(common)) or None, lines)
    return _table(LATENCY, "Test", heads, [group], shown, command)


def _by_place(rows: Mapping[str, list[MeasuredRow]]) -> list[RowGroup]:
    """Groups of rows with the place as their label, if several rows share a place."""
    every = [row for rows_of_place in rows.values() for row in rows_of_place]
    if len(every) < 2 * len(rows) or list(rows) == [""]:
        return [RowGroup(None, None, every)]
    return [
        RowGroup(parameters or None, None, [replace(row, note=None) for row in rows_of_place])
        for parameters, rows_of_place in rows.items()
    ]


def _table(
    name: str,
    row_head: str,
    columns: list[TableColumn],
    groups: list[RowGroup],
    shown: Sequence[ResultCell],
    command: str,
) -> MeasuredTable:
    details = {key(item.result): panel(item, command) for item in shown}
    table = MeasuredTable(f"results-{name}", f"Results: {metric_label(name)}", row_head, columns, groups, details)
    return with_memory_in_heads(table)


def panel(item: ResultCell, command: str | None) -> CellPanel:
    """The panel of one result."""
    return show_panel(item.cell, title(item.result), item.unit, command)


def title(result: GridResult) -> str:
    """`Random read, 1 GiB file, 1 MiB records`."""
    return ", ".join(filter(None, [test_label(result.test), place_in_words(result)]))


def key(result: Measured) -> str:
    """The key of a result's panel in the details of its table."""
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


def _strips(rows: Iterable[Iterable[ResultCell]]) -> Strips:
    """The strips by the key of the results: distances from the own mean, on one scale for each row.

    A single value has none, because its distance from the mean is 0.
    """
    items = [(number, item) for number, row in enumerate(rows) for item in row if item.cell.n != 1]
    drawn = strips([StripPlace(item.cell, number, item.cell.mean) for number, item in items])
    return {key(item.result): strip for (_, item), strip in zip(items, drawn, strict=True)}


def _row(
    row: Mapping[str, ResultCell], tests: Sequence[str], drawn: Strips, *, with_file: bool, with_params: bool
) -> MeasuredRow:
    first = next(iter(row.values())).result
    sizes = [first.file_size] if with_file else []
    label = " × ".join(say_size(size) for size in [*sizes, first.record_size] if size is not None)
    notes = threads_and_params(first if with_params else first._replace(params={}))
    if not label:
        label, notes = (", ".join(notes) or "–"), []
    cells = [_cell(row.get(test), drawn) for test in tests]
    return MeasuredRow(unbroken(label), ", ".join(notes) or None, cells)


def _cell(item: ResultCell | None, drawn: Strips) -> ShownCell:
    if item is None:
        return show_cell(None)
    own_key = key(item.result)
    href = result_href(str(item.result.run_id), item.result.ordinal)
    return show_cell(item.cell, href=href, detail=own_key, strip=drawn.get(own_key))
