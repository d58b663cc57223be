"""Text that a spreadsheet would run as a formula. CSV and TSV put a quote before it (OWASP, CSV injection)."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Protocol

Figure = str | int | float | None  # a field of a line

KEPT = 256  # texts: most fields of a line are those of the line before
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
# Inside a text: with decimal commas, spreadsheets split the lines of CSV at semicolons, even inside quotes,
# and take quotes behind one for those of a field.
_INNER = re.compile(r'([;\t\r\n][\s"]*)(?=[=+\-@＝＋－＠])')


def defused(value: Figure) -> Figure:
    """The value; text gets a quote at each position where a spreadsheet could see a formula."""
    return _defused(value) if isinstance(value, str) else value


class TextFile(Protocol):
    """What lines can be written to."""

    def write(self, text: str, /) -> object: ...


def write_csv(file: TextFile, lines: Iterable[Iterable[Figure]]) -> None:
    """Write lines of CSV without formulas; no other code but that of exported formats writes CSV."""
    csv.writer(file).writerows([defused(value) for value in line] for line in lines)  # noqa: TID251  here they are defused


@lru_cache(maxsize=KEPT)
def _defused(value: str) -> str:
    text = _INNER.sub(r"\1'", value)
    begins = text.lstrip(" "), text.lstrip()  # white space of any kind, before which the first may be a tab
    return f"'{text}" if any(begin.startswith(FORMULA) for begin in begins) else text
