"""Freezing what a selection evaluates to, finding it again, taking it back, and taking deleted runs out of it."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import TooManyFieldsSent
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from benchdb.compare.models import Permalink
from benchdb.compare.query.errors import ImpossibleSelection, NothingThere
from benchdb.compare.query.selection import Selection
from benchdb.compare.surface.evaluate import SurfaceSelection, evaluate_surface
from benchdb.compare.table.evaluate import evaluate
from benchdb.compare.trend.evaluate import evaluate_trend
from benchdb.compare.trend.selection import TrendSelection
from benchdb.replica.positions import taken_back
from benchdb.runs.models import Run, Tombstone, Visibility

from .standing import Glance, glance_at

Named = dict[str, str]
MOST = 5


def own_permalinks(run_id: UUID, reader: Any) -> list[Named]:
    """The newest permalinks with this run that `reader` made, `[{text, href}]`; one query, none for the logged out.

    Those of others have addresses that are for whom they were given.
    """
    if not reader.is_authenticated:
        return []
    found = Permalink.objects.filter(runs__contains=[run_id], owner=reader, revoked_at=None)
    newest = found.order_by("-created_at").values_list("id", "kind")[:MOST]
    return [{"text": f"{kind} {each}", "href": Permalink(id=each).get_absolute_url()} for each, kind in newest]


ADDRESS_BYTES = 10  # 80 bits of a keyed hash: short enough to type, too long to guess
ADDRESS = re.compile(r"[a-z2-7]{16}")
KINDS = ("table", "surface", "trend")


class Revoked(Exception):
    """It was shared before and taken back; who asks now may not share it again."""


class NotPublic(Exception):
    """Sharing shows figures of runs that not everybody may find; the owner must agree first."""

    def __init__(self, runs: list[UUID]) -> None:
        self.runs = runs
        super().__init__(f"{len(runs)} of the runs are not public")


def share(
    owner: User, kind: str, query: str, *, share_private: bool = False, revive: bool = True
) -> tuple[Permalink, bool]:
    """Freeze the table, surface or trend of `query` as `owner` sees it now, and say whether the permalink is new.

    Raises ImpossibleSelection, also while statistics are being computed, NotPublic where runs are private or unlisted,
    unless `share_private`, and Revoked where it was taken back before, unless `revive`.
    """
    if kind not in KINDS:
        raise ImpossibleSelection([f"kind cannot be {kind!r}; possible are {', '.join(KINDS)}."])
    content = evaluated(kind, query, owner)
    if content["computing"]:
        raise ImpossibleSelection(["Statistics are still being computed. Share it when every cell is there."])
    return freeze(owner, kind, content["query"], content, share_private=share_private, revive=revive)


def evaluated(kind: str, query: str, reader: Any) -> dict[str, Any]:
    """What the query shows to `reader` now. Raises ImpossibleSelection."""
    try:
        if kind == "table":
            return evaluate(Selection.parse(query), reader)[0]
        if kind == "trend":
            return evaluate_trend(TrendSelection.parse(query), reader)[0]
        return evaluate_surface(SurfaceSelection.parse(query), reader)[0]
    except TooManyFieldsSent:
        most = settings.DATA_UPLOAD_MAX_NUMBER_FIELDS
        raise ImpossibleSelection([f"The query has too many parameters; it can have {most} at most."]) from None


def address(owner: User, kind: str, content: dict[str, Any]) -> str:
    """The permalink's address, a keyed hash of owner and content: the same share gives the same address."""
    digested = salted_hmac("benchdb.permalink", canonical([owner.pk, kind, content]), algorithm="sha256").digest()
    return base64.b32encode(digested[:ADDRESS_BYTES]).decode().lower()


