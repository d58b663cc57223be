"""A picture as SVG, PNG or PDF, with source and method in its metadata. Equal contents give equal bytes."""

from __future__ import annotations

from math import sqrt
from struct import pack
from xml.etree.ElementTree import Element, SubElement
from zlib import crc32

import resvg_py
from django.utils.module_loading import import_string

from benchdb.compare.table.answer.estimates import ESTABLISHED
from benchdb.compare.table.answer.present import Ranked, TableAnswer, table_answer
from benchdb.compare.table.content import TableContent
from benchdb.compare.table.grid import grid_of
from benchdb.exports.contents import Content, cells
from benchdb.exports.origin import CARD, Origin
from benchdb.exports.printed import method
from benchdb.exports.printed.compose import differing, doubts
from benchdb.exports.printed.kinds import exported_kind
from benchdb.wording.clean import clean

from .fonts import FAMILY, FILES, shorten, text_width, wrap
from .pdf import write_pdf
from .plot import Plot, plain_scale
from .style import FAINT, INCH, INK, RULE, SERIES, VERDICT_COLOURS, VERMILLION
from .svg import LINE, MIDDLE, TOP, Drawing

DOTS_PER_INCH = 200
MOST_DOTS = 20_000_000  # of a PNG, 160 MB while it is made; a higher picture has fewer an inch
RDF, DC = "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "http://purl.org/dc/elements/1.1/"
HEADER = 8 + 25  # bytes of a PNG's signature and first chunk


def svg(content: Content, origin: Origin) -> bytes:
    """The picture with an RDF description. Raises TooLarge."""
    drawing, facts = _drawn(content, origin), _facts(content, origin)
    metadata = Element("metadata")
    rdf = SubElement(metadata, "rdf:RDF", {"xmlns:rdf": RDF, "xmlns:dc": DC})
    work = SubElement(rdf, "rdf:Description", {"rdf:about": origin.address})
    for name, text in zip(("title", "description", "source", "creator"), facts, strict=True):
        SubElement(work, f"dc:{name}").text = text
    drawing.root.insert(1, metadata)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{drawing.source()}'.encode()


def png(content: Content, origin: Origin) -> bytes:
    """The picture, with text chunks. Raises TooLarge."""
    drawing = _drawn(content, origin)
    made = resvg_py.svg_to_bytes(
        svg_string=drawing.source(),
        dpi=min(DOTS_PER_INCH, INCH * sqrt(MOST_DOTS / (drawing.width * drawing.height))),
        skip_system_fonts=True,
        font_files=FILES,
        font_family=FAMILY,
    )
    names = ("Title", "Description", "Source", "Software")
    texts = [f"{name}\0\0\0\0\0{text}" for name, text in zip(names, _facts(content, origin), strict=True)]
    return made[:HEADER] + b"".join(_chunk(b"iTXt", text.encode()) for text in texts) + made[HEADER:]


def _chunk(kind: bytes, data: bytes) -> bytes:
    return pack(">L", len(data)) + kind + data + pack(">L", crc32(kind + data))


def pdf(content: Content, origin: Origin) -> bytes:
    """The picture with embedded fonts and document information. Raises TooLarge."""
    return write_pdf(_drawn(content, origin), *_facts(content, origin))


def _drawn(content: Content, origin: Origin) -> Drawing:
    """The picture of a comparison, or of the card of a table."""
    if origin.shape == CARD and isinstance(content, TableContent):
        return draw_answer(content, origin)
    drawing: Drawing = import_string(exported_kind(content).draw)(content, origin)
    return drawing


def _facts(content: Content, origin: Origin) -> tuple[str, str, str, str]:
    """Title, what the picture shows and how it was measured, its address, and the program that drew it."""
    about = " ".join(_about(content, origin))
    return clean(content.title), about, origin.address, f"BenchDB {content.benchdb_version}"


def _about(content: Content, origin: Origin) -> list[str]:
    """Doubts, differences and method in sentences, as the other formats have them."""
    measured = [placed.cell for placed in cells(content)]
    differences = "; ".join(differing(content))
    sentences = [
        content.subtitle,
        *doubts(content),
        *([f"What else differs: {differences}."] if differences else []),
        *method.of_all_verdicts(measured),
        *method.method(content, measured, origin),
    ]
    return [clean(text) for text in sentences]


