"""Matches among the pages of the documentation and their headings."""

from __future__ import annotations

from collections.abc import Iterator

from benchdb.http.requests import Reader
from benchdb.web.docs.files import address
from benchdb.web.docs.library import everything

from .found import MOST_LINES, FoundSection


def documentation(words: list[str], user: Reader) -> FoundSection:
    """Pages by their titles, then headings; some of the words may be in the title of the page. No query."""
    wanted = [word.casefold() for word in words]
    return FoundSection("Documentation", [*_titles(wanted), *_headings(wanted)][:MOST_LINES])


def _titles(wanted: list[str]) -> Iterator[dict[str, object]]:
    for page in everything():
        if all(word in page.title.casefold() for word in wanted):
            yield {"href": address(page.name), "text": page.title, "note": ""}


def _headings(wanted: list[str]) -> Iterator[dict[str, object]]:
    for page in everything():
        for heading in page.contents:
            text, with_title = heading.words.casefold(), f"{heading.words} {page.title}".casefold()
            if any(word in text for word in wanted) and all(word in with_title for word in wanted):
                yield {
                    "href": address(page.name, heading.anchor),
                    "text": heading.words,
                    "note": page.title,
                }
