"""PDF: a picture for papers, its fonts embedded. Its information says where it comes from and how it was made."""

from __future__ import annotations

from benchdb.exports.contents import Content
from benchdb.exports.origin import Origin

MEDIA_TYPE = "application/pdf"


def export(content: Content, origin: Origin) -> bytes:
    """The picture. Only workers call this: Matplotlib takes half a second to import."""
    from benchdb.exports.drawing import draw

    return draw(content, origin, "pdf")
