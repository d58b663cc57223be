"""A drawing as PDF. ReportLab embeds the letters of the font that it has, as TrueType: journals refuse Type 3."""

from __future__ import annotations

from io import BytesIO

from reportlab.lib.colors import HexColor
from reportlab.pdfbase.pdfmetrics import registerFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from .fonts import BOLD, FAMILY, REGULAR
from .svg import Drawing

BOLD_FAMILY = f"{FAMILY} Bold"
ROUND = {"": 0, "round": 1}


def write_pdf(drawing: Drawing, title: str, about: str, address: str, maker: str) -> bytes:
    """The shapes of a drawing on a page of its size, with these facts as document information and no date."""
    registerFont(TTFont(FAMILY, str(REGULAR)))
    registerFont(TTFont(BOLD_FAMILY, str(BOLD)))
    out = BytesIO()
    # `invariant` replaces the time and the random number in files.
    canvas = Canvas(out, (drawing.width, drawing.height), invariant=1, pageCompression=1, initialFontName=FAMILY)
    canvas.setDateFormatter(lambda *date: "")
    canvas.setTitle(title)
    canvas.setSubject(about)
    canvas.setKeywords(address)
    for set_maker in (canvas.setAuthor, canvas.setCreator, canvas.setProducer):
        set_maker(maker)
    for shape in drawing.root:
        if "fill" in shape.attrib:
            _draw(canvas, drawing.height, shape.tag, shape.attrib, shape.text or "")
    canvas.save()
    return out.getvalue()


def _draw(canvas: Canvas, height: float, tag: str, shape: dict[str, str], text: str) -> None:
    """One shape; PDF counts from the lower edge."""
    number = {name: float(shape.get(name, "0")) for name in ("x", "y", "width", "height", "cx", "cy", "r", "font-size")}
    fill, stroke = shape["fill"] != "none", int("stroke" in shape)
    if fill:
        canvas.setFillColor(HexColor(shape["fill"]))
    if stroke:
        canvas.setStrokeColor(HexColor(shape["stroke"]))
        canvas.setLineWidth(float(shape["stroke-width"]))
        canvas.setLineCap(ROUND[shape.get("stroke-linecap", "")])
        canvas.setLineJoin(ROUND[shape.get("stroke-linejoin", "")])
        canvas.setDash([float(length) for length in shape.get("stroke-dasharray", "").split()])
    if tag == "rect":
        canvas.rect(
            number["x"], height - number["y"] - number["height"], number["width"], number["height"], stroke, fill
        )
    elif tag == "circle":
        canvas.circle(number["cx"], height - number["cy"], number["r"], stroke, fill)
    elif tag == "path":
        path = canvas.beginPath()
        for i, point in enumerate(shape["d"].strip("MZ").split("L")):
            x, y = map(float, point.split())
            (path.lineTo if i else path.moveTo)(x, height - y)
        if shape["d"].endswith("Z"):
            path.close()
        canvas.drawPath(path, stroke, fill)
    else:
        canvas.saveState()
        canvas.setFont(BOLD_FAMILY if "font-weight" in shape else FAMILY, number["font-size"])
        canvas.translate(number["x"], height - number["y"])
        canvas.rotate(-float(shape.get("transform", "rotate(0 ").removeprefix("rotate(").split()[0]))
        write = {"middle": canvas.drawCentredString, "end": canvas.drawRightString}
        write.get(shape.get("text-anchor", ""), canvas.drawString)(0, 0, text)
        canvas.restoreState()
