"""LaTeX: a table for \\input, with booktabs and nothing else; compiles with pdfLaTeX, XeLaTeX and LuaLaTeX."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchdb.exports.contents import Content
from benchdb.exports.origin import Origin
from benchdb.exports.printed.document import BEST, Figure, Grid, Line, Printed
from benchdb.exports.printed.printing import printed

from .tex_text import escaped

MEDIA_TYPE = "application/x-tex"

PREAMBLE = "% \\usepackage{booktabs} in the preamble; \\input{this file} where the table shall stand."
# Narrow enough for a page: with more columns than this the table is set smaller and turned by whoever uses it.
SMALL_FROM = 6


def export(content: Content, origin: Origin) -> str:
    """One table environment with a tabular a grid, the notes under them."""
    return "\n".join(_lines(printed(content, origin), origin)) + "\n"


def _lines(document: Printed, origin: Origin) -> Iterator[str]:
    yield f"% {origin.address}"
    yield PREAMBLE
    yield "\\begin{table}"
    yield "\\centering"
    yield f"\\caption{{{escaped(document.title)}. {escaped(document.subtitle)}.}}"
    widest = max((len(grid.heads) for grid in document.grids), default=0)
    yield "\\footnotesize" if widest > SMALL_FROM else "\\small"
    yield "\\setlength{\\tabcolsep}{3pt}"
    for grid in document.grids:
        yield from _tabular(grid)
    yield "\\par\\medskip"
    yield "\\begin{minipage}{\\linewidth}\\footnotesize\\raggedright"
    yield from (f"{text}\\par" for text in _said(document))
    yield "\\end{minipage}"
    yield "\\end{table}"


def _said(document: Printed) -> Iterator[str]:
    yield from (f"\\textbf{{{escaped(text)}}}" for text in document.warnings)
    yield from (escaped(text) for text in document.findings)
    if document.differences:
        yield f"Not the same everywhere: {escaped('; '.join(document.differences))}."
    for texts in (document.legend, document.notes, document.method):
        yield from (escaped(text.replace(BEST, "bold") if texts is document.legend else text) for text in texts)


def _tabular(grid: Grid) -> Iterator[str]:
    """A column of figures is two: up to the decimal point, and from there on; with marks it is three."""
    marked = [any(line.figures[i].marks for line in grid.lines) for i in range(len(grid.heads))]
    columns = "".join("r@{}l@{ }l" if marks else "r@{}l" for marks in marked)
    if grid.caption:
        yield f"\\par\\medskip {escaped(grid.caption)}\\par\\smallskip"
    yield f"\\begin{{tabular}}{{l{columns}}}"
    yield "\\toprule"
    yield _heads([grid.corner, *(head.label for head in grid.heads)], marked)
    if any(head.unit for head in grid.heads):
        yield _heads(["", *(head.unit for head in grid.heads)], marked)
    yield "\\midrule"
    for line in grid.lines:
        yield from _rows(line, marked)
    yield "\\bottomrule"
    yield "\\end{tabular}"


def _heads(texts: Sequence[str], marked: Sequence[bool]) -> str:
    first, *rest = texts
    spans = [
        f"\\multicolumn{{{3 if marks else 2}}}{{c}}{{{escaped(text)}}}"
        for text, marks in zip(rest, marked, strict=True)
    ]
    return " & ".join([escaped(first), *spans]) + r" \\"


def _rows(line: Line, marked: Sequence[bool]) -> Iterator[str]:
    """The means with their marks, and beneath them the sds."""
    label = f"{escaped(line.label)} ({escaped(line.note)})" if line.note else escaped(line.label)
    pairs = list(zip(line.figures, marked, strict=True))
    sds = any(figure.sd for figure in line.figures)
    yield " & ".join([label, *(_mean(figure, marks) for figure, marks in pairs)]) + (r" \\*" if sds else r" \\")
    if sds:
        yield " & ".join(["", *(_sd(figure, marks) for figure, marks in pairs)]) + r" \\[2pt]"


def _mean(figure: Figure, marked: bool) -> str:
    if not figure.mean and not figure.words:
        return " & ".join([""] * (3 if marked else 2))
    if not figure.mean:
        words = " ".join(filter(None, [figure.words, figure.marks]))
        return f"\\multicolumn{{{3 if marked else 2}}}{{c}}{{\\textit{{{escaped(words)}}}}}"
    halves = _halves(figure.mean)
    parts = [f"\\textbf{{{half}}}" if figure.best and half else half for half in halves]
    return " & ".join([*parts, *([f"\\scriptsize {escaped(figure.marks)}"] if marked else [])])


def _sd(figure: Figure, marked: bool) -> str:
    halves = [f"\\scriptsize {half}" if half else "" for half in _halves(figure.sd)]
    return " & ".join([*halves, *([""] if marked else [])])


def _halves(number: str) -> tuple[str, str]:
    """`109.3` → `109`, `.3`: the point stands at the border of the two columns."""
    whole, point, fraction = number.partition(".")
    return escaped(whole), escaped(point + fraction)
