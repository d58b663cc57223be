"""SVG: a picture for web pages and vector programs. Its metadata (RDF) hold source and method."""

from __future__ import annotations

from benchdb.exports.contents import Content
from benchdb.exports.origin import Origin
from benchdb.exports.registry import ExportFormat


def export(content: Content, origin: Origin) -> bytes:
    """The picture. Only workers call this, so only they load what draws it."""
    from benchdb.exports.drawing import svg

    return svg(content, origin)


FORMAT = ExportFormat(
    extension="svg",
    media_type="image/svg+xml",
    label="SVG",
    hint="a picture",
    export=export,
    common=True,
    by_worker=True,
)