WIDTH, HEIGHT = 432.0, 226.8  # 1200 × 630 at the 200 dots an inch of `save`
EDGE = 13.0
WORDS, FOOT = 45.0, 24.0  # above the words, and below the ranking
LABELS, FIGURES = 84.0, 122.0  # for the names of rows, and for their figures
HIGHEST_ROW = 15.0
MOST_LEAD, MOST_FURTHER = 3, 2  # lines
TITLE, SUBTITLE, LEAD, FURTHER, NOTE, ROW = 11.5, 7.0, 11.0, 7.5, 6.0, 7.0  # sizes of fonts


def draw_answer(content: TableContent, origin: Origin) -> Drawing:
    """The answer; without one, title and first finding only."""
    sheet, inside = Drawing(WIDTH, HEIGHT, content.title), WIDTH - 2 * EDGE
    sheet.text(EDGE, EDGE, shorten(content.title, inside, TITLE, bold=True), TITLE, drop=TOP, bold=True)
    sheet.text(EDGE, EDGE + 16, shorten(content.subtitle, inside, SUBTITLE), SUBTITLE, FAINT, drop=TOP)
    answer = table_answer(grid_of(content))
    if answer is None:
        words = [*(finding.text for finding in content.findings), ""]
        sheet.texts(EDGE, 2 * WORDS, wrap(words[0], inside, LEAD)[:8], LEAD, INK)
    else:
        _ranking(sheet, answer, _words(sheet, answer))
    notices = [*origin.notices, *([answer.warning] if answer and answer.warning else [])]
    source = shorten(f"BenchDB · {origin.address.partition('//')[2]}", inside / 2, NOTE)
    sheet.text(EDGE, HEIGHT - EDGE, source, NOTE, FAINT)
    if notices:
        room = inside - text_width(source, NOTE) - EDGE
        sheet.text(WIDTH - EDGE, HEIGHT - EDGE, shorten(notices[0], room, NOTE), NOTE, VERMILLION, anchor="end")
    return sheet


def _words(sheet: Drawing, answer: TableAnswer) -> float:
    """The sentences about the first metric; returns where they end."""
    inside, first = WIDTH - 2 * EDGE, answer.metrics[0]
    y = WORDS
    texts = [
        ("".join(span.text for span in first.lead), MOST_LEAD, LEAD),
        (" ".join(first.further), MOST_FURTHER, FURTHER),
    ]
    for text, most, size in texts:
        lines = wrap(text, inside, size, bold=size == LEAD)
        if len(lines) > most:
            lines = [*lines[: most - 1], shorten(" ".join(lines[most - 1 :]), inside, size, bold=size == LEAD)]
        sheet.texts(EDGE, y, lines, size, INK if size == LEAD else FAINT, bold=size == LEAD)
        y += len(lines) * LINE * size + 3 if text else 0
    return y


def _ranking(sheet: Drawing, answer: TableAnswer, top: float) -> None:
    """The ranking between the words and the foot."""
    rows, bottom = answer.ranking, HEIGHT - EDGE - FOOT
    if not rows:
        return
    height = min(HIGHEST_ROW, (bottom - top) / len(rows))
    whole, width = plain_scale(0, 1), WIDTH - 2 * EDGE - LABELS - FIGURES
    plot = Plot(sheet, EDGE + LABELS, top, width, height * len(rows), whole, whole)
    sheet.line([(plot.x(answer.one), top), (plot.x(answer.one), plot.bottom)], RULE, 0.7)
    for tick in answer.axis.ticks:
        sheet.text(plot.x(tick.share), plot.bottom + 8, tick.text, NOTE, FAINT, anchor="middle")
    for number, row in enumerate(rows):
        _row(plot, row, top + (number + 0.5) * height, min(ROW, 0.7 * height))


def _row(plot: Plot, row: Ranked, y: float, size: float) -> None:
    sheet, colour, end, bold = plot.drawing, SERIES[row.series - 1], WIDTH - EDGE, row.kind in ESTABLISHED
    sheet.marker(row.series, EDGE + 3, y, 5, colour)
    sheet.text(EDGE + 10, y, shorten(row.label, LABELS - 14, size), size, drop=MIDDLE, bold=bold)
    if row.left is not None and row.right is not None:
        plot.interval(row.left, row.right, y, colour, 1.8 if bold else 0.9)
    if row.at is not None:
        filled = bold or row.kind == "baseline"
        sheet.marker(row.series, plot.x(row.at), y, 5.5, colour, filled=filled)
    interval = shorten(row.interval, FIGURES / 2, NOTE)
    sheet.text(end, y, interval, NOTE, FAINT, anchor="end", drop=MIDDLE)
    end -= text_width(interval, NOTE) + 4 if interval else 0
    sheet.text(end, y, row.change, size, VERDICT_COLOURS.get(row.kind, INK), anchor="end", drop=MIDDLE, bold=bold)
