"""Matches among the pages of the documentation and their headings."""

from __future__ import annotations

from benchdb.http.requests import Reader
from benchdb.web.docs.files import address
from benchdb.web.docs.library import everything

from .found import MOST_LINES, FoundSection


def documentation(words: list[str], user: Reader) -> FoundSection:
    """Pages by their titles, then headings; some of the words may be in the title of the page. No query."""
    wanted = [word.casefold() for word in words]
    titles = [
        {"href": address(page.name), "text": page.title, "note": ""}
        for page in everything()
        if all(word in page.title.casefold() for word in wanted)
    ]
    headings = [
        {"href": address(page.name, heading.anchor), "text": heading.words, "note": page.title}
        for page in everything()
        for heading in page.contents
        if any(word in heading.words.casefold() for word in wanted)
        and all(word in f"{heading.words} {page.title}".casefold() for word in wanted)
    ]
    return FoundSection("Documentation", [*titles, *headings][:MOST_LINES])
