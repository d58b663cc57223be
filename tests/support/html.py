"""The contents of a page: its tables cell by cell, its links, its data scripts."""

import json
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from django.http import HttpResponse

INLINE = ("a", "abbr", "b", "code", "i", "strong", "time")


@dataclass
class Cell:
    """One cell of a table: its text with white space collapsed, the panel's key and the first link."""

    text: str = ""
    classes: str = ""
    key: str | None = None
    href: str | None = None


@dataclass
class Page:
    """A parsed page. `tables` are rows of cells by the table's id (or label); `scripts` hold JSON by id."""

    text: str
    tables: dict[str, list[list[Cell]]] = field(default_factory=dict)
    scripts: dict[str, Any] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    fields: dict[str, list[str]] = field(default_factory=dict)
    elements: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)

    def values(self, table: str) -> dict[tuple[str, str, str], Cell]:
        """A table of measured cells by (group, row, column), as web/partials/table.html has them."""
        cells, group, heads = {}, "", []
        for first, *rest in self.tables[table]:
            if rest[0].classes == "th ":  # a head over those of several columns, which name it too
                continue
            if "measured" in rest[0].classes and rest[0].classes.startswith("th"):
                group, heads = first.text, [cell.text for cell in rest]
                continue
            cells |= {(group, first.text, head): cell for head, cell in zip(heads, rest, strict=True)}
        return cells


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page = Page("")
        self._texts: list[str] = []
        self._table: list[list[Cell]] | None = None
        self._label = ""
        self._cell: Cell | None = None
        self._cell_id: str | None = None
        self._script: str | None = None
        self._link: tuple[str, int] | None = None
        self._sign = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.page.elements.append((tag, attributes))
        if tag not in INLINE:
            self._say(" ")
        if tag == "span" and "aria-label" in attributes and attributes.get("class") != "not-measured":
            self._sign = attributes["aria-label"] or ""  # a sign is read as this word
        elif tag == "div" and "aria-label" in attributes:
            self._label = attributes["aria-label"] or ""
        elif tag == "table":
            self._table = self.page.tables.setdefault(attributes.get("id") or self._label, [])
        elif tag == "tr" and self._table is not None:
            self._table.append([])
        elif tag in ("td", "th") and self._table:
            self._cell = Cell(classes=f"{tag} {attributes.get('class') or ''}")
            self._cell_id = attributes.get("id")
            self._table[-1].append(self._cell)
        elif tag == "script" and attributes.get("type") == "application/json":
            self._script = attributes.get("id")
        elif tag == "a" and attributes.get("href"):
            self._link = (attributes["href"] or "", len(self._texts))
            if self._cell is not None and self._cell.href is None:
                self._cell.href = attributes["href"]
                self._cell.key = attributes.get("data-cell") or (self._cell_id if "data-cell" in attributes else None)
        elif tag == "input" and attributes.get("name"):
            self.page.fields.setdefault(attributes["name"] or "", []).append(attributes.get("value") or "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "span" and self._sign:
            self._say(f" {self._sign} ")
            self._sign = ""
        if tag == "table":
            self._table = self._cell = None
        elif tag in ("td", "th") and self._cell is not None:
            self._cell.text = collapsed(self._cell.text)
            self._cell = None
        elif tag == "script":
            self._script = None
        elif tag == "a" and self._link is not None:
            href, start = self._link
            self.page.links.setdefault(collapsed("".join(self._texts[start:])), href)
            self._link = None

    def handle_data(self, data: str) -> None:
        if self._script is not None:
            self.page.scripts[self._script] = json.loads(data)
            return
        self._say(data)

    def _say(self, data: str) -> None:
        self._texts.append(data)
        if self._cell is not None:
            self._cell.text += data

    def close(self) -> None:
        super().close()
        self.page.text = collapsed("".join(self._texts))


def collapsed(text: str) -> str:
    """Text as a browser shows it; narrow and unbreakable spaces are kept."""
    return re.sub(r"[ \t\r\n]+", " ", text).strip(" ")


def read(answer: HttpResponse, status: int = 200) -> Page:
    """The page in an answer that must have this status."""
    assert answer.status_code == status, answer.content[:2000]
    return parse(answer.content.decode())


def parse(html: str) -> Page:
    """A page from its source."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.page
