"""The parts of the page of search results, and the condition that a match contains every word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import reduce
from operator import and_, or_

from django.db import connection
from django.db.models import Q

MOST_LINES = 8  # in a section


@dataclass(frozen=True, slots=True)
class FoundLine:
    """A match: a link with a note, and its time if it has one."""

    href: str
    text: str
    note: str
    at: datetime | date | str | None = None


@dataclass(frozen=True, slots=True)
class FurtherMatches:
    """A link to all matches of a section."""

    text: str
    href: str


@dataclass(frozen=True, slots=True)
class FoundSection:
    """The matches of one kind."""

    title: str
    lines: Sequence[FoundLine]
    more: FurtherMatches | None = None


def all_in(words: list[str], *paths: str) -> Q:
    """The condition that each word is in one of the columns."""
    return reduce(and_, (reduce(or_, (Q(**{f"{path}__icontains": word}) for path in paths)) for word in words))


def patterns(words: list[str]) -> list[str]:
    """The words as patterns of SQL's LIKE that match texts which contain them."""
    return [f"%{connection.ops.prep_for_like_query(word)}%" for word in words]
