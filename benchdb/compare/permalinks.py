"""Freezing what a selection evaluates to, and finding it again."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.utils.crypto import salted_hmac

from benchdb.runs.models import Run, Visibility

from .models import Permalink
from .selection import ImpossibleSelection, Selection
from .surface import SurfaceSelection, evaluate_surface
from .table import evaluate

ADDRESS_BYTES = 10  # 80 bits of a keyed hash: short enough to type, too long to guess
KINDS = ("table", "surface")


class NotPublic(Exception):
    """Sharing shows figures of runs that not everybody may see; the owner must agree first."""

    def __init__(self, runs: list[UUID]) -> None:
        self.runs = runs
        super().__init__(f"{len(runs)} of the runs are not public")


def share(owner: User, kind: str, query: str, *, share_private: bool = False) -> tuple[Permalink, bool]:
    """Freeze the table or surface of `query` as `owner` sees it now, and say whether the permalink is new.

    Raises ImpossibleSelection, and NotPublic where runs are private, unless `share_private`.
    """
    if kind == "table":
        content, _ = evaluate(Selection.parse(query), owner)
    elif kind == "surface":
        content, _ = evaluate_surface(SurfaceSelection.parse(query), owner)
    else:
        raise ImpossibleSelection([f"kind cannot be {kind!r}; possible are {', '.join(KINDS)}."])
    return freeze(owner, kind, content["query"], content, share_private=share_private)


def address(owner: User, kind: str, content: dict[str, Any]) -> str:
    """The permalink's address, a keyed hash of owner and content: the same share gives the same address."""
    canonical = json.dumps([owner.pk, kind, content], sort_keys=True, separators=(",", ":"))
    digest = salted_hmac("benchdb.permalink", canonical, algorithm="sha256").digest()
    return base64.b32encode(digest[:ADDRESS_BYTES]).decode().lower()


def freeze(
    owner: User, kind: str, query: str, content: dict[str, Any], *, share_private: bool = False
) -> tuple[Permalink, bool]:
    """Store `content` (JSON of a table or surface with the ids of its runs) and say whether it is new.

    Raises NotPublic where runs are private, unless `share_private`. A permalink that was revoked lives again.
    """
    runs = [UUID(run) for run in content["runs"]]
    hidden = Run.objects.filter(pk__in=runs, runstate__visibility=Visibility.PRIVATE).values_list("pk", flat=True)
    if hidden and not share_private:
        raise NotPublic(list(hidden))
    # What the database gives back later is hashed, not what happens to be in memory now.
    content = json.loads(json.dumps(content, allow_nan=False))
    permalink, new = Permalink.objects.get_or_create(
        id=address(owner, kind, content),
        defaults={"owner": owner, "kind": kind, "query": query, "content": content, "runs": runs},
    )
    if permalink.revoked_at is not None:
        permalink.revoked_at = None
        permalink.save(update_fields=["revoked_at"])
    return permalink, new


def etag(permalink: Permalink, *of_page: str) -> str:
    """The entity tag of what shows a permalink; `of_page` is what else that depends on."""
    parts = "\n".join([permalink.id, permalink.created_at.isoformat(), *of_page])
    return f'"{hashlib.sha256(parts.encode()).hexdigest()[:32]}"'
