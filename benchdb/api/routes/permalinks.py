"""`/api/v1/permalinks`: freeze a table, surface, trend or response curves; list and revoke the owner's permalinks."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Literal

from django.http import Http404, HttpRequest
from ninja import Field, Router, Schema, Status
from pydantic import AwareDatetime

from benchdb.api.auth import TokenAuth, TokenRequest
from benchdb.api.errors import ApiError, ErrorOut
from benchdb.api.throttle import AccountThrottle
from benchdb.compare.models import Permalink
from benchdb.compare.permalinks import anonymous_page
from benchdb.compare.permalinks import services as permalinks
from benchdb.compare.permalinks.services import NotPublic, Revoked
from benchdb.compare.query.errors import ImpossibleSelection, NothingThere
from benchdb.http.requests import site_of
from benchdb.ingest.contract import Fault
from benchdb.ingest.models import Scope

router = Router(tags=["permalinks"])
PAGE = 100
Time = Annotated[AwareDatetime, Field(ge=datetime(1970, 1, 1, tzinfo=UTC), lt=datetime(9999, 1, 1, tzinfo=UTC))]


class PermalinkIn(Schema):
    """What to freeze: the query string of a comparison, a surface, a trend or response curves."""

    query: str = Field(max_length=100_000)
    kind: Literal["table", "surface", "trend", "response"] = "table"
    share_private: bool = False


class PermalinkOut(Schema):
    """Where it is now."""

    id: str
    url: str
    kind: str


class OwnPermalinkOut(PermalinkOut):
    """One of the owner's: when it was shared, and since when it is revoked."""

    created_at: datetime
    revoked_at: datetime | None


class PermalinksOut(Schema):
    """The newest permalinks. `next` is the `before` of the following page, or null."""

    permalinks: list[OwnPermalinkOut]
    next: datetime | None


@router.post(
    "",
    auth=TokenAuth(Scope.READ),
    throttle=[AccountThrottle("SHARE_RATE")],
    response={
        200: PermalinkOut,
        201: PermalinkOut,
        frozenset({202, 400, 401, 403, 404, 409, 422, 429, 500, 503, 507}): ErrorOut,
    },
)
def post_permalink(request: TokenRequest, body: PermalinkIn) -> Status[PermalinkOut]:
    """Freeze what the query shows to the token's owner. The same content again gives the same address (200).

    202 while a worker computes it: send it again. Runs that are not public are refused (409, their ids in the faults)
    unless `share_private` says that everybody may see their figures. For that, and to share again what was revoked,
    the token needs the scope `upload`, too.
    """
    decides = request.auth.allows(Scope.UPLOAD)
    if body.share_private and not decides:
        raise ApiError(403, "forbidden", "Only a token that also has the scope upload may share what is not public.")
    try:
        link, new = permalinks.share(
            request.auth.owner,
            body.kind,
            body.query,
            site=site_of(request),
            share_private=body.share_private,
            revive=decides,
        )
    except Revoked:
        message = "This permalink was revoked. Only a token with the scope upload may share it again."
        raise ApiError(403, "forbidden", message) from None
    except NothingThere as error:
        raise ApiError(404, "not_found", " ".join(error.faults)) from None
    except ImpossibleSelection as error:
        faults = [Fault("/query", None, expected) for expected in error.faults]
        raise ApiError(422, "impossible_selection", "This query cannot be shown.", faults) from None
    except NotPublic as error:
        faults = [Fault("/query", str(run), "a run that is public, or share_private") for run in error.runs]
        raise ApiError(409, "not_public", f"Not shared: {error}. Send share_private to share them.", faults) from None
    anonymous_page.prepare(link.id)
    return Status(201 if new else 200, PermalinkOut(id=link.id, url=_url(request, link), kind=link.kind))


@router.get(
    "", auth=TokenAuth(Scope.READ), response={200: PermalinksOut, frozenset({401, 403, 422, 429, 503}): ErrorOut}
)
def get_permalinks(request: TokenRequest, before: Time | None = None) -> PermalinksOut:
    """The token owner's permalinks, the newest first, a hundred at once."""
    rows = Permalink.objects.filter(owner=request.auth.owner).defer("content", "query").order_by("-created_at", "id")
    if before is not None:
        rows = rows.filter(created_at__lt=before.astimezone(UTC))  # PostgreSQL refuses offsets of 16 hours or more
    links = list(rows[: PAGE + 1])
    return PermalinksOut(
        permalinks=[
            OwnPermalinkOut(
                id=link.id,
                url=_url(request, link),
                kind=link.kind,
                created_at=link.created_at,
                revoked_at=link.revoked_at,
            )
            for link in links[:PAGE]
        ],
        next=links[PAGE - 1].created_at if len(links) > PAGE else None,
    )


@router.delete(
    "/{permalink_id}",
    auth=TokenAuth(Scope.UPLOAD),
    response={204: None, frozenset({401, 403, 404, 429, 503}): ErrorOut},
)
def delete_permalink(request: TokenRequest, permalink_id: str) -> Status[None]:
    """Revoke a permalink of one's own: it answers 410 everywhere from now on."""
    if not permalinks.revoke(request.auth.owner, permalink_id):
        raise Http404
    return Status(204, None)


def _url(request: HttpRequest, link: Permalink) -> str:
    return request.build_absolute_uri(link.get_absolute_url())
