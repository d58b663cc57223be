"""HTML: a page of one <figure> to paste into any page: no scripts, and no files from other hosts."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence

from benchdb.exports.contents import Content
from benchdb.exports.origin import Origin
from benchdb.exports.printed.compose import print_document
from benchdb.exports.printed.document import BEST, PrintedCell, PrintedDocument, PrintedGrid, PrintedRow
from benchdb.exports.registry import ExportFormat
from benchdb.wording.numbers import pads

# Spaces as wide as a digit and as a point: they align numbers on the decimal point and are copied as blanks.
_BLANKS = str.maketrans({"0": "\u2007", ".": "\u2008"})
STYLE = """
.benchdb{margin:1em 0;font:16px/1.4 system-ui,sans-serif;font-variant-numeric:tabular-nums}
.benchdb table{border-collapse:collapse;margin:1em 0;border-top:2px solid;border-bottom:2px solid}
.benchdb caption{text-align:left;font-weight:600;padding:.3em .6em}
.benchdb th,.benchdb td{padding:.25em .6em;text-align:right;vertical-align:top;white-space:nowrap}
.benchdb thead{border-bottom:1px solid}
.benchdb th:first-child{text-align:left}
.benchdb p,.benchdb ul{font-size:.85em;margin:.4em 0;max-width:75ch}
.benchdb small{opacity:.75}
.benchdb b{text-decoration:underline;text-underline-offset:.2em}
.benchdb .words{white-space:normal;font-style:italic}
.benchdb .scroll{overflow-x:auto}
""".strip().replace("\n", "")


def escape(text: str) -> str:
    """The text for a page, also one that is a template: wikis, Jinja and Liquid replace `{{…}}` and `{%…%}`."""
    return html.escape(text).replace("{", "&#123;")


def export(content: Content, origin: Origin) -> str:
    """The page."""
    document = print_document(content, origin)
    body = "\n".join(_blocks(document, origin))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<title>{escape(document.title)}</title>\n<link rel="canonical" href="{escape(origin.address)}">\n'
        f'</head>\n<body>\n<figure class="benchdb">\n<style>{STYLE}</style>\n{body}\n</figure>\n</body>\n</html>\n'
    )


def _blocks(document: PrintedDocument, origin: Origin) -> Iterator[str]:
    yield f"<figcaption><strong>{escape(document.title)}</strong><br>{escape(document.subtitle)}</figcaption>"
    yield from (f"<p><strong>{escape(text)}</strong></p>" for text in document.warnings)
    yield from _list("Findings", document.findings)
    yield from _list("What else differs", document.differences)
    yield from map(_table, document.grids)
    yield from (f"<p>{escape(text.replace(BEST, 'underlined'))}</p>" for text in document.legend)
    yield from _list("Notes", document.notes)
    yield from _list("Method", [text for text in document.method if origin.address not in text])
    yield f'<p><a href="{escape(origin.address)}">{escape(origin.address)}</a></p>'


def _list(title: str, texts: Sequence[str]) -> Iterator[str]:
    if texts:
        items = "".join(f"<li>{escape(text)}</li>" for text in texts)
        yield f"<p>{escape(title)}</p>\n<ul>{items}</ul>"


def _table(grid: PrintedGrid) -> str:
    caption = f"<caption>{escape(grid.caption)}</caption>" if grid.caption else ""
    heads = "".join(
        f'<th scope="col">{escape(head.label)}{f"<br><small>{escape(head.unit)}</small>" if head.unit else ""}</th>'
        for head in grid.heads
    )
    columns = [[row.cells[i] for row in grid.rows] for i in range(len(grid.heads))]
    means = [pads([cell.mean for cell in column]) for column in columns]
    sds = [pads([cell.sd for cell in column]) for column in columns]
    rows = "\n".join(_row(row, [mean[i] for mean in means], [sd[i] for sd in sds]) for i, row in enumerate(grid.rows))
    return (
        f'<div class="scroll"><table>{caption}\n<thead><tr><th scope="col">{escape(grid.corner)}</th>{heads}</tr>'
        f"</thead>\n<tbody>\n{rows}\n</tbody></table></div>"
    )


def _row(row: PrintedRow, means: Sequence[str], sds: Sequence[str]) -> str:
    note = f"<br><small>{escape(row.note)}</small>" if row.note else ""
    cells = "".join(_cell(*arguments) for arguments in zip(row.cells, means, sds, strict=True))
    return f'<tr><th scope="row">{escape(row.label)}{note}</th>{cells}</tr>'


def _cell(cell: PrintedCell, mean_padding: str, sd_padding: str) -> str:
    if not cell.mean:
        return f'<td class="words">{escape(" ".join(filter(None, [cell.words, cell.marks])))}</td>'
    mean = f"<b>{escape(cell.mean)}</b>" if cell.best else escape(cell.mean)
    sd = f"<br><small>{escape(cell.sd)}{sd_padding.translate(_BLANKS)}</small>" if cell.sd else ""
    marks = f"<br><small>{escape(cell.marks)}</small>" if cell.marks else ""
    return f"<td>{mean}{mean_padding.translate(_BLANKS)}{sd}{marks}</td>"


FORMAT = ExportFormat(
    extension="html",
    media_type="text/html",
    label="HTML",
    hint="for web pages",
    export=export,
)