def freeze(
    owner: User,
    kind: str,
    query: str,
    content: dict[str, Any],
    *,
    share_private: bool = False,
    revive: bool = True,
    under: str = "",
) -> tuple[Permalink, bool]:
    """Store `content` (JSON of a table, surface or trend with the ids of its runs) and say whether it is new.

    `under` is an address of the caller's, where it shall be the same on every server: nothing secret is in it then.
    Raises NotPublic where runs are not public, unless `share_private`, and NothingThere where one was deleted or hidden
    meanwhile. A permalink that was revoked lives again, or raises Revoked without `revive`.
    """
    runs = [UUID(run) for run in content["runs"]]
    # What the database gives back later is hashed, not what happens to be in memory now.
    content = json.loads(json.dumps(content, allow_nan=False))
    with transaction.atomic():
        _hold(owner, runs, share_private=share_private)
        permalink, new = Permalink.objects.get_or_create(
            id=under or address(owner, kind, content),
            defaults={
                "owner": owner,
                "author": owner.get_full_name() or owner.get_username(),
                "kind": kind,
                "query": query,
                "content": content,
                "runs": runs,
            },
        )
        if permalink.revoked_at is not None and not revive:
            raise Revoked
        if permalink.revoked_at is not None:
            Permalink.objects.filter(pk=permalink.pk).update(revoked_at=None)
    return permalink, new


def _hold(owner: User, runs: list[UUID], *, share_private: bool) -> None:
    """Keep the runs from being deleted until the transaction ends: a deletion finds the permalink, or stops it."""
    visible = Run.objects.visible_to(owner).filter(pk__in=runs).order_by("pk")
    held = dict(visible.select_for_update(of=("self",), no_key=True).values_list("pk", "runstate__visibility"))
    if missing := [str(run) for run in runs if run not in held]:
        raise NothingThere([f"There is no run {', '.join(missing)} any more that you may see."])
    hidden = [run for run in runs if held[run] != Visibility.PUBLIC]
    if hidden and not share_private:
        raise NotPublic(hidden)


def find(permalink_id: str) -> Permalink | None:
    """The permalink with this address, revoked or not, with what became of its runs; one query, or none."""
    if not ADDRESS.fullmatch(permalink_id):
        return None
    found = Permalink.objects.with_runs_now().filter(pk=permalink_id)
    return found.select_related("published__publication").first()  # of benchdb.publications, which knows this app


def glance(permalink_id: str) -> Glance | None:
    """The permalink for who has its figures already; None where it is gone, or some of them are. One query."""
    found = glance_at(permalink_id) if ADDRESS.fullmatch(permalink_id) else None
    return None if found is None or found.deleted else found


def revoke(owner: User, permalink_id: str) -> bool:
    """Take a permalink back; False where `owner` has none of this address. Sharing the same again revives it."""
    if not ADDRESS.fullmatch(permalink_id):
        return False
    own = Permalink.objects.filter(pk=permalink_id, owner=owner)
    revoked = own.filter(revoked_at=None).update(revoked_at=timezone.now())
    taken_back()
    return bool(revoked) or own.exists()


def redact(run_id: UUID) -> int:
    """Take a deleted run's figures out of everything that was shared; how many permalinks had them.

    Readers do not wait for this: `Permalink.shown` leaves them out from the deletion on. Idempotent, a transaction a
    permalink, and begun again it goes on where it was. None can be added meanwhile, because nobody can share a run that
    is deleted.
    """
    stored = Permalink.objects.filter(runs__contains=[run_id], content__runs__contains=[str(run_id)])
    found = list(stored.values_list("pk", flat=True))
    for pk in found:
        with transaction.atomic():
            permalink = Permalink.objects.select_for_update().with_runs_now().get(pk=pk)
            Permalink.objects.filter(pk=pk).update(content=permalink.shown)
    Tombstone.objects.filter(pk=run_id).update(redacted_at=timezone.now())
    return len(found)


def etag(permalink: Permalink | Glance, *of_page: str) -> str:
    """The entity tag of what shows a permalink; `of_page` is what else that depends on."""
    now = canonical([[str(run) for run in permalink.deleted], permalink.withdrawn])
    return _tag(permalink.id, permalink.created_at.isoformat(), now, *of_page)


@lru_cache(maxsize=1024)
def _tag(*of_answer: str) -> str:
    return f'"{digest(of_answer)[:32]}"'


def canonical(content: Any) -> str:
    """JSON with one form for each content."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"))


def digest(content: Any) -> str:
    """SHA-256 of a content, in hexadecimal: what is made of it can be kept under this name."""
    return hashlib.sha256(canonical(content).encode()).hexdigest()
