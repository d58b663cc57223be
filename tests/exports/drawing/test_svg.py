"""Shapes of SVG: escaped, within two decimals, the same each time, and the same in a PDF."""

from xml.etree import ElementTree

from benchdb.exports.drawing.pdf import write_pdf
from benchdb.exports.drawing.style import interpolate, mix
from benchdb.exports.drawing.svg import SVG, Drawing

WORDS = "</text><script>alert('\"&\x00\u202e"


def a_drawing() -> Drawing:
    """One of each shape."""
    drawing = Drawing(100, 50.5, WORDS)
    drawing.line([(0, 1 / 3), (2, -0.001)], "#111111", dashes="1 2", cap="round")
    drawing.polygon([(0, 0), (4, 0), (4, 4)], "#222222", "#333333", 0.5)
    drawing.rectangle(1, 2, 3, 4, "#444444")
    drawing.circle(5, 6, 7, "none", "#555555", 1)
    for number in range(1, 8):
        drawing.marker(number, 50, 25, 4, "#666666", filled=number > 3)
    drawing.text(1, 2, WORDS, anchor="end", bold=True, turn=-90)
    drawing.texts(1, 9, ["one", "two"], 8, "#777777")
    return drawing


def test_texts_are_escaped_and_clean_and_numbers_short() -> None:
    source = a_drawing().source()
    root = ElementTree.fromstring(source)

    assert source == a_drawing().source()
    assert 'd="M0 0.33L2 0"' in source
    shown = "</text><script>alert('\"&\ufffd\ufffd"
    assert root.findtext(f"{{{SVG}}}title") == shown
    assert [text.text for text in root.iter(f"{{{SVG}}}text")] == [shown, "one", "two"]
    assert (root.get("width"), root.get("viewBox")) == ("100pt", "0 0 100 50.5")


def test_a_pdf_has_a_page_of_that_size_without_a_time() -> None:
    made = write_pdf(a_drawing(), "(title)", "about \\ it", "http://x/", "maker")

    assert made == write_pdf(a_drawing(), "(title)", "about \\ it", "http://x/", "maker")
    assert b"/MediaBox [ 0 0 100 50.5 ]" in made
    assert rb"/Title (\(title\))" in made


def test_colours_are_mixed() -> None:
    assert mix("#000000", 0.5) == "#808080"
    assert [interpolate(("#000000", "#ffffff", "#0000ff"), share) for share in (0, 0.5, 0.75, 1)] == [
        *("#000000", "#ffffff", "#8080ff", "#0000ff"),
    ]
