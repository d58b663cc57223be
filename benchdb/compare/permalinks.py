"""Freezing what a selection evaluates to, and finding it again."""

from __future__ import annotations

import base64
import json
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.utils.crypto import salted_hmac

from benchdb.runs.models import Run, Visibility

from .models import Permalink

ADDRESS_BYTES = 10  # 80 bits of a keyed hash: short enough to type, too long to guess


class NotPublic(Exception):
    """Sharing shows figures of runs that not everybody may see; the owner must agree first."""

    def __init__(self, runs: list[UUID]) -> None:
        self.runs = runs
        super().__init__(f"{len(runs)} of the runs are not public")


def address(owner: User, kind: str, content: dict[str, Any]) -> str:
    """The permalink's address, a keyed hash of owner and content: the same share gives the same address."""
    canonical = json.dumps([owner.pk, kind, content], sort_keys=True, separators=(",", ":"))
    digest = salted_hmac("benchdb.permalink", canonical, algorithm="sha256").digest()
    return base64.b32encode(digest[:ADDRESS_BYTES]).decode().lower()


def freeze(
    owner: User, kind: str, query: str, content: dict[str, Any], *, share_private: bool = False
) -> tuple[Permalink, bool]:
    """Store `content` (JSON of a table or surface with the ids of its runs) and say whether it is new.

    Raises NotPublic where runs are neither public nor unlisted, unless `share_private`.
    """
    runs = [UUID(run) for run in content["runs"]]
    hidden = Run.objects.filter(pk__in=runs, runstate__visibility=Visibility.PRIVATE).values_list("pk", flat=True)
    if hidden and not share_private:
        raise NotPublic(list(hidden))
    # What the database gives back later is hashed, not what happens to be in memory now.
    content = json.loads(json.dumps(content, allow_nan=False))
    return Permalink.objects.get_or_create(
        id=address(owner, kind, content),
        defaults={"owner": owner, "kind": kind, "query": query, "content": content, "runs": runs},
    )
