"""PNG: a picture for all other uses. Its text chunks hold source and method."""

from __future__ import annotations

from benchdb.exports.contents import Content
from benchdb.exports.origin import Origin
from benchdb.exports.picture import PictureFacts
from benchdb.exports.registry import ExportFormat


def export(content: Content, origin: Origin) -> bytes:
    """The picture. Only workers call this: Matplotlib takes half a second to import."""
    from benchdb.exports.drawing import draw

    return draw(content, origin, "png", _metadata)


def _metadata(facts: PictureFacts) -> dict[str, str | None]:
    return {"Title": facts.title, "Description": facts.about, "Source": facts.address, "Software": facts.maker}


FORMAT = ExportFormat(
    extension="png",
    media_type="image/png",
    label="PNG",
    hint="a picture",
    export=export,
    quick=True,
    binary=True,
    by_worker=True,
)
