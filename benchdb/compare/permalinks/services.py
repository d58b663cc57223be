"""Freezes the content of a selection as a permalink, finds and revokes permalinks, removes deleted runs from them."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import time
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote_plus
from uuid import UUID

import orjson
from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import TooManyFieldsSent
from django.db import transaction
from django.db.models import Case, DateTimeField, Exists, JSONField, OuterRef, Q, When, Window
from django.db.models.expressions import RawSQL
from django.db.models.functions import RowNumber
from django.http import QueryDict
from django.utils import timezone
from django.utils.crypto import salted_hmac

from benchdb.celery import hand_over
from benchdb.compare.content import Content
from benchdb.compare.content_json import current, from_json, to_bytes, to_json
from benchdb.compare.goes_with.frozen import what_goes_with
from benchdb.compare.kinds import KINDS
from benchdb.compare.models import LARGE_BYTES, WAITING_SINCE, KeptAnswer, Permalink
from benchdb.compare.page_parts.kept import LivePart, kept_part
from benchdb.compare.query.dimensions import dimension
from benchdb.compare.query.errors import ImpossibleSelection, NothingThere
from benchdb.compare.table.content import TableContent
from benchdb.http.requests import Reader
from benchdb.http.work import expect
from benchdb.quotas.limits import Amount
from benchdb.quotas.models import Quota
from benchdb.quotas.services import charge, check_room
from benchdb.replica.positions import taken_back
from benchdb.runs.models import PermalinkReader, Run, RunQuerySet, Tombstone, Visibility, in_hidden_campaign

from .glance import Glance, glance_at

MOST = 5
REDACTED_AT_ONCE = 1000
_SMALL = {"small": Case(When(document_bytes__lt=LARGE_BYTES, then="content"), output_field=JSONField())}
PREPARE_CARD = "benchdb.exports.tasks.prepare_card"  # of benchdb.exports, which imports us
SECONDS_A_BYTE = 5e-8  # to make the document of a permalink


@dataclass(frozen=True, slots=True)
class PermalinkName:
    """A permalink in a list of links: `table abcdef…`."""

    text: str
    href: str


def own_permalinks(run_id: UUID, reader: Reader) -> list[PermalinkName]:
    """The newest permalinks with this run that `reader` made; one query, none for the logged out.

    The address of a permalink is only for the people to whom its owner gave it.
    """
    if not reader.is_authenticated:
        return []
    permalinks = Permalink.objects.filter(runs__contains=[run_id], owner=reader, revoked_at=None)
    newest = permalinks.order_by("-created_at").values_list("id", "kind")[:MOST]
    return [
        PermalinkName(f"{KINDS[kind].noun} {link_id}", Permalink(id=link_id).get_absolute_url())
        for link_id, kind in newest
    ]


ADDRESS_BYTES = 10  # 80 bits of a keyed hash: short enough to type, too long to guess
ADDRESS = re.compile(r"[a-z2-7]{16}")


class Revoked(Exception):
    """The permalink was revoked, and this request may not share it again."""


class NotPublic(Exception):
    """Sharing shows figures of private or unlisted runs, so the owner must agree first."""

    def __init__(self, runs: list[UUID]) -> None:
        self.runs = runs
        super().__init__(f"{len(runs)} of the runs are not public")


def share(
    owner: User, kind: str, query: str, *, site: str = "", share_private: bool = False, revive: bool = True
) -> tuple[Permalink, bool]:
    """Freeze the table, surface or trend of `query` as `owner` sees it now; the bool is whether the permalink is new.

    `site` is the scheme and host of the request: answers to readers of the same site are kept. Raises
    LeftToWorker; ImpossibleSelection, also while statistics are being computed, and for runs that staff has hidden;
    NotPublic if runs are private or unlisted, unless `share_private`; Revoked if the permalink was revoked before,
    unless `revive`; and QuotaExceeded.
    """
    if kind not in KINDS:
        raise ImpossibleSelection([f"kind cannot be {kind!r}; possible are {', '.join(KINDS)}."])
    document = frozen(kind, query, owner)
    return freeze(owner, kind, document, site=site, share_private=share_private, revive=revive)


class Frozen(NamedTuple):
    """A content as permalinks store it, in canonical JSON, with its query and its runs."""

    query: str
    runs: list[str]
    document: str


def frozen(kind: str, query: str, reader: Reader) -> Frozen:
    """What `share` freezes: kept, or evaluated now and kept. Raises ImpossibleSelection, and LeftToWorker."""

    def document() -> bytes:
        content = evaluated(kind, query, reader)
        if content.computing:
            raise ImpossibleSelection(["Statistics are still being computed. Share it when every cell is there."])
        content = _as_shared(kind, content, reads)
        if isinstance(content, TableContent):
            content = replace(content, goes_with=what_goes_with(content))
        return orjson.dumps([*frozen_of(content)])

    reads = KINDS[kind].reads(_parsed(query), reader)
    return Frozen(*orjson.loads(kept_part(LivePart("frozen", kind, query), reader, reads, document).raw))


def _as_shared(kind: str, content: Content, reads: RunQuerySet) -> Content:
    """The content without what it says of runs that it does not show and that are not public.

    Its owner sees how many there are and how their settings differ, and was not asked whether readers may know it. Nor
    has it the ids of campaigns that lists do not show: their runs are in their place.
    """
    shown = [UUID(run) for run in content.runs]
    hidden = {*map(str, reads.filter(in_hidden_campaign(AnonymousUser())).values_list("campaign_id", flat=True))}
    if not hidden and not reads.exclude(pk__in=shown).exclude(runstate__visibility=Visibility.PUBLIC).exists():
        return content
    query = _parsed(content.query).copy()
    if not hidden.isdisjoint(campaigns := query.getlist("campaign")):
        query.setlist("run", [*dict.fromkeys([*query.getlist("run"), *content.runs])])
        query.setlist("campaign", [each for each in campaigns if each not in hidden])
    text = query.urlencode()
    for campaign in hidden:  # in labels, as of the baseline
        text = text.replace(campaign, quote_plus(dimension("campaign").absent))
    shared: Content = KINDS[kind].evaluate_visible(text, shown, PermalinkReader(shown))[0]
    return shared


def frozen_of(content: Content) -> Frozen:
    """The content in the form of permalinks."""
    document = to_bytes(content)
    expect(SECONDS_A_BYTE * len(document))
    read = orjson.loads(document)
    if from_json(read) != content:
        raise ValueError("A figure of this content is not JSON compliant, as NaN: what is stored would differ from it.")
    return Frozen(content.query, content.runs, canonical(read))


def evaluated(kind: str, query: str, reader: Reader) -> Content:
    """The content that the query shows to `reader` now. Raises ImpossibleSelection, and LeftToWorker."""
    return current(kind, _parsed(query), reader)


def _parsed(query: str) -> QueryDict:
    try:
        return QueryDict(query)
    except TooManyFieldsSent:
        most = settings.DATA_UPLOAD_MAX_NUMBER_FIELDS
        raise ImpossibleSelection([f"The query has too many parameters; it can have {most} at most."]) from None


def address(owner: User, kind: str, document: str) -> str:
    """The permalink's address, a keyed hash of owner and content: the same share gives the same address."""
    owned = f'[{owner.pk},"{kind}",{document}]'
    digested = salted_hmac("benchdb.permalink", owned, algorithm="sha256").digest()
    return base64.b32encode(digested[:ADDRESS_BYTES]).decode().lower()


