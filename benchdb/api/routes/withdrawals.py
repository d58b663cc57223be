"""`/api/v1/runs/ID/withdrawal`: withdraw or reinstate a run of the owner."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.http import Http404
from ninja import Router, Schema, Status

from benchdb.api.auth import TokenAuth, TokenRequest
from benchdb.api.errors import ApiError, ErrorOut
from benchdb.api.text_types import NameText
from benchdb.ingest.models import Scope
from benchdb.runs.models import Run, Tombstone
from benchdb.runs.services import HeldByStaff, reinstate, withdraw

router = Router(tags=["runs"])
ERRORS = {frozenset({400, 401, 403, 404, 410, 422, 429, 503}): ErrorOut}


class WithdrawalIn(Schema):
    """Why the run should not count; readers of its page and of what was shared with it see this."""

    reason: NameText


def _own_run(request: TokenRequest, run_id: UUID) -> Run:
    run = Run.objects.filter(pk=run_id, runstate__owner=request.auth.owner).select_related("runstate").first()
    if run is None:
        if Tombstone.objects.filter(pk=run_id).exists():
            raise ApiError(410, "deleted", "This run was deleted.")
        raise Http404
    return run


@contextmanager
def _refused() -> Iterator[None]:
    """403 for what only a maintainer can undo."""
    try:
        yield
    except HeldByStaff as error:
        raise ApiError(403, "forbidden", str(error)) from error


@router.put("/{uuid:run_id}/withdrawal", auth=TokenAuth(Scope.UPLOAD), response={204: None, **ERRORS})
def put_withdrawal(request: TokenRequest, run_id: UUID, body: WithdrawalIn) -> Status[None]:
    """Withdraw a run of one's own: it stays readable at its address, with the reason, and lists do not show it."""
    with _refused():
        withdraw(_own_run(request, run_id), body.reason)
    return Status(204, None)


@router.delete("/{uuid:run_id}/withdrawal", auth=TokenAuth(Scope.UPLOAD), response={204: None, **ERRORS})
def delete_withdrawal(request: TokenRequest, run_id: UUID) -> Status[None]:
    """Let a withdrawn run count again."""
    with _refused():
        reinstate(_own_run(request, run_id))
    return Status(204, None)
