"""BBCode: for forums. Only what all of them know: [table] [tr] [th] [td] [b] [i] [url] [list]."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from benchdb.exports.contents import Content
from benchdb.exports.origin import Origin
from benchdb.exports.printed.document import BEST, Figure, Grid, Line, Printed
from benchdb.exports.printed.printing import printed

MEDIA_TYPE = "text/plain"

# BBCode has no escape that every forum knows; a space without width after the bracket makes it no tag and no link.
_BARRIER = "\u200b"
_TAGS_AND_LINKS = re.compile(r"\[|:(?=//)|(?<=www)\.|@", re.IGNORECASE)


def export(content: Content, origin: Origin) -> str:
    """The document."""
    return "\n\n".join(_blocks(printed(content, origin), origin)) + "\n"


def _blocks(document: Printed, origin: Origin) -> Iterator[str]:
    yield f"[b]{escaped(document.title)}[/b]\n{escaped(document.subtitle)}"
    yield from (f"[b]{escaped(text)}[/b]" for text in document.warnings)
    yield from _list("Findings", document.findings)
    yield from _list("Not the same everywhere", document.differences)
    yield from map(_table, document.grids)
    yield from (escaped(text.replace(BEST, "bold")) for text in document.legend)
    yield from _list("Notes", document.notes)
    yield from _list("Method", [text for text in document.method if origin.address not in text])
    yield f"[url]{origin.address}[/url]"


def _list(title: str, texts: Sequence[str]) -> Iterator[str]:
    if texts:
        yield "\n".join([f"{title}:", "[list]", *(f"[*]{escaped(text)}" for text in texts), "[/list]"])


def _table(grid: Grid) -> str:
    heads = [grid.corner, *(head.text for head in grid.heads)]
    caption = [f"[i]{escaped(grid.caption)}[/i]"] if grid.caption else []
    rows = [_row("th", map(escaped, heads)), *(_row("td", _cells(line)) for line in grid.lines)]
    return "\n".join([*caption, "[table]", *rows, "[/table]"])


def _row(tag: str, cells: Iterator[str]) -> str:
    return "[tr]" + "".join(f"[{tag}]{cell}[/{tag}]" for cell in cells) + "[/tr]"


def _cells(line: Line) -> Iterator[str]:
    yield f"{escaped(line.label)} ({escaped(line.note)})" if line.note else escaped(line.label)
    yield from map(_cell, line.figures)


def _cell(figure: Figure) -> str:
    mean = f"[b]{figure.mean}[/b]" if figure.best else figure.mean
    return " ".join(filter(None, [mean, figure.sd, escaped(figure.words), figure.marks]))


def escaped(text: str) -> str:
    """The text as itself: no tag, no link."""
    return _TAGS_AND_LINKS.sub(lambda found: found[0] + _BARRIER, text)
