"""CSV (RFC 4180) for spreadsheets and programs, in the shapes of `lines.py`."""

from __future__ import annotations

import csv
from io import StringIO

from benchdb.exports.contents import Content
from benchdb.exports.origin import Origin

from .formulas import defused
from .lines import SHAPES

MEDIA_TYPE = "text/csv"


def export(content: Content, origin: Origin) -> str:
    """The lines of the shape that was asked for."""
    out = StringIO()
    writer = csv.writer(out)
    writer.writerows([defused(value) for value in line] for line in SHAPES[origin.shape](content, origin))
    return out.getvalue()
