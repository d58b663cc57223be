"""The page of search results: one box for everything that has a name or an id and is visible to the reader.

A match contains every word, in upper or lower case.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from benchdb.components.listed_runs import listed_runs
from benchdb.components.listing import lists
from benchdb.http.rendering import undisguised
from benchdb.http.requests import Reader
from benchdb.ingest.contract.storable_text import storable
from benchdb.runs.listing.query import MOST_WORDS

from . import documentation, facts, ids, names, results, runs
from .found import MOST_LINES, FoundSection

LEAST, LONGEST = 2, 200  # characters: for a suggestion, and at all
MOST_OF_KIND = 3  # suggestions
SUGGESTED = (names.campaigns, names.articles, documentation.documentation)
SECTIONS = (
    *(runs.runs, runs.labels),
    *(names.articles, names.campaigns, names.plans, names.own_permalinks, names.accounts, ids.beginning_with),
    documentation.documentation,
)


def search(text: str, user: Reader) -> dict[str, object]:
    """The sections that have matches. The number of queries is constant."""
    words = _words(text)
    found = _found(words, user, SECTIONS) if storable(text) else []
    # The context of web/search.html; `searched` is False for a text without words. `kinds` lead to the lists of
    # components.
    return {
        "search_text": text,
        "sections": [section for section in found if section.lines],
        "searched": bool(words),
        "kinds": lists(),
    }


def suggest(text: str, user: Reader) -> list[dict[str, str]]:
    """At most eight lines for the box in the masthead, of each kind the first few; runs and labels are left out."""
    found = _found(_words(text), user, SUGGESTED) if len(text) >= LEAST and storable(text) else []
    lines = [line for section in found for line in section.lines[:MOST_OF_KIND]][:MOST_LINES]
    return [{name: undisguised(str(line[name])) for name in ("text", "note", "href")} for line in lines]


def _words(text: str) -> list[str]:
    return list(dict.fromkeys(text.split()))[:MOST_WORDS]


def _found(
    words: list[str], user: Reader, sections: Sequence[Callable[[list[str], Reader], FoundSection]]
) -> list[FoundSection]:
    if not words:
        return []
    listed = listed_runs(user)
    first = [results.results(words, user), facts.models(words, listed), facts.machines(words, listed)]
    return [*first, *(find(words, user) for find in sections)]
