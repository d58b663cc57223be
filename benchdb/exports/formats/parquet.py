"""Parquet for DuckDB, Polars, pandas and R: the columns and lines of CSV, typed, in the shapes of `text/lines.py`."""

from __future__ import annotations

from io import BytesIO

from benchdb.exports.columnar import column_of, write
from benchdb.exports.contents import Content
from benchdb.exports.origin import Origin
from benchdb.exports.registry import ExportFormat
from benchdb.exports.text.lines import SHAPES


def export(content: Content, origin: Origin) -> bytes:
    """The lines of the shape in `origin`."""
    lines = SHAPES[origin.shape](content, origin)
    columns = [column_of(str(name)) for name in next(lines)]
    facts = {"title": content.title, "subtitle": content.subtitle, "address": origin.address, "origin": origin.sentence}
    file = BytesIO()
    write(file, columns, lines, facts)
    return file.getvalue()


FORMAT = ExportFormat(
    extension="parquet",
    media_type="application/vnd.apache.parquet",
    label="Parquet",
    hint="as CSV, typed, for DuckDB, Polars and pandas",
    export=export,
    binary=True,
    shapes=tuple(SHAPES),
    with_all_values=("long",),
)
