"""`/api/v1/status`: the finished and the remaining work of the workers, for administrators."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Router, Schema
from ninja.errors import AuthenticationError

from benchdb.api.auth import reader
from benchdb.api.errors import ApiError, ErrorOut
from benchdb.runs.store.status import WorkStatus, status

router = Router(tags=["status"])


class StatisticsOut(Schema):
    """Runs with the newest statistics, and finished runs that have older ones."""

    version: int
    done: int
    outdated: int


class ParsersOut(Schema):
    """Runs that the newest parser has not looked at, and those whose raw output it could not read again."""

    version: str
    unread: int
    refused: int


class StatusOut(Schema):
    """Counts of runs."""

    runs: int
    states: dict[str, int]
    statistics: StatisticsOut
    parsers: ParsersOut


@router.get("", response={200: StatusOut, frozenset({401, 403, 429, 503}): ErrorOut})
def get_status(request: HttpRequest) -> WorkStatus:
    """Progress of the server’s background work. Only for users that are staff, by session or by a token of theirs."""
    user = reader(request)
    if not user.is_authenticated:
        raise AuthenticationError
    if not user.is_staff:
        raise ApiError(403, "forbidden", "Only users that are staff may see this.")
    return status()
