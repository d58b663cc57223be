"""The contexts of the pages of permalinks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from benchdb.compare.page_parts.withdrawn import RunsSince


@dataclass(frozen=True, slots=True)
class FrozenState(RunsSince):
    """The context of web/partials/frozen.html: the permalink, and the state of its runs.

    `deleted` is a sentence about its deleted runs; `today` is the address of the current data. `compared` are
    its runs and campaigns as a query string, which the tray does not offer again.
    """

    withdrawn: list[dict[str, object]]
    deleted: str | None
    noun: str
    address: str
    at: datetime
    by: str
    statistics: str
    runs: int
    today: str
    article: dict[str, object] | None
    compared: str


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