def freeze(
    owner: User,
    kind: str,
    content: Frozen,
    *,
    site: str = "",
    share_private: bool = False,
    revive: bool = True,
    under: str = "",
) -> tuple[Permalink, bool]:
    """Store a table, surface or trend; the bool is whether it is new.

    `under` is an address chosen by the caller that is equal on every server, and so contains nothing secret. Raises
    NotPublic if runs are not public, unless `share_private`, NothingThere if a run was deleted or hidden meanwhile, and
    QuotaExceeded. A revoked permalink is valid again, or raises Revoked without `revive`.
    """
    runs = [UUID(run) for run in content.runs]
    size = 0 if under else len(content.document)  # no quota applies to the tables of articles
    with transaction.atomic():
        _hold(owner, runs, share_private=share_private)
        permalink, new = Permalink.objects.defer("content").get_or_create(
            id=under or address(owner, kind, content.document),
            defaults={
                "owner": owner,
                "author": owner.get_full_name() or owner.get_username(),
                "kind": kind,
                "query": content.query,
                "content": RawSQL("%s::jsonb", [content.document]),  # as it is
                "document_bytes": size,
                "runs": runs,
                "site": site,
            },
        )
        if new:
            del permalink.content  # read from the database if somebody asks for it
        if new and not under:
            _check_room(owner)
        if permalink.revoked_at is not None and not revive:
            raise Revoked
        if site and (new or permalink.site != site):
            transaction.on_commit(lambda: hand_over(PREPARE_CARD, permalink.pk))
        if permalink.revoked_at is not None or permalink.site != site:
            Permalink.objects.filter(pk=permalink.pk).update(revoked_at=None, site=site)
        if new and size:
            charge(owner, Amount(document_bytes=size))
    return permalink, new


def _check_room(owner: User) -> None:
    """Raise QuotaExceeded if the owner has more permalinks than allowed, with the one that was just added."""
    check_room(
        owner,
        Quota.PERMALINKS,
        1,
        lambda: Permalink.objects.filter(owner=owner).count() - 1,  # revoked ones too, since their content is kept
        lambda: Permalink.objects.count() - 1,
    )


