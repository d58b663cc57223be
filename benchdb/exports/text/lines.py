"""The lines of CSV and TSV in three shapes.

The shapes (`?shape=`) are `cells` with a line for each measured cell, `long` with a line for each value, and `wide`
with a line for each row of the table. The first line has the names of the columns.

Figures have all their digits and base units; `wide` has the units of the page, named in its heads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import repeat

from benchdb.compare.content import Placed
from benchdb.exports.contents import Content, cells
from benchdb.exports.origin import Origin
from benchdb.exports.printed.kinds import exported_kind
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.cell_context import tags, warnings_of
from benchdb.wording.formulas import Figure

FileLine = list[Figure]
Columns = dict[str, Figure]

POSITION = ["split", "row", "column"]  # further columns of a kind follow (`ExportedKind.place_columns`)
PLACE = [*POSITION, "metric", "unit"]
FIGURES = ["status", "n", "mean", "sd", "interval_low", "interval_high", "median"]
VERDICT = ["best", "verdict", "ratio", "ratio_low", "ratio_high", "p", "p_adjusted", "method"]
REMARKS = ["cache", "clock", "warnings", "error", "runs"]
MEASURED = ["test", "file_size", "record_size", "threads"]
METHOD = ["correction", "level", "margin", "statistics_version", "benchdb_version", "address", "frozen"]
# A trend has no columns of its place and method: its runs are the rows.
TREND = [*PLACE, *FIGURES, *VERDICT, *REMARKS]
CELLS = [*TREND, *MEASURED, *METHOD]
LONG = [*PLACE, *MEASURED, "run", "ordinal", "round", "value", "outlier", *METHOD]
WIDE = ["mean", "sd", "n", "ratio", "verdict", "marks"]
LONGEST_ADDRESS = 500  # a longer one (200 runs) in thousands of lines would be most of the file


def by_cell(content: Content, origin: Origin) -> Iterator[FileLine]:
    """The shape `cells`."""
    columns = _with_own(content, TREND if exported_kind(content).lines_of_figures_only else CELLS)
    own = _own_places(content)
    yield list(columns)
    for placed, shared in zip(cells(content), _method(content, origin), strict=False):
        values = {**shared, **_place(placed), **own.get(placed.key, {}), **_figures(placed.cell)}
        yield [values[column] for column in columns]


def by_value(content: Content, origin: Origin) -> Iterator[FileLine]:
    """The shape `long`. The values of a cell of several runs are the means of the runs, without a `round`."""
    columns, own = _with_own(content, LONG), _own_places(content)
    yield list(columns)
    method = _method(content, origin)
    for placed in cells(content):
        position = {**_place(placed), **own.get(placed.key, {})}
        for value in _values(placed.cell):
            values = {**next(method), **position, **value}
            yield [values[column] for column in columns]


def _with_own(content: Content, columns: list[str]) -> list[str]:
    """The columns with those of the kind of content after the position."""
    after = len(POSITION)
    return [*columns[:after], *exported_kind(content).place_columns, *columns[after:]]


def _own_places(content: Content) -> dict[str, Columns]:
    """The further columns of the place of each cell, by its key."""
    kind = exported_kind(content)
    return {key: dict(zip(kind.place_columns, place, strict=True)) for key, place in kind.places(content).items()}


def _values(cell: Cell) -> Iterator[Columns]:
    """Rounds are counted from 1, as on the pages; a round without a value has none."""
    several = len(cell.runs) > 1
    for i, value in enumerate(cell.values or []):
        run = i if several else 0
        yield {
            "run": cell.runs[run],
            "ordinal": cell.ordinals[run],
            "round": "" if several else i + 1,
            "value": value,
            "outlier": "yes" if i in cell.outliers else "",
        }


def by_row(content: Content, origin: Origin) -> Iterator[FileLine]:
    """The shape `wide`: a line a row of the page, cell beside cell."""
    rows: dict[tuple[str, str], dict[str, Placed]] = {}
    columns: dict[str, str] = {}  # in the order of the table, with units
    for placed in cells(content):
        rows.setdefault((placed.split, placed.row), {})[placed.column] = placed
        columns.setdefault(placed.column, placed.measure.unit)
    columns = _in_order(content, columns)
    by_line, own = exported_kind(content).has_measures_by_row(content), _own_places(content)
    heads = [f"{column} {name}{_unit(name, unit, by_line)}" for column, unit in columns.items() for name in WIDE]
    yield ["split", "row", *exported_kind(content).place_columns, "metric", "unit", *heads, *METHOD]
    for ((split, row), in_row), shared in zip(rows.items(), _method(content, origin), strict=False):
        measures = {placed.measure.metric: placed.measure.unit for placed in in_row.values()}
        figures = [figure for column in columns for figure in _wide(in_row.get(column))]
        place = [split, row, *own.get(next(iter(in_row.values())).key, {}).values(), " ".join(measures)]
        yield [*place, " ".join(dict.fromkeys(measures.values())), *figures, *shared.values()]


def _in_order(content: Content, columns: Mapping[str, str]) -> dict[str, str]:
    """The columns as the table has them, those without any cell left out."""
    return {label: columns[label] for label in exported_kind(content).columns(content) if label in columns}


def _unit(name: str, unit: str, by_line: bool) -> str:
    return f" ({unit})" if name in ("mean", "sd") and not by_line else ""


def _wide(placed: Placed | None) -> FileLine:
    """The figures of one cell in the shown unit."""
    if placed is None:
        return [""] * len(WIDE)
    cell, per, verdict = placed.cell, placed.measure.per, placed.cell.verdict
    marks = [tag.text for tag in tags(cell)]
    reason = _reason(cell)
    status = cell.status if reason is None else f"{cell.status}: {reason}"
    return [
        None if cell.mean is None else cell.mean / per,
        None if cell.sd is None else cell.sd / per,
        cell.n,
        None if verdict is None else verdict.ratio,
        None if verdict is None else verdict.kind,
        " ".join([*(["best"] if cell.best else []), *marks]) if cell.status == "ok" else status,
    ]


def _reason(cell: Cell) -> str | None:
    """The reason why a cell has no figure."""
    return cell.text.shown if cell.status == "mixed" else cell.error


def _place(placed: Placed) -> Columns:
    return {
        "split": placed.split,
        "row": placed.row,
        "column": placed.column,
        "metric": placed.measure.metric,
        "unit": placed.measure.base_unit,
        **{name: getattr(placed.cell, name) for name in MEASURED},
    }


def _method(content: Content, origin: Origin) -> Iterator[Columns]:
    """The last columns of each line; only the first line has a very long address in full."""
    columns: Columns = {name: getattr(content, name, None) for name in METHOD}
    columns |= {"address": origin.address, "frozen": "yes" if origin.frozen else "no"}
    yield columns
    if len(origin.address) > LONGEST_ADDRESS:
        columns["address"] = f"{origin.address[:LONGEST_ADDRESS]}… as in the first line"
    yield from repeat(columns)


def _figures(cell: Cell) -> Columns:
    verdict = cell.verdict
    return {
        "status": cell.status,
        "n": cell.n,
        "mean": cell.mean,
        "sd": cell.sd,
        "median": cell.median,
        "error": _reason(cell),
        "interval_low": cell.low,
        "interval_high": cell.high,
        "best": "yes" if cell.best else "",
        "verdict": None if verdict is None else verdict.kind,
        "ratio": None if verdict is None else verdict.ratio,
        "ratio_low": None if verdict is None else verdict.low,
        "ratio_high": None if verdict is None else verdict.high,
        "p": None if verdict is None else verdict.p,
        "p_adjusted": None if verdict is None else verdict.p_adjusted,
        "method": None if verdict is None else verdict.method,
        "cache": cell.cache.verdict,
        "clock": cell.clock.verdict,
        "warnings": " ".join(warning.code for warning in warnings_of(cell)),
        "runs": " ".join(cell.runs),
    }


SHAPES: dict[str, Callable[[Content, Origin], Iterator[FileLine]]] = {
    "cells": by_cell,
    "long": by_value,
    "wide": by_row,
}
