"""BBCode for forums, with the tags that all forums support: [table] [tr] [th] [td] [b] [i] [url] [list]."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from benchdb.exports.contents import Content
from benchdb.exports.origin import Origin
from benchdb.exports.printed.compose import print_document
from benchdb.exports.printed.document import BEST, PrintedCell, PrintedDocument, PrintedGrid, PrintedRow
from benchdb.exports.registry import ExportFormat

# BBCode has no escape that works in every forum; a space without width after the bracket prevents a tag or link.
_BARRIER = "\u200b"
_TAGS_AND_LINKS = re.compile(r"\[|:(?=//)|(?<=www)\.|@", re.IGNORECASE)


def export(content: Content, origin: Origin) -> str:
    """A BBCode document."""
    return "\n\n".join(_blocks(print_document(content, origin), origin)) + "\n"


def _blocks(document: PrintedDocument, origin: Origin) -> Iterator[str]:
    yield f"[b]{escaped(document.title)}[/b]\n{escaped(document.subtitle)}"
    yield from (f"[b]{escaped(text)}[/b]" for text in document.warnings)
    yield from _list("Findings", document.findings)
    yield from _list("What else differs", document.differences)
    yield from map(_table, document.grids)
    yield from (escaped(text.replace(BEST, "bold")) for text in document.legend)
    yield from _list("Notes", document.notes)
    yield from _list("Method", [text for text in document.method if origin.address not in text])
    yield f"[url]{origin.address}[/url]"


def _list(title: str, texts: Sequence[str]) -> Iterator[str]:
    if texts:
        yield "\n".join([f"{title}:", "[list]", *(f"[*]{escaped(text)}" for text in texts), "[/list]"])


def _table(grid: PrintedGrid) -> str:
    heads = [grid.corner, *(head.text for head in grid.heads)]
    caption = [f"[i]{escaped(grid.caption)}[/i]"] if grid.caption else []
    rows = [_row("th", map(escaped, heads)), *(_row("td", _cells(row)) for row in grid.rows)]
    return "\n".join([*caption, "[table]", *rows, "[/table]"])


def _row(tag: str, cells: Iterator[str]) -> str:
    return "[tr]" + "".join(f"[{tag}]{cell}[/{tag}]" for cell in cells) + "[/tr]"


def _cells(row: PrintedRow) -> Iterator[str]:
    yield f"{escaped(row.label)} ({escaped(row.note)})" if row.note else escaped(row.label)
    yield from map(_cell, row.cells)


def _cell(cell: PrintedCell) -> str:
    mean = f"[b]{cell.mean}[/b]" if cell.best else cell.mean
    return " ".join(filter(None, [mean, cell.sd, escaped(cell.words), cell.marks]))


def escaped(text: str) -> str:
    """The text escaped, so that it makes no tag or link."""
    return _TAGS_AND_LINKS.sub(lambda match: match[0] + _BARRIER, text)


FORMAT = ExportFormat(
    extension="bb",
    media_type="text/plain",
    label="BBCode",
    hint="for forums",
    export=export,
)
