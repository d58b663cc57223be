"""How other pages show a permalink: its picture, the elements to embed it, and its oEmbed document. Pure functions."""

from __future__ import annotations

from html import escape
from urllib.parse import urlencode, urlsplit

from django.urls import reverse

from benchdb.compare.content import Content
from benchdb.compare.models import Permalink
from benchdb.compare.table.content import TableContent

from .contexts import LinkPreview

CARD_WIDTH, CARD_HEIGHT = 1200, 630  # dots, drawn by benchdb/exports/drawing/answer.py
FRAME_WIDTH, FRAME_HEIGHT = 800, 480
LONGEST_ALT = 420  # characters that X allows
CACHE_AGE = 3600  # seconds; a permalink may be revoked


def preview_of(link: Permalink, address: str) -> LinkPreview:
    """The preview of a permalink with this address; surfaces and trends have their exported picture."""
    has_card = isinstance(link.shown, TableContent)
    query = urlencode({"url": address, "format": "json"})
    return LinkPreview(
        image=f"{address}card.png" if has_card else f"{address.removesuffix('/')}.png",
        alt=_alt(link.shown),
        width=CARD_WIDTH if has_card else None,
        height=CARD_HEIGHT if has_card else None,
        oembed=f"{_site(address)}{reverse('oembed')}?{query}",
    )


def snippets_of(link: Permalink, address: str) -> dict[str, object]:
    """The elements that show a permalink on other pages."""
    image, title = preview_of(link, address).image, link.shown.title
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
    preview = preview_of(link, address)
    if (
        preview.width
        and preview.height
        and (width or CARD_WIDTH) >= CARD_WIDTH
        and (height or CARD_HEIGHT) >= CARD_HEIGHT
    ):
        document |= {
            "thumbnail_url": preview.image,
            "thumbnail_width": preview.width,
            "thumbnail_height": preview.height,
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
