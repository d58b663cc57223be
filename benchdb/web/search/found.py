"""The parts of the page of search results, and the condition that a match contains every word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_

from django.db.models import Q

MOST_LINES = 8  # in a section


@dataclass(frozen=True, slots=True)
class FoundSection:
    """The matches of one kind."""

    title: str
    lines: Sequence[Mapping[str, object]]
    more: dict[str, object] | None = None


def all_in(words: list[str], *paths: str) -> Q:
    """The condition that each word is in one of the columns."""
    return reduce(and_, (reduce(or_, (Q(**{f"{path}__icontains": word}) for path in paths)) for word in words))
