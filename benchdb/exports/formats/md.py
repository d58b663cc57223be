"""Markdown (GitHub's dialect): for issues, pull requests, wikis, READMEs. Readable as plain text too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from benchdb.exports.contents import Content
from benchdb.exports.origin import Origin
from benchdb.exports.printed.document import BEST, Figure, Grid, Printed
from benchdb.exports.printed.printing import printed

MEDIA_TYPE = "text/markdown"

_SPECIAL = re.compile(r"[\\`*_\[\]|~$#@]")
# At the beginning of a line these make a list, a rule or a heading.
_AT_START = re.compile(r"^(\s*)([-+=])|^(\s*\d+)([.)])(?=\s|$)")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
# What GitHub and others make a link of by themselves. A backslash before punctuation does not show.
_LINK = re.compile(r":(?=//)|(?<=www)\.", re.IGNORECASE)


def export(content: Content, origin: Origin) -> str:
    """The document, a pipe table a grid."""
    return "\n\n".join(_blocks(printed(content, origin), origin)) + "\n"


def _blocks(document: Printed, origin: Origin) -> Iterator[str]:
    yield f"## {escaped(document.title)}"
    yield escaped(document.subtitle)
    yield from (f"**{escaped(text)}**" for text in document.warnings)
    yield from _list("Findings", document.findings)
    yield from _list("Not the same everywhere", document.differences)
    for grid in document.grids:
        if grid.caption:
            yield f"### {escaped(grid.caption)}"
        yield _table(grid)
    yield from (escaped(text.replace(BEST, "bold")) for text in document.legend)
    yield from _list("Notes", document.notes)
    yield from _list("Method", [text for text in document.method if origin.address not in text])
    yield f"<{origin.address}>"  # the sentence about it stands above, in the method


def _list(title: str, texts: Sequence[str]) -> Iterator[str]:
    if texts:
        yield "\n".join([f"{title}:", "", *(f"- {escaped(text)}" for text in texts)])


def _table(grid: Grid) -> str:
    """A pipe table whose columns are as wide in the source as their widest cell."""
    heads = [escaped(grid.corner), *(escaped(head.text) for head in grid.heads)]
    lines = [[_label(line.label, line.note), *map(_cell, line.figures)] for line in grid.lines]
    widths = [max(map(len, column)) for column in zip(heads, *lines, strict=True)]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join(_row(cells, widths) for cells in [heads, rule, *lines])


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = zip(cells, widths, strict=True)
    return "| " + " | ".join([first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in rest)]) + " |"


def _label(label: str, note: str) -> str:
    return f"{escaped(label)} ({escaped(note)})" if note else escaped(label)


def _cell(figure: Figure) -> str:
    """`**109.3** ± 0.4 ▲ +8.2 % RAM`."""
    mean = f"**{escaped(figure.mean)}**" if figure.best else escaped(figure.mean)
    return " ".join(filter(None, [mean, escaped(figure.sd), escaped(figure.words), escaped(figure.marks)]))


def escaped(text: str) -> str:
    """The text as itself: no markup, no HTML, no link, no new cell."""
    text = _LINK.sub(r"\\\g<0>", _SPECIAL.sub(r"\\\g<0>", text))
    return _AT_START.sub(r"\1\3\\\2\4", text).translate(_ENTITIES)
