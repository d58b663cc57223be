"""`/api/v1/runs`: store a run, read it, read its raw output, delete it."""

from __future__ import annotations

from itertools import chain
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from ninja import Router, Status

from benchdb.api.auth import TokenAuth, TokenRequest, reader
from benchdb.api.errors import ApiError, ErrorOut
from benchdb.api.throttle import AccountThrottle
from benchdb.ingest.contract import FaultyDocument
from benchdb.ingest.models import Scope
from benchdb.ingest.request_body import RefusedBody, check_headers, read_body
from benchdb.ingest.services import RunConflict, RunDeleted, store_document
from benchdb.runs.models import Run, RunQuerySet, Tombstone
from benchdb.runs.services import delete_run
from benchdb.runs.store.archive import ArchiveFailed, pieces_of
from benchdb.signatures.sshsig import BadSignature

from .run_answers import RunDetail, RunOut, StoredRunOut, detail_answer, state_out

router = Router(tags=["runs"])
SIGNATURE = "BenchDB-Signature"  # the header with an OpenSSH signature of the document, in base64 on one line

PUT_ERRORS = {frozenset({400, 401, 403, 404, 409, 410, 411, 413, 415, 422, 429, 503, 507}): ErrorOut}
READ_ERRORS = {frozenset({401, 403, 404, 410, 429, 503}): ErrorOut}


def readable(request: HttpRequest, runs: RunQuerySet, run_id: UUID) -> Run:
    """The run, if the reader may see it. Raises Http404, and ApiError for a deleted run."""
    run = runs.visible_to(reader(request)).filter(pk=run_id).first()
    if run is None:
        if Tombstone.objects.filter(pk=run_id).exists():
            raise ApiError(410, "deleted", "This run was deleted.")
        raise Http404
    return run


@router.put(
    "/{uuid:run_id}",
    auth=TokenAuth(Scope.UPLOAD),
    throttle=[AccountThrottle()],
    response={200: StoredRunOut, 201: StoredRunOut, **PUT_ERRORS},
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": {"$ref": "/api/v1/schemas/run/1"}}},
        }
    },
)
def put_run(request: TokenRequest, run_id: UUID) -> Status[StoredRunOut]:
    """Store one result document, whole or not at all. Sending the same document again is harmless."""
    try:
        stored = store_document(request.auth, run_id, sent_body(request), request.headers.get(SIGNATURE))
    except RefusedBody as error:
        raise ApiError(error.status, error.code, error.message) from None
    except FaultyDocument as error:
        message = f"{error} Correct the document and send it again."
        raise ApiError(422, "faulty_document", message, error.faults) from None
    except BadSignature as error:
        message = f"Not stored: the signature is refused, because {error}. Nothing was saved."
        raise ApiError(422, "bad_signature", message) from None
    except RunConflict:
        raise ApiError(409, "conflict", "Another document is stored under this id. Nothing was changed.") from None
    except RunDeleted:
        raise ApiError(410, "deleted", "This run was deleted; its id takes no document again.") from None
    url = request.build_absolute_uri(f"/runs/{run_id}/")
    answer = StoredRunOut(run_id=run_id, url=url, state=stored.state, machine=stored.machine)
    return Status(201 if stored.new else 200, answer)


def sent_body(request: HttpRequest, most_inflated: int | None = None) -> bytes:
    """The body of an upload within its bounds. Raises RefusedBody."""
    encoding = request.headers.get("Content-Encoding", "")
    bounds = {
        "most_sent": settings.UPLOAD_MAX_BYTES,
        "most_inflated": most_inflated or settings.UPLOAD_MAX_INFLATED_BYTES,
    }
    check_headers(request.headers, most_sent=bounds["most_sent"])
    return read_body(request, encoding, **bounds)


@router.get("/{uuid:run_id}", response={200: RunDetail, **READ_ERRORS})
def get_run(request: HttpRequest, run_id: UUID) -> HttpResponseBase:
    """A run with its results and statistics."""
    return detail_answer(request, readable(request, Run.objects.with_context(), run_id))


@router.get("/{uuid:run_id}/state", response={200: RunOut, **READ_ERRORS})
def get_state(request: HttpRequest, run_id: UUID) -> RunOut:
    """Only how far the server is with this run; cheap enough to ask again and again."""
    return state_out(request, readable(request, Run.objects.select_related("runstate").only("id", "runstate"), run_id))


_BYTES = {"schema": {"type": "string", "format": "binary"}}


@router.get(
    "/{uuid:run_id}/artifacts/{path:name}",
    url_name="artifact",
    response=READ_ERRORS,
    openapi_extra={
        "responses": {
            200: {"description": "OK", "content": {"text/plain": _BYTES, "application/octet-stream": _BYTES}},
        }
    },
)
def get_artifact(request: HttpRequest, run_id: UUID, name: str) -> HttpResponseBase:
    """A tool's raw output, byte for byte."""
    artifacts = readable(request, Run.objects.only("id"), run_id).artifacts.defer("content")
    artifact = None if "\x00" in name else artifacts.filter(name=name).first()
    if artifact is None:
        raise Http404
    pieces = pieces_of(artifact)
    try:
        first = next(pieces, b"")
    except ArchiveFailed as error:
        message = "The archive of raw output does not answer. Nothing is lost; try again later."
        raise ApiError(503, "unavailable", message) from error
    # Plain text or a download, so that no browser runs the content.
    plain = artifact.media_type == "text/plain"
    headers = {"Content-Type": "text/plain; charset=utf-8" if plain else "application/octet-stream"}
    headers |= {} if plain else {"Content-Disposition": "attachment"}
    if len(first) == artifact.size:
        return HttpResponse(first, headers=headers)
    return StreamingHttpResponse(chain([first], pieces), headers={**headers, "Content-Length": str(artifact.size)})


@router.delete("/{uuid:run_id}", auth=TokenAuth(Scope.UPLOAD), response={204: None, **READ_ERRORS})
def delete(request: TokenRequest, run_id: UUID) -> Status[None]:
    """Delete a run that this token has uploaded. Its id answers 410 from now on.

    Other runs of the owner answer 403, so that a stolen token of one machine deletes nothing of the others.
    """
    run = readable(request, Run.objects.select_related("runstate"), run_id)
    if run.runstate.owner_id != request.auth.owner_id:
        raise Http404
    if run.runstate.sent_with != request.auth.pk:
        raise ApiError(403, "forbidden", "This token did not upload this run. Its owner can delete it on its page.")
    delete_run(run)
    return Status(204, None)
