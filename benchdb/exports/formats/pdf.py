"""PDF: a picture for papers, with embedded fonts. Its document information holds source and method."""

from __future__ import annotations

from benchdb.exports.contents import Content
from benchdb.exports.origin import Origin
from benchdb.exports.registry import ExportFormat


def export(content: Content, origin: Origin) -> bytes:
    """The picture. Only workers call this, so only they load what draws it."""
    from benchdb.exports.drawing import pdf

    return pdf(content, origin)


FORMAT = ExportFormat(
    extension="pdf",
    media_type="application/pdf",
    label="PDF",
    hint="a picture",
    export=export,
    binary=True,
    by_worker=True,
)
