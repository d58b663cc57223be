"""Ids in a search: a whole id leads to its page, the beginning of one finds what the reader may list."""

from __future__ import annotations

import re
from uuid import UUID

from django.db.models import Q
from django.urls import reverse

from benchdb.compare.models import Permalink
from benchdb.compare.permalinks import services as permalinks
from benchdb.http.requests import Reader
from benchdb.plans.models import Campaign
from benchdb.runs.models import Run, Tombstone
from benchdb.wording.times import known_time

from .found import MOST_LINES, FoundSection

WHOLE = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
FEWEST = 4  # digits of the beginning of an id
DIGITS = re.compile(r"[0-9a-f]{4,32}")
LETTERS = re.compile(r"[a-z2-7]{4,16}")  # of a permalink


def address_of(text: str, user: Reader) -> str | None:
    """The address of the run, campaign or permalink whose id is in the text; None if the reader may not see it."""
    if permalinks.ADDRESS.fullmatch(text) and Permalink.objects.filter(pk=text).exists():
        return reverse("permalink", args=[text])
    if (match := WHOLE.search(text)) is None:
        return None
    chosen = UUID(match[0])
    if Run.objects.visible_to(user).filter(pk=chosen).exists() or Tombstone.objects.filter(pk=chosen).exists():
        return reverse("run", args=[chosen])
    if Campaign.objects.visible_to(user).filter(pk=chosen).exists():
        return reverse("campaign", args=[chosen])
    return None


def beginning_with(words: list[str], user: Reader) -> FoundSection:
    """Runs, campaigns and the reader's own permalinks whose id begins with the only word; at most three queries.

    Only what lists show: an unlisted run is known to people who have its whole address, and could otherwise be guessed.
    """
    text = words[0].lower() if len(words) == 1 else ""
    lines = []
    if DIGITS.fullmatch(digits := text.replace("-", "")):
        lines = [*_runs(digits, user), *_campaigns(digits, user)]
    if LETTERS.fullmatch(text) and user.is_authenticated:
        own = Permalink.objects.filter(owner=user, revoked_at=None, pk__startswith=text).order_by("pk")
        lines += [
            {
                "href": reverse("permalink", args=[link["pk"]]),
                "text": link["pk"],
                "note": f"my {link['kind']}",
                "at": link["created_at"],
            }
            for link in own.values("pk", "kind", "created_at")[:MOST_LINES]
        ]
    return FoundSection("Matching ids", lines)


def _range(digits: str) -> Q:
    """The condition that a UUID begins with these digits, in a form that an index serves."""
    return Q(id__gte=UUID(hex=digits.ljust(32, "0")), id__lte=UUID(hex=digits.ljust(32, "f")))


def _runs(digits: str, user: Reader) -> list[dict[str, object]]:
    listed = Run.objects.listed_for(user).filter(_range(digits)).order_by("-id")
    return [
        {
            "href": reverse("run", args=[run["id"]]),
            "text": str(run["id"]),
            "note": f"{run['tool']} on {run['target__file_system'] or 'unknown'}",
            "at": known_time(run["started_at"], run["finished_at"]),
        }
        for run in listed.values("id", "tool", "target__file_system", "started_at", "finished_at")[:MOST_LINES]
    ]


def _campaigns(digits: str, user: Reader) -> list[dict[str, object]]:
    listed = Campaign.objects.listed_for(user).filter(_range(digits)).order_by("-id")
    return [
        {
            "href": reverse("campaign", args=[row["id"]]),
            "text": str(row["id"]),
            "note": f"campaign {row['plan_name']}",
            "at": row["started_at"],
        }
        for row in listed.values("id", "plan_name", "started_at")[:MOST_LINES]
    ]
