"""Tab-separated values for spreadsheets and text tools, in the shapes of `exports/text/lines.py`.

Every line of the file is a line of the table: tabs and line breaks inside a text become spaces. Quotes are as in CSV.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from functools import lru_cache

from benchdb.exports.contents import Content
from benchdb.exports.origin import Origin
from benchdb.exports.registry import ExportFormat
from benchdb.exports.text.lines import SHAPES
from benchdb.exports.text.pieces import pieces_of
from benchdb.wording.formulas import KEPT, defused

_BREAKS = re.compile(r"[\t\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")


def export(content: Content, origin: Origin) -> Iterator[str]:
    """The lines of the shape in `origin`."""
    lines = (
        [defused(_without_breaks(value) if isinstance(value, str) else value) for value in line]
        for line in SHAPES[origin.shape](content, origin)
    )
    return pieces_of(lines, csv.excel_tab, "\n")


@lru_cache(maxsize=KEPT)
def _without_breaks(text: str) -> str:
    return _BREAKS.sub(" ", text)


FORMAT = ExportFormat(
    extension="tsv",
    media_type="text/tab-separated-values",
    label="TSV",
    hint="as CSV, with tabs",
    export=export,
    shapes=tuple(SHAPES),
    with_all_values=("long",),
)
