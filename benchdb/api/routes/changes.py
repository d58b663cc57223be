"""`/api/v1/changes` and `/api/v1/runs/ID/document`: what a program needs to follow the public runs."""

from __future__ import annotations

import gzip
from datetime import datetime
from typing import Annotated
from uuid import UUID

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from ninja import Query, Router, Schema

from benchdb.api.auth import reader
from benchdb.api.errors import ApiError, ErrorOut
from benchdb.feeds.changes import changes_after
from benchdb.http.work import expect
from benchdb.ingest.stored_document import stored_document
from benchdb.runs.models import Run
from benchdb.runs.store.archive import ArchiveFailed
from benchdb.signatures.models import Signature

from .runs import READ_ERRORS, SIGNATURE, readable

router = Router(tags=["changes"])
WHOLE_UP_TO = 4 * 2**20  # bytes of a document that is made before the answer begins, so that an error is an answer
SECONDS_A_BYTE, SECONDS_A_VALUE = 4e-8, 1.5e-6  # processor time to make a document again


class ChangeOut(Schema):
    """The last change of a run that is public or was public once, with what is public about it now."""

    run_id: UUID
    change: int
    changed_at: datetime
    left: str | None
    reason: str
    labels: dict[str, str]
    reading: int


class ChangesOut(Schema):
    """Changes in ascending order. If `changes` is empty, there are no more; continue after the last one later."""

    changes: list[ChangeOut]
    greatest: int


@router.get("/changes", response={200: ChangesOut, frozenset({401, 403, 422, 429, 503}): ErrorOut})
def get_changes(request: HttpRequest, after: Annotated[int, Query(ge=0, le=2**63 - 1)] = 0) -> ChangesOut:
    """The changes of public runs, in the order in which they became visible, 100 at once.

    A reader that has all changes up to a number has missed nothing: a run that changes again gets a greater number.
    """
    reader(request)  # a token without the scope reads nothing, as at other addresses
    changes, greatest = changes_after(after)
    return ChangesOut(
        changes=[
            ChangeOut(
                run_id=each.run_id,
                change=each.number,
                changed_at=each.changed_at,
                left=each.left,
                reason=each.reason,
                labels=dict(each.labels),
                reading=each.reading,
            )
            for each in changes
        ],
        greatest=greatest,
    )


@router.get(
    "/runs/{uuid:run_id}/document",
    url_name="run-document",
    response=READ_ERRORS,
    openapi_extra={
        "responses": {
            200: {
                "description": "OK",
                "content": {"application/json": {"schema": {"$ref": "/api/v1/schemas/run/1"}}},
            }
        }
    },
)
def get_document(request: HttpRequest, run_id: UUID) -> HttpResponseBase:
    """The document of a run, for storing the same run on another server.

    A signed document comes byte for byte as it was signed, with its signature in the header `BenchDB-Signature`. Any
    other is made from the store again, with the labels and the visibility of now, and names no run and no campaign that
    lists do not show.
    """
    run = readable(request, Run.objects.with_context(), run_id)
    state = run.runstate
    expect(SECONDS_A_BYTE * state.document_bytes + SECONDS_A_VALUE * state.value_count)
    signature = Signature.objects.filter(run=run).first()
    if signature is not None:
        document = gzip.decompress(bytes(signature.document))
        headers = {SIGNATURE: signature.signature}
        return HttpResponse(document, content_type="application/json", headers=headers)
    pieces = stored_document(run, reader(request))
    if state.document_bytes > WHOLE_UP_TO:
        return StreamingHttpResponse(pieces, content_type="application/json")
    try:
        return HttpResponse(b"".join(pieces), content_type="application/json")
    except ArchiveFailed as error:
        message = "The archive of raw output does not answer. Nothing is lost; try again later."
        raise ApiError(503, "unavailable", message) from error
