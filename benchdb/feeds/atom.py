"""Atom (RFC 4287) with paged feeds (RFC 5005) and entries that left a feed (RFC 6721)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from xml.sax.xmlreader import AttributesImpl

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.feedgenerator import Atom1Feed, rfc3339_date
from django.utils.html import escape
from django.utils.http import http_date
from django.utils.xmlutils import SimplerXMLGenerator

from benchdb import __version__
from benchdb.http.requests import server_of
from benchdb.wording.clean import clean

PAGE = 50  # entries
MEDIA_TYPE = "application/atom+xml"
DELETED = "http://purl.org/atompub/tombstones/1.0"
NEVER = datetime(1970, 1, 1, tzinfo=UTC)  # the time of a feed without entries


@dataclass(frozen=True, slots=True)
class Entry:
    """What a feed says of one thing. `id` is a URI that stays the same for good; paths begin with `/`.

    `lines` are the summary, `data` is the path of the same thing as JSON, "" if there is none.
    """

    id: str
    title: str
    path: str
    published: datetime
    updated: datetime
    lines: Sequence[str]
    categories: Sequence[str] = ()
    data: str = ""


@dataclass(frozen=True, slots=True)
class Removal:
    """An entry that left the feed at `updated`, and the reason."""

    id: str
    updated: datetime
    reason: str


@dataclass(frozen=True, slots=True)
class FeedPage:
    """One page of a feed, the newest first. `page` is the path of the HTML page that shows the same.

    `first` is the path of the newest page, `here` that of this one, `following` that of the next one, "" on the last.
    """

    title: str
    page: str
    first: str
    here: str
    following: str
    entries: Sequence[Entry | Removal]

    @property
    def updated(self) -> datetime:
        """The time of the last change on this page."""
        return max((entry.updated for entry in self.entries), default=NEVER)


class _Atom(Atom1Feed):
    """Django's writer, with pages and removals."""

    def __init__(self, page: FeedPage, site: str) -> None:
        super().__init__(
            title=clean(page.title),
            link=site + page.page,
            description=None,
            language="en",
            author_name="BenchDB",
            author_link=f"{site}/",
            feed_url=site + page.here,
            feed_guid=site + page.first,
        )
        self.page, self.site = page, site

    def latest_post_date(self) -> datetime:
        return self.page.updated

    def root_attributes(self) -> dict[str, str]:
        return {**super().root_attributes(), "xmlns:at": DELETED}

    def add_root_elements(self, handler: SimplerXMLGenerator) -> None:
        super().add_root_elements(handler)
        handler.addQuickElement("generator", "BenchDB", {"version": __version__})
        handler.addQuickElement("link", "", {"rel": "first", "href": self.site + self.page.first})
        if self.page.following:
            handler.addQuickElement("link", "", {"rel": "next", "href": self.site + self.page.following})

    def write_items(self, handler: SimplerXMLGenerator) -> None:
        for entry in self.page.entries:
            if isinstance(entry, Removal):
                self._remove(handler, entry)
            else:
                self._write(handler, entry)

    def _write(self, handler: SimplerXMLGenerator, entry: Entry) -> None:
        self.items.clear()
        lines = "".join(f"<p>{escape(clean(line))}</p>" for line in entry.lines)
        self.add_item(
            title=clean(entry.title),
            link=self.site + entry.path,
            description=lines,
            unique_id=entry.id,
            pubdate=entry.published,
            updateddate=entry.updated,
            categories=[clean(category) for category in entry.categories],
        )
        handler.startElement("entry", AttributesImpl({}))
        self.add_item_elements(handler, self.items[0])
        if entry.data:
            link = {"rel": "alternate", "type": "application/json", "href": self.site + entry.data}
            handler.addQuickElement("link", "", link)
        handler.endElement("entry")

    def _remove(self, handler: SimplerXMLGenerator, removal: Removal) -> None:
        attributes = {"ref": removal.id, "when": rfc3339_date(removal.updated)}
        handler.startElement("at:deleted-entry", AttributesImpl(attributes))
        handler.addQuickElement("at:comment", clean(removal.reason))
        handler.endElement("at:deleted-entry")


def feed_response(request: HttpRequest, page: FeedPage) -> HttpResponse:
    """The page as Atom, or 304 for a client that has it, by the entity tag. Every client must ask each time, because
    runs may be withdrawn. A page can change while its last time does not, so If-Modified-Since alone gets the page.
    """
    text = _Atom(page, server_of(request)).writeString("utf-8").encode()
    tag = f'"{hashlib.sha256(text).hexdigest()[:32]}"'
    response = HttpResponse(text, content_type=f"{MEDIA_TYPE}; charset=utf-8")
    response["ETag"], response["Cache-Control"] = tag, "no-cache"
    if page.entries:
        response.headers["Last-Modified"] = http_date(page.updated.timestamp())
    return get_conditional_response(request, etag=tag, response=response) or response
