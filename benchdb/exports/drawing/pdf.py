"""A drawing as PDF. ReportLab embeds the letters of the font that it has, as TrueType: journals refuse Type 3."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO

from reportlab.pdfgen.canvas import Canvas

from .fonts import BOLD_FAMILY, FAMILY
from .svg import Drawing


def write_pdf(drawing: Drawing, title: str, about: str, address: str, maker: str) -> bytes:
    """The shapes of a drawing on a page of its size, with these facts as document information and no date."""
    out = BytesIO()
    # `invariant` replaces the time and the random number in files.
    canvas = Canvas(out, (drawing.width, drawing.height), invariant=1, pageCompression=1, initialFontName=FAMILY)
    canvas.setDateFormatter(lambda *date: "")
    canvas.setTitle(title)
    canvas.setSubject(about)
    canvas.setKeywords(address)
    for set_maker in (canvas.setAuthor, canvas.setCreator, canvas.setProducer):
        set_maker(maker)
    # As in SVG, places count downwards; `_write` turns texts upright again.
    canvas.translate(0, drawing.height)
    canvas.scale(1, -1)
    canvas.setLineJoin(1)
    for shape in drawing.root.iter():
        if "fill" in shape.attrib:
            _draw(canvas, shape.tag, shape.attrib, shape.text or "")
    canvas.save()
    return out.getvalue()


def _draw(canvas: Canvas, tag: str, shape: Mapping[str, str], text: str) -> None:
    filled, edged = shape["fill"] != "none", "stroke" in shape
    if filled:
        canvas.setFillColor(shape["fill"])
    if edged:
        canvas.setStrokeColor(shape["stroke"])
        canvas.setLineWidth(float(shape["stroke-width"]))
        canvas.setLineCap(int("stroke-linecap" in shape))
        canvas.setDash([float(length) for length in shape.get("stroke-dasharray", "").split()])
    if tag == "text":
        _write(canvas, shape, text)
    elif tag == "circle":
        canvas.circle(*(float(shape[name]) for name in ("cx", "cy", "r")), edged, filled)
    else:
        path = canvas.beginPath()
        for i, point in enumerate(shape["d"].strip("MZ").split("L")):
            (path.lineTo if i else path.moveTo)(*map(float, point.split()))
        if shape["d"].endswith("Z"):
            path.close()
        canvas.drawPath(path, edged, filled)


def _write(canvas: Canvas, shape: Mapping[str, str], text: str) -> None:
    canvas.saveState()
    canvas.setFont(BOLD_FAMILY if "font-weight" in shape else FAMILY, float(shape["font-size"]))
    canvas.translate(float(shape["x"]), float(shape["y"]))
    canvas.scale(1, -1)
    canvas.rotate(-float(shape.get("transform", "rotate(0 ").removeprefix("rotate(").split()[0]))
    write = {"middle": canvas.drawCentredString, "end": canvas.drawRightString}
    write.get(shape.get("text-anchor", ""), canvas.drawString)(0, 0, text)
    canvas.restoreState()
