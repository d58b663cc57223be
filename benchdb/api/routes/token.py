"""`/api/v1/token`: the rights of the token in the request, which agents check before they measure for hours."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpRequest, HttpResponse
from ninja import Router, Schema, Status

from benchdb.api.auth import TokenAuth, TokenRequest
from benchdb.api.errors import ApiError, ErrorOut, too_often
from benchdb.http.rate_limits import address_of, too_many
from benchdb.identity import guests
from benchdb.ingest.guests import begin
from benchdb.ingest.models import Scope, Token

router = Router(tags=["token"])


class TokenOut(Schema):
    """A token without its secret. `expires_at` is null where it never does."""

    name: str
    scopes: list[str]
    expires_at: datetime | None


class GuestTokenOut(Schema):
    """The token of an anonymous upload. The secret is not shown again; it also claims the runs for an account."""

    secret: str
    scopes: list[str]
    visibility: str
    expires_at: datetime


@router.post("", response={201: GuestTokenOut, frozenset({404, 429, 503}): ErrorOut})
def begin_anonymous_upload(request: HttpRequest) -> Status[GuestTokenOut] | HttpResponse:
    """A token for uploads without an account, if the site takes them; an account claims them at `/account/claim/`."""
    if not guests.is_on():
        raise ApiError(404, "not_found", "This site takes no uploads without an account.")
    if seconds := too_many("ANONYMOUS_RATE", address_of(request)):
        return too_often(seconds)
    new = begin()
    out = GuestTokenOut(
        secret=new.secret,
        scopes=[Scope.UPLOAD.value],
        visibility=guests.forced_visibility(new.user) or "",
        expires_at=new.expires_at,
    )
    return Status(201, out)


@router.get("", auth=TokenAuth(*Scope), response={200: TokenOut, frozenset({401, 403, 429, 503}): ErrorOut})
def get_token(request: TokenRequest) -> Token:
    """The token that this request carries."""
    return request.auth
