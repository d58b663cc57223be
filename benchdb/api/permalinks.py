"""`/api/v1/permalinks`: freeze a table or surface and get its address."""

from __future__ import annotations

from typing import Any, Literal

from django.http import HttpRequest
from ninja import Field, Router, Schema, Status

from benchdb.compare.permalinks import NotPublic, share
from benchdb.compare.selection import ImpossibleSelection, NothingThere
from benchdb.ingest.models import Scope

from .auth import TokenAuth
from .errors import ApiError, ErrorOut

router = Router(tags=["permalinks"])


class PermalinkIn(Schema):
    """What to freeze: the query string of a comparison or of a surface."""

    query: str = Field(max_length=100_000)
    kind: Literal["table", "surface"] = "table"
    share_private: bool = False


class PermalinkOut(Schema):
    """Where it is now."""

    id: str
    url: str
    kind: str


@router.post(
    "",
    auth=TokenAuth(Scope.READ),
    response={200: PermalinkOut, 201: PermalinkOut, frozenset({401, 403, 404, 409, 422}): ErrorOut},
)
def post_permalink(request: HttpRequest, body: PermalinkIn) -> Status[dict[str, Any]]:
    """Freeze what the query shows to the token's owner. The same content again gives the same address (200).

    Private runs are refused (409, their ids in the faults) unless `share_private` says that everybody may see their
    figures.
    """
    try:
        link, new = share(request.auth.owner, body.kind, body.query, share_private=body.share_private)
    except NothingThere as error:
        raise ApiError(404, "not_found", " ".join(error.faults)) from None
    except ImpossibleSelection as error:
        faults = [{"pointer": "/query", "value": None, "expected": fault} for fault in error.faults]
        raise ApiError(422, "impossible_selection", "This query cannot be shown.", faults) from None
    except NotPublic as error:
        faults = [
            {"pointer": "/query", "value": str(run), "expected": "a run that is not private, or share_private"}
            for run in error.runs
        ]
        raise ApiError(409, "not_public", f"Not shared: {error}. Send share_private to share them.", faults) from None
    url = request.build_absolute_uri(link.get_absolute_url())
    return Status(201 if new else 200, {"id": link.id, "url": url, "kind": link.kind})
