"""LaTeX: a table for \\input, with booktabs and nothing else; compiles with pdfLaTeX, XeLaTeX and LuaLaTeX."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchdb.exports.contents import Content
from benchdb.exports.origin import Origin
from benchdb.exports.printed.compose import print_document
from benchdb.exports.printed.document import BEST, PrintedCell, PrintedDocument, PrintedGrid, PrintedRow
from benchdb.exports.registry import ExportFormat
from benchdb.wording.tex import latex_text

PREAMBLE = "% \\usepackage{booktabs} in the preamble; \\input{this file} where the table shall stand."
# A table with more columns is set smaller; the author may have to turn it.
SMALL_FROM = 6


def export(content: Content, origin: Origin) -> str:
    """One table environment with a tabular for each grid and the notes below."""
    return "\n".join(_lines(print_document(content, origin), origin)) + "\n"


def _lines(document: PrintedDocument, origin: Origin) -> Iterator[str]:
    yield f"% {origin.address}"
    yield PREAMBLE
    yield "\\begin{table}"
    yield "\\centering"
    yield f"\\caption{{{latex_text(document.title)}. {latex_text(document.subtitle)}.}}"
    widest = max((len(grid.heads) for grid in document.grids), default=0)
    yield "\\footnotesize" if widest > SMALL_FROM else "\\small"
    yield "\\setlength{\\tabcolsep}{3pt}"
    for grid in document.grids:
        yield from _tabular(grid)
    yield "\\par\\medskip"
    yield "\\begin{minipage}{\\linewidth}\\footnotesize\\raggedright"
    yield from (f"{text}\\par" for text in _notes(document))
    yield "\\end{minipage}"
    yield "\\end{table}"


def _notes(document: PrintedDocument) -> Iterator[str]:
    yield from (f"\\textbf{{{latex_text(text)}}}" for text in document.warnings)
    yield from (latex_text(text) for text in document.findings)
    if document.differences:
        yield f"What else differs: {latex_text('; '.join(document.differences))}."
    for texts in (document.legend, document.notes, document.method):
        yield from (latex_text(text.replace(BEST, "bold") if texts is document.legend else text) for text in texts)


def _tabular(grid: PrintedGrid) -> Iterator[str]:
    """A column of numbers becomes two, before and from the decimal point; marks need a third."""
    marked = [any(row.cells[i].marks for row in grid.rows) for i in range(len(grid.heads))]
    columns = "".join("r@{}l@{ }l" if marks else "r@{}l" for marks in marked)
    if grid.caption:
        yield f"\\par\\medskip {latex_text(grid.caption)}\\par\\smallskip"
    yield f"\\begin{{tabular}}{{l{columns}}}"
    yield "\\toprule"
    yield _heads([grid.corner, *(head.label for head in grid.heads)], marked)
    if any(head.unit for head in grid.heads):
        yield _heads(["", *(head.unit for head in grid.heads)], marked)
    yield "\\midrule"
    for row in grid.rows:
        yield from _rows(row, marked)
    yield "\\bottomrule"
    yield "\\end{tabular}"


def _heads(texts: Sequence[str], marked: Sequence[bool]) -> str:
    first, *rest = texts
    spans = [
        f"\\multicolumn{{{3 if marks else 2}}}{{c}}{{{latex_text(text)}}}"
        for text, marks in zip(rest, marked, strict=True)
    ]
    return " & ".join([latex_text(first), *spans]) + r" \\"


def _rows(row: PrintedRow, marked: Sequence[bool]) -> Iterator[str]:
    """A line of means with their marks, and below it a line of sds."""
    label = f"{latex_text(row.label)} ({latex_text(row.note)})" if row.note else latex_text(row.label)
    pairs = list(zip(row.cells, marked, strict=True))
    sds = any(cell.sd for cell in row.cells)
    yield " & ".join([label, *(_mean(cell, marks) for cell, marks in pairs)]) + (r" \\*" if sds else r" \\")
    if sds:
        yield " & ".join(["", *(_sd(cell, marks) for cell, marks in pairs)]) + r" \\[2pt]"


def _mean(cell: PrintedCell, marked: bool) -> str:
    if not cell.mean and not cell.words:
        return " & ".join([""] * (3 if marked else 2))
    if not cell.mean:
        words = " ".join(filter(None, [cell.words, cell.marks]))
        return f"\\multicolumn{{{3 if marked else 2}}}{{c}}{{\\textit{{{latex_text(words)}}}}}"
    bold = [f"\\textbf{{{half}}}" if cell.best and half else half for half in _halves(cell.mean)]
    return " & ".join([*bold, *([f"\\scriptsize {latex_text(cell.marks)}"] if marked else [])])


def _sd(cell: PrintedCell, marked: bool) -> str:
    halves = [f"\\scriptsize {half}" if half else "" for half in _halves(cell.sd)]
    return " & ".join([*halves, *([""] if marked else [])])


def _halves(number: str) -> tuple[str, str]:
    """`109.3` → `109`, `.3`, for the two columns that meet at the decimal point."""
    whole, point, fraction = number.partition(".")
    return latex_text(whole), latex_text(point + fraction)


FORMAT = ExportFormat(
    extension="tex",
    media_type="application/x-tex",
    label="TeX",
    hint="for papers, with booktabs",
    export=export,
    common=True,
)
