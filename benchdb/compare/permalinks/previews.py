"""How other pages show a permalink: its picture, the elements to embed it, and its oEmbed document. Pure functions."""

from __future__ import annotations

from html import escape
from urllib.parse import urlencode, urlsplit

from django.urls import reverse

from benchdb.compare.content import Content
from benchdb.compare.models import Permalink
from benchdb.compare.table.content import TableContent

CARD_WIDTH, CARD_HEIGHT = 1200, 630  # dots, drawn by benchdb/exports/drawing/answer.py
FRAME_WIDTH, FRAME_HEIGHT = 800, 480
LONGEST_ALT = 420  # characters that X allows
CACHE_AGE = 3600  # seconds; a permalink may be revoked


def preview_of(link: Permalink, address: str) -> dict[str, object]:
    """The context of compare/preview.html: the picture with its text, and the address of the oEmbed document.

    `width` and `height` of the picture are None if they are unknown.
    """
    size = {"width": CARD_WIDTH, "height": CARD_HEIGHT} if isinstance(link.shown, TableContent) else {}
    query = urlencode({"url": address, "format": "json"})
    oembed = f"{_site(address)}{reverse('oembed')}?{query}"
    return {"image": _picture(link, address), "alt": _alt(link.shown), "oembed": oembed, **size}


def _picture(link: Permalink, address: str) -> str:
    """The address of the picture; surfaces and trends have their exported one."""
    return f"{address}card.png" if isinstance(link.shown, TableContent) else f"{address.removesuffix('/')}.png"


def snippets_of(link: Permalink, address: str) -> dict[str, object]:
    """The elements that show a permalink on other pages."""
    image, title = _picture(link, address), link.shown.title
    plain = "".join(f"\\{letter}" if letter in "\\[]*_`<>" else letter for letter in title)
    return {
        "frame": iframe(link.shown, address, "100%", FRAME_HEIGHT),
        "html": f'<a href="{address}"><img src="{image}" alt="{escape(title)}" width="{FRAME_WIDTH}"></a>',
        "markdown": f"[![{plain}]({image})]({address})",
    }


def iframe(content: Content, address: str, width: str | int, height: int) -> str:
    """The element that shows a permalink in a frame."""
    title = escape(content.title)
    return f'<iframe src="{address}embed" width="{width}" height="{height}" style="border: 0" title="{title}"></iframe>'


def oembed_document(link: Permalink, address: str, width: int | None, height: int | None) -> dict[str, str | int]:
    """The oEmbed 1.0 document of a permalink, of type rich, within `width` and `height` if a consumer gives them."""
    wide, high = min(width or FRAME_WIDTH, FRAME_WIDTH), min(height or FRAME_HEIGHT, FRAME_HEIGHT)
    document: dict[str, str | int] = {
        "version": "1.0",
        "type": "rich",
        "title": link.shown.title,
        "author_name": link.author,
        "provider_name": "BenchDB",
        "provider_url": f"{_site(address)}/",
        "cache_age": CACHE_AGE,
        "html": iframe(link.shown, address, wide, high),
        "width": wide,
        "height": high,
    }
    fits = (width or CARD_WIDTH) >= CARD_WIDTH and (height or CARD_HEIGHT) >= CARD_HEIGHT
    if isinstance(link.shown, TableContent) and fits:
        document |= {
            "thumbnail_url": _picture(link, address),
            "thumbnail_width": CARD_WIDTH,
            "thumbnail_height": CARD_HEIGHT,
        }
    return document


def _alt(content: Content) -> str:
    """The text of the picture for people who do not see it."""
    text = f"Ratios and verdicts: {content.title}" if isinstance(content, TableContent) else content.title
    return text[:LONGEST_ALT]


def _site(address: str) -> str:
    """Scheme and host of an address."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"
