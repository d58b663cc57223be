"""Markdown (GitHub's dialect): for issues, pull requests, wikis, READMEs. Readable as plain text too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from benchdb.exports.contents import Content
from benchdb.exports.origin import Origin
from benchdb.exports.printed.compose import print_document
from benchdb.exports.printed.document import BEST, PrintedCell, PrintedDocument, PrintedGrid
from benchdb.exports.registry import ExportFormat

_SPECIAL = re.compile(r"[\\`*_\[\]|~$#@]|(?<=\{)[{%]")  # the last ones are code to programs that build sites
# At the beginning of a line these make a list, a rule or a heading.
_AT_START = re.compile(r"^(\s*)([-+=])|^(\s*\d+)([.)])(?=\s|$)")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
# GitHub and others turn these into links. A backslash before punctuation is invisible.
_LINK = re.compile(r":(?=//)|(?<=www)\.", re.IGNORECASE)


def export(content: Content, origin: Origin) -> str:
    """A Markdown document with a pipe table for each grid."""
    return "\n\n".join(_blocks(print_document(content, origin), origin)) + "\n"


def _blocks(document: PrintedDocument, origin: Origin) -> Iterator[str]:
    yield f"## {escaped(document.title)}"
    yield escaped(document.subtitle)
    yield from (f"**{escaped(text)}**" for text in document.warnings)
    yield from _list("Findings", document.findings)
    yield from _list("What else differs", document.differences)
    for grid in document.grids:
        if grid.caption:
            yield f"### {escaped(grid.caption)}"
        yield _table(grid)
    yield from (escaped(text.replace(BEST, "bold")) for text in document.legend)
    yield from _list("Notes", document.notes)
    yield from _list("Method", [text for text in document.method if origin.address not in text])
    yield f"<{origin.address}>"  # the method above has the sentence about the address


def _list(title: str, texts: Sequence[str]) -> Iterator[str]:
    if texts:
        yield "\n".join([f"{title}:", "", *(f"- {escaped(text)}" for text in texts)])


def _table(grid: PrintedGrid) -> str:
    """A pipe table whose columns are as wide in the source as their widest cell."""
    heads = [escaped(grid.corner), *(escaped(head.text) for head in grid.heads)]
    lines = [[_label(row.label, row.note), *map(_cell, row.cells)] for row in grid.rows]
    widths = [max(map(len, column)) for column in zip(heads, *lines, strict=True)]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join(_row(cells, widths) for cells in [heads, rule, *lines])


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = zip(cells, widths, strict=True)
    return "| " + " | ".join([first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in rest)]) + " |"


def _label(label: str, note: str) -> str:
    return f"{escaped(label)} ({escaped(note)})" if note else escaped(label)


def _cell(cell: PrintedCell) -> str:
    """`**109.3** ± 0.4 ▲ 8 % faster RAM`."""
    mean = f"**{escaped(cell.mean)}**" if cell.best else escaped(cell.mean)
    return " ".join(filter(None, [mean, escaped(cell.sd), escaped(cell.words), escaped(cell.marks)]))


def escaped(text: str) -> str:
    """The text escaped, so that it makes no markup, HTML, link or new cell."""
    text = _LINK.sub(r"\\\g<0>", _SPECIAL.sub(r"\\\g<0>", text))
    return _AT_START.sub(r"\1\3\\\2\4", text).translate(_ENTITIES)


FORMAT = ExportFormat(
    extension="md",
    media_type="text/markdown",
    label="MD",
    hint="for issues, wikis and READMEs",
    export=export,
    common=True,
)
