"""The page of search results: one box for everything that has a name or an id and is visible to the reader.

A match contains every word, in upper or lower case.
"""

from __future__ import annotations

from benchdb.components.listed_runs import listed_runs
from benchdb.components.listing import lists
from benchdb.http.requests import Reader
from benchdb.ingest.contract.storable_text import storable
from benchdb.runs.listing.query import MOST_WORDS

from . import documentation, facts, ids, names, results, runs
from .found import FoundSection

LONGEST = 200
SECTIONS = (
    *(runs.runs, runs.labels),
    *(names.articles, names.campaigns, names.plans, names.own_permalinks, names.accounts, ids.beginning_with),
    documentation.documentation,
)


def search(text: str, user: Reader) -> dict[str, object]:
    """The sections that have matches. The number of queries is constant."""
    words = list(dict.fromkeys(text.split()))[:MOST_WORDS]
    found = _found(words, user) if words and storable(text) else []
    # The context of web/search.html; `searched` is False for a text without words. `kinds` lead to the lists of
    # components.
    return {
        "search_text": text,
        "sections": [section for section in found if section.lines],
        "searched": bool(words),
        "kinds": lists(),
    }


def _found(words: list[str], user: Reader) -> list[FoundSection]:
    listed = listed_runs(user)
    first = [results.results(words, user), facts.models(words, listed), facts.machines(words, listed)]
    return [*first, *(find(words, user) for find in SECTIONS)]
