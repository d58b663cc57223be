"""`/api/v1/token`: the rights of the token in the request, which agents check before they measure for hours."""

from __future__ import annotations

from datetime import datetime

from ninja import Router, Schema

from benchdb.api.auth import TokenAuth, TokenRequest
from benchdb.api.errors import ErrorOut
from benchdb.ingest.models import Scope, Token

router = Router(tags=["token"])


class TokenOut(Schema):
    """A token without its secret. `expires_at` is null where it never does."""

    name: str
    scopes: list[str]
    expires_at: datetime | None


@router.get("", auth=TokenAuth(*Scope), response={200: TokenOut, frozenset({401, 403, 429, 503}): ErrorOut})
def get_token(request: TokenRequest) -> Token:
    """The token that this request carries."""
    return request.auth
