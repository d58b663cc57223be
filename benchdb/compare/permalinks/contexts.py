"""The contexts of the pages of permalinks."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LinkPreview:
    """The context of compare/preview.html: the picture with its text, and the address of the oEmbed document.

    `width` and `height` of the picture are None if they are unknown.
    """

    image: str
    alt: str
    width: int | None
    height: int | None
    oembed: str
