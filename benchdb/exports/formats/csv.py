"""CSV (RFC 4180) for spreadsheets and programs, in the shapes of `exports/text/lines.py`."""

from __future__ import annotations

import csv
from collections.abc import Iterator

from benchdb.exports.contents import Content
from benchdb.exports.origin import Origin
from benchdb.exports.registry import ExportFormat
from benchdb.exports.text.lines import SHAPES
from benchdb.exports.text.pieces import pieces_of
from benchdb.wording.formulas import defused


def export(content: Content, origin: Origin) -> Iterator[str]:
    """The lines of the shape in `origin`."""
    lines = ([defused(value) for value in line] for line in SHAPES[origin.shape](content, origin))
    return pieces_of(lines, csv.excel, "\r\n")


FORMAT = ExportFormat(
    extension="csv",
    media_type="text/csv",
    label="CSV",
    hint="a line a cell, for spreadsheets and R",
    export=export,
    common=True,
    shapes=tuple(SHAPES),
    shape_hints={"wide": "a line a row of the table", "long": "a line a value"},
    with_all_values=("long",),
)