def _hold(owner: User, runs: list[UUID], *, share_private: bool) -> None:
    """Keep the runs from being deleted until the transaction ends: a deletion finds the permalink, or stops it."""
    visible = Run.objects.visible_to(owner).filter(pk__in=runs).order_by("pk")
    locked = visible.select_for_update(of=("self",), no_key=True)
    held = {
        run: state for run, *state in locked.values_list("pk", "runstate__visibility", "runstate__visibility_limit")
    }
    if missing := [str(run) for run in runs if run not in held]:
        raise NothingThere([f"There is no run {', '.join(missing)} any more that you may see."])
    if limited := [run for run in runs if held[run][1]]:
        raise ImpossibleSelection([f"A maintainer has hidden run {run}: it cannot be shared." for run in limited])
    hidden = [run for run in runs if held[run][0] != Visibility.PUBLIC]
    if hidden and not share_private:
        raise NotPublic(hidden)


def find(permalink_id: str) -> Permalink | None:
    """The permalink with this address, revoked or not, with the state of its runs; one query, or none.

    A large content is read if somebody asks for it.
    """
    if not ADDRESS.fullmatch(permalink_id):
        return None
    permalinks = Permalink.objects.with_runs_now().filter(pk=permalink_id).defer("content").annotate(**_SMALL)
    permalink = permalinks.select_related("published__publication").first()  # of benchdb.publications, which imports us
    if permalink is not None and not permalink.is_large:
        permalink.content = permalink.small
    return permalink


def glance(permalink_id: str, name: str, tags: str = "") -> Glance | None:
    """The state of a permalink and its answer `name`; None if it or one of its runs is gone. One query, or none.

    An answer that the reader has under one of these `tags` (If-None-Match) is not read.
    """
    return glance_at(permalink_id, name, tags) if ADDRESS.fullmatch(permalink_id) else None


def revoke(owner: User, permalink_id: str) -> bool:
    """Revoke a permalink; False if `owner` has none with this address. Sharing the same figures again revives it."""
    if not ADDRESS.fullmatch(permalink_id):
        return False
    permalinks = Permalink.objects.filter(pk=permalink_id, owner=owner)
    revoked = permalinks.filter(revoked_at=None).update(revoked_at=timezone.now())
    taken_back()
    return bool(revoked) or permalinks.exists()


def redact(seconds: float) -> int:
    """Remove the figures of deleted runs from permalinks for so long; returns the number of runs that are in none now.

    A call ends after the permalink that it is at, and the next one continues; owners take turns, each with the
    permalink that waits longest. Readers do not wait for this, because `Permalink.shown` leaves the figures out from
    the deletion on. Idempotent. No permalink can be added meanwhile, because nobody can share a deleted run.
    """
    until, waiting = time.monotonic() + seconds, Tombstone.objects.filter(redacted_at=None)
    runs = list(waiting.order_by("deleted_at").values_list("pk", flat=True)[:REDACTED_AT_ONCE])
    since = RawSQL(WAITING_SINCE, [], output_field=DateTimeField())
    turn = Window(RowNumber(), partition_by="owner", order_by="since")
    turns = Permalink.objects.filter(runs__overlap=runs).alias(since=since).exclude(since=None).alias(turn=turn)
    for pk in turns.order_by("turn", "?").values_list("pk", flat=True):
        _rewrite(pk)
        if time.monotonic() > until:
            break
    inside = Permalink.objects.filter(Q(remaining=None) | Q(remaining__contains=[OuterRef("pk")]))
    return waiting.filter(~Exists(inside.filter(runs__contains=[OuterRef("pk")])), pk__in=runs).update(
        redacted_at=timezone.now()
    )


def _rewrite(pk: str) -> None:
    with transaction.atomic():
        permalink = Permalink.objects.select_for_update().with_runs_now().get(pk=pk)
        left = to_json(permalink.left) if permalink.left else {"schema": permalink.content["schema"], "runs": []}
        Permalink.objects.filter(pk=pk).update(content=left, remaining=left["runs"])
        KeptAnswer.objects.filter(permalink=pk).delete()


def etag(permalink: Permalink | Glance, *of_page: str) -> str:
    """The entity tag of an answer that shows a permalink; the answer also depends on `of_page`."""
    now = f"{[*permalink.deleted]} {permalink.withdrawn}"
    return _tag(permalink.id, permalink.created_at.isoformat(), now, *of_page)


@lru_cache(maxsize=1024)
def _tag(*of_answer: str) -> str:
    return f'"{digest(of_answer)[:32]}"'


def canonical(content: object) -> str:
    """The canonical JSON of a content."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"))


def digest(content: object) -> str:
    """SHA-256 of a content, in hexadecimal: a name for files that are derived from it."""
    return hashlib.sha256(canonical(content).encode()).hexdigest()
