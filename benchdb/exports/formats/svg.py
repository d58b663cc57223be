"""SVG: a picture for web pages and vector programs. Its metadata (RDF) hold source and method."""

from __future__ import annotations

from benchdb.exports.contents import Content
from benchdb.exports.origin import Origin
from benchdb.exports.picture import PictureFacts
from benchdb.exports.registry import ExportFormat


def export(content: Content, origin: Origin) -> bytes:
    """The picture. Only workers call this: Matplotlib takes half a second to import."""
    from benchdb.exports.drawing import draw

    return draw(content, origin, "svg", _metadata)


def _metadata(facts: PictureFacts) -> dict[str, str | None]:
    return {
        "Title": facts.title,
        "Description": facts.about,
        "Source": facts.address,
        "Identifier": facts.address,
        "Creator": facts.maker,
        "Date": None,
    }


FORMAT = ExportFormat(
    extension="svg",
    media_type="image/svg+xml",
    label="SVG",
    hint="a picture",
    export=export,
    by_worker=True,
)
