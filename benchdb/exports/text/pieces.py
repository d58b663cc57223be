"""Writes the lines of CSV and TSV in pieces, so that a file of a million values is never in memory as a whole."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from io import StringIO
from itertools import islice

from benchdb.wording.formulas import Figure

LINES_AT_ONCE = 1_000


def pieces_of(lines: Iterable[Iterable[Figure]], dialect: type[csv.Dialect], lineterminator: str) -> Iterator[str]:
    """The file as text, a thousand lines at a time."""
    left = iter(lines)
    while some := list(islice(left, LINES_AT_ONCE)):
        out = StringIO(newline="")
        csv.writer(out, dialect, lineterminator=lineterminator).writerows(some)  # noqa: TID251  its callers defuse them
        yield out.getvalue()
