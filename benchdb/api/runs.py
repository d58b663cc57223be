"""`/api/v1/runs`: store a run, read it, read its raw output, delete it."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from ninja import Router, Schema

from benchdb.ingest.body import RefusedBody, check_headers, read_body
from benchdb.ingest.contract import FaultyDocument
from benchdb.ingest.models import Scope, Token
from benchdb.ingest.services import RunConflict, RunDeleted, store_document
from benchdb.ingest.tokens import find_token
from benchdb.runs.models import Artifact, Run, Tombstone
from benchdb.runs.queries import results_of
from benchdb.runs.services import delete_run

from .auth import TokenAuth, TokenThrottle
from .errors import ApiError, ErrorOut

router = Router(tags=["runs"])


class RunOut(Schema):
    """Where a run stands: `received → computing → ready`, or `failed` with the reason."""

    run_id: UUID
    url: str
    state: str
    failure: str = ""


class RunDetail(RunOut):
    """A run with its results and their statistics, in base units."""

    tool: str
    tool_version: str | None
    command: list[str]
    machine: str
    started_at: datetime
    finished_at: datetime
    labels: dict[str, str]
    environment: dict[str, Any]
    target: dict[str, Any]
    protocol: dict[str, Any]
    rounds: list[dict[str, Any]]
    results: list[dict[str, Any]]


def _bearer(request: HttpRequest) -> Token | None:
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    return find_token(secret.strip()) if kind.lower() == "bearer" else None


def _reader(request: HttpRequest) -> Any:
    """The user a read is for: the session's, or the owner of a token that may read; else nobody in particular."""
    if request.user.is_authenticated:
        return request.user
    token = _bearer(request)
    if token is not None and (token.allows(Scope.READ) or token.allows(Scope.UPLOAD)):
        return token.owner
    return AnonymousUser()


def _visible_run(request: HttpRequest, run_id: UUID) -> Run:
    run = Run.objects.visible_to(_reader(request)).with_context().filter(pk=run_id).first()
    if run is None:
        if Tombstone.objects.filter(pk=run_id).exists():
            raise ApiError(410, "deleted", "This run was deleted.")
        raise Http404
    return run


ERRORS = {frozenset({400, 401, 403, 409, 410, 413, 415, 422, 429, 503}): ErrorOut}


@router.put(
    "/{uuid:run_id}",
    auth=TokenAuth(Scope.UPLOAD),
    throttle=[TokenThrottle()],
    response={200: RunOut, 201: RunOut, **ERRORS},
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": {"$ref": "/api/v1/schemas/run/1"}}},
        }
    },
)
def put_run(request: HttpRequest, run_id: UUID) -> tuple[int, dict[str, Any]]:
    """Store one result document, whole or not at all. Sending the same document again is harmless."""
    encoding = request.headers.get("Content-Encoding", "")
    try:
        check_headers(request.headers.get("Content-Type", ""), encoding)
        body = read_body(
            request,
            encoding,
            most_sent=settings.UPLOAD_MAX_BYTES,
            most_inflated=settings.UPLOAD_MAX_INFLATED_BYTES,
        )
        stored = store_document(request.auth, run_id, body)
    except RefusedBody as error:
        raise ApiError(error.status, error.code, error.message) from None
    except FaultyDocument as error:
        faults = [fault.as_dict() for fault in error.faults]
        raise ApiError(422, "faulty_document", _refusal(error), faults) from None
    except RunConflict:
        raise ApiError(409, "conflict", "Another document is stored under this id. Nothing was changed.") from None
    except RunDeleted:
        raise ApiError(410, "deleted", "This run was deleted; its id takes no document again.") from None
    url = request.build_absolute_uri(f"/runs/{run_id}/")
    return (201 if stored.new else 200), {"run_id": run_id, "url": url, "state": stored.state}


def _refusal(error: FaultyDocument) -> str:
    first = error.faults[0]
    place = f"`{first.pointer.removeprefix('/')}`" if first.pointer else "The document"
    more = f" and {error.count - 1} more faults" if error.count > 1 else ""
    return (
        f"Not stored: {place} is {first.value!r}; expected {first.expected}{more}. "
        "Nothing was saved; correct the document and send it again."
    )


@router.get("/{uuid:run_id}", response={200: RunDetail, frozenset({404, 410}): ErrorOut})
def get_run(request: HttpRequest, run_id: UUID) -> dict[str, Any]:
    """A run with its results and statistics."""
    run = _visible_run(request, run_id)
    state = run.runstate
    return {
        "run_id": run.id,
        "url": request.build_absolute_uri(run.get_absolute_url()),
        "state": state.state,
        "failure": state.failure,
        "tool": run.tool,
        "tool_version": run.tool_version,
        "command": run.command,
        "machine": run.machine.name,
        "started_at": run.started_at,
        "finished_at": run.finished_at,
        "labels": state.labels,
        "environment": run.environment.facts,
        "target": run.target.facts,
        "protocol": run.protocol,
        "rounds": run.rounds,
        "results": [result.as_dict() for result in results_of(run)],
    }


@router.get("/{uuid:run_id}/state", response={200: RunOut, frozenset({404, 410}): ErrorOut})
def get_state(request: HttpRequest, run_id: UUID) -> dict[str, Any]:
    """Only how far the server is with this run; cheap enough to ask again and again."""
    run = _visible_run(request, run_id)
    url = request.build_absolute_uri(run.get_absolute_url())
    return {"run_id": run.id, "url": url, "state": run.runstate.state, "failure": run.runstate.failure}


@router.get("/{uuid:run_id}/artifacts/{path:name}", response={frozenset({404, 410}): ErrorOut})
def get_artifact(request: HttpRequest, run_id: UUID, name: str) -> HttpResponse:
    """A tool's raw output, byte for byte."""
    artifact = get_object_or_404(Artifact, run=_visible_run(request, run_id), name=name)
    # Served as plain text or a download, never as something a browser would run.
    media_type = artifact.media_type if artifact.media_type == "text/plain" else "application/octet-stream"
    return HttpResponse(bytes(artifact.content), content_type=media_type)


@router.delete(
    "/{uuid:run_id}", auth=TokenAuth(Scope.UPLOAD), response={204: None, frozenset({401, 403, 404, 410}): ErrorOut}
)
def delete(request: HttpRequest, run_id: UUID) -> tuple[int, None]:
    """Delete a run of one's own. Its id answers 410 from now on."""
    run = _visible_run(request, run_id)
    if run.runstate.owner_id != request.auth.owner_id:
        raise Http404
    delete_run(run)
    return 204, None
