"""A picture as SVG, PNG or PDF, with source and method in its metadata. Equal contents give equal bytes."""

from __future__ import annotations

from math import sqrt
from struct import pack
from xml.etree.ElementTree import Element, SubElement
from zlib import crc32

import resvg_py
from django.utils.module_loading import import_string

from benchdb.compare.table.content import TableContent
from benchdb.exports.contents import Content, cells
from benchdb.exports.origin import CARD, Origin
from benchdb.exports.printed import method
from benchdb.exports.printed.compose import differing, doubts
from benchdb.exports.printed.kinds import exported_kind
from benchdb.wording.clean import clean

from .answer import draw_answer
from .fonts import FAMILY, FILES
from .pdf import write_pdf
from .style import INCH
from .svg import Drawing

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
