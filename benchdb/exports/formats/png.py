"""PNG: a picture for everywhere else. Its text chunks say where it comes from and how it was made."""

from __future__ import annotations

from .contents import Content
from .origin import Origin

MEDIA_TYPE = "image/png"


def export(content: Content, origin: Origin) -> bytes:
    """The picture. Only workers call this: Matplotlib takes half a second to import."""
    from .drawing import draw

    return draw(content, origin, "png")
