"""Reads the tables of a page as a person does: by what stands at the head of a column and of a row."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass(frozen=True)
class Shown:
    """A cell of a table; `group` stands at the head of its rows' first column."""

    table: str
    group: str
    row: str
    column: str
    text: str


@dataclass
class _Row:
    heads: list[str] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)
    is_header: bool = False


class _Tables(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.rows: list[tuple[str, _Row]] = []
        self._table = ""
        self._texts: list[str] | None = None  # the cells of the row that is read, the last one growing

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "table":
            self._table = given.get("id") or ""
        elif tag == "tr" and self._table:
            self.rows.append((self._table, _Row()))
        elif tag in ("th", "td") and self._table:
            _, row = self.rows[-1]
            self._texts = row.heads if tag == "th" else row.cells
            self._texts.append("")
            row.is_header |= given.get("scope") == "col"

    def handle_endtag(self, tag: str) -> None:
        if tag in ("th", "td"):
            self._texts = None
        elif tag == "table":
            self._table = ""

    def handle_data(self, data: str) -> None:
        if self._texts is not None:
            self._texts[-1] += data


def shown_cells(page: str) -> list[Shown]:
    """Every cell of every table that has an id."""
    reader = _Tables()
    reader.feed(page)
    found: list[Shown] = []
    header: list[str] = []
    for table, row in reader.rows:
        heads = [" ".join(text.split()) for text in row.heads]
        if row.is_header:
            header = heads
            continue
        cells = [" ".join(text.split()) for text in row.cells]
        found += [
            Shown(table, header[0], heads[0], column, text)
            for column, text in zip(header[1:], cells, strict=True)
            if heads
        ]
    return found


def number(text: str) -> float:
    """The number that a cell's text begins with; its thousands are apart."""
    match = re.match(r"\d[\d ]*(\.\d+)?", text)
    assert match, text
    return float(match[0].replace(" ", ""))
