"""PNG: a picture for all other uses. Its text chunks hold source and method."""

from __future__ import annotations

from benchdb.exports.contents import Content
from benchdb.exports.origin import Origin
from benchdb.exports.registry import ExportFormat


def export(content: Content, origin: Origin) -> bytes:
    """The picture. Only workers call this, so only they load what draws it."""
    from benchdb.exports.drawing import png

    return png(content, origin)


FORMAT = ExportFormat(
    extension="png",
    media_type="image/png",
    label="PNG",
    hint="a picture",
    export=export,
    common=True,
    binary=True,
    by_worker=True,
)
