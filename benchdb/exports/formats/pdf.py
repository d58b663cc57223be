"""PDF: a picture for papers, with embedded fonts. Its document information holds source and method."""

from __future__ import annotations

from benchdb.exports.contents import Content
from benchdb.exports.origin import Origin
from benchdb.exports.picture import PictureFacts
from benchdb.exports.registry import ExportFormat


def export(content: Content, origin: Origin) -> bytes:
    """The picture. Only workers call this: Matplotlib takes half a second to import."""
    from benchdb.exports.drawing import draw

    return draw(content, origin, "pdf", _metadata)


def _metadata(facts: PictureFacts) -> dict[str, str | None]:
    fixed: dict[str, str | None] = {
        "Creator": facts.maker,
        "Producer": facts.maker,
        "CreationDate": None,
        "ModDate": None,
    }
    return {"Title": facts.title, "Subject": facts.about, "Keywords": facts.address, **fixed}


FORMAT = ExportFormat(
    extension="pdf",
    media_type="application/pdf",
    label="PDF",
    hint="a picture",
    export=export,
    binary=True,
    by_worker=True,
)
