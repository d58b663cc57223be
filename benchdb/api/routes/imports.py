"""`/api/v1/imports`: send raw files, read the recognised results, store them as runs."""

from __future__ import annotations

import json
from uuid import UUID

from django.http import Http404, HttpRequest
from django.urls import reverse
from ninja import Router, Status

from benchagent.formats import stated_units
from benchdb.api.auth import TokenAuth, TokenRequest, reader
from benchdb.api.errors import ApiError, ErrorOut
from benchdb.api.throttle import AccountThrottle
from benchdb.facts.registry import ENTRIES
from benchdb.http.requests import Reader
from benchdb.http.work import expect
from benchdb.ingest.contract import Fault
from benchdb.ingest.imports import page, request_files, services
from benchdb.ingest.imports.chosen import TOOLS, ReadingForm
from benchdb.ingest.imports.form import StoreForm
from benchdb.ingest.imports.reading import SECONDS_A_RESULT, ImportHead, results
from benchdb.ingest.imports.unpack import RefusedFiles
from benchdb.ingest.models import FileState, Import, ImportFile, ImportState, Scope

from .import_schemas import FileOut, ImportedRun, ImportOut, ImportStateOut, ResultsOut, StoreIn

router = Router(tags=["imports"])
RESULTS_A_PAGE = 500
READ_ERRORS = {frozenset({401, 403, 404, 429, 503}): ErrorOut}


@router.post(
    "",
    auth=TokenAuth(Scope.UPLOAD),
    throttle=[AccountThrottle("IMPORT_RATE")],
    response={201: ImportOut, frozenset({400, 401, 403, 413, 415, 422, 429, 503, 507}): ErrorOut},
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {
                "multipart/form-data": {
                    "schema": {
                        "type": "object",
                        "required": ["files"],
                        "properties": {
                            "files": {"type": "array", "items": {"type": "string", "format": "binary"}},
                            "tool": {"type": "string", "enum": TOOLS},
                            "unit": {"type": "string", "enum": list(stated_units())},
                        },
                    }
                }
            },
        }
    },
)
def post_import(request: TokenRequest) -> Status[ImportOut]:
    """Give raw files, or archives of them. Nothing is stored until that is asked for.

    `tool` is the tool of all files, if it shall not be recognized; `unit` is that of numbers whose text has none.
    """
    if request.content_type != "multipart/form-data":
        raise ApiError(415, "unsupported_media_type", "Send multipart/form-data with the files in the field `files`.")
    try:
        request_files.read_form(request)
        form = ReadingForm(request.POST)
        if faults := [Fault(f"/{name}", form.data.get(name), message) for name, message in form.faults()]:
            raise ApiError(422, "faulty_import", "Nothing was taken. Correct the faults and send it again.", faults)
        draft = services.begin(request.auth.owner, request_files.given(request), **form.cleaned_data)
    except request_files.RefusedRequest as error:
        raise ApiError(error.status, "too_large" if error.status == 413 else "broken_body", str(error)) from None
    except RefusedFiles as error:
        raise ApiError(422, "not_taken", str(error)) from None
    return Status(201, _out(request, draft))


@router.get("/{uuid:import_id}", response={200: ImportOut, **READ_ERRORS})
def get_import(request: HttpRequest, import_id: UUID) -> ImportOut:
    """An import of one's own: how far it is, and what was recognized."""
    return _out(request, _own(reader(request), import_id))


@router.get("/{uuid:import_id}/state", url_name="import_state", response={200: ImportStateOut, **READ_ERRORS})
def get_import_state(request: HttpRequest, import_id: UUID) -> ImportStateOut:
    """Only how far it is; cheap enough to ask again and again."""
    draft = _own(reader(request), import_id)
    files = list(draft.files.light().only("of", "state", "size"))
    progress = page.progress(draft, files, page.import_ahead(draft))
    return ImportStateOut(state=draft.state, version=page.version(draft, files), **progress)


@router.get(
    "/{uuid:import_id}/files/{int:number}",
    response={200: ResultsOut, frozenset({401, 403, 404, 422, 429, 503}): ErrorOut},
)
def get_results(request: HttpRequest, import_id: UUID, number: int, start: int = 0) -> dict[str, object]:
    """The results of one file, 500 at a time."""
    file = _own(reader(request), import_id).files.defer("content").filter(ordinal=min(number, 10**6)).first()
    if file is None:
        raise Http404
    expect(SECONDS_A_RESULT * file.result_count)
    rows = results(bytes(file.reading))[0] if file.reading else []
    start = min(max(start, 0), len(rows))
    end = start + RESULTS_A_PAGE
    # The answer of `ResultsOut` before it is validated.
    return {"results": rows[start:end], "next": end if end < len(rows) else None}


@router.post(
    "/{uuid:import_id}/store",
    auth=TokenAuth(Scope.UPLOAD),
    throttle=[AccountThrottle()],
    response={200: ImportOut, 202: ImportOut, frozenset({400, 401, 403, 404, 409, 413, 422, 429, 503}): ErrorOut},
)
def post_store(request: TokenRequest, import_id: UUID, body: StoreIn) -> Status[ImportOut]:
    """Store its runs, all or none. Asking again changes nothing."""
    draft = _own(request.auth.owner, import_id)
    if draft.state == ImportState.READY:
        draft = _store(draft, body, request.auth.default_visibility)
    elif draft.state == ImportState.READING:
        raise ApiError(409, "not_ready", "The import is still being read. Store it when its state is ready.")
    if draft.faults:
        faults = [Fault(f"/{path}" if path else "", None, expected) for path, expected in draft.faults]
        raise ApiError(422, "not_stored", "Nothing was stored.", faults)
    return Status(200 if draft.state == ImportState.STORED else 202, _out(request, draft))


def _store(draft: Import, body: StoreIn, visibility: str) -> Import:
    faults = [
        Fault(f"/facts/{name}", None, f"one of {', '.join(entry.name for entry in ENTRIES)}")
        for name in body.facts
        if name not in {entry.name for entry in ENTRIES}
    ]
    if any(not (name + value).isprintable() or "=" in name for name, value in body.labels.items()):
        faults.append(Fault("/labels", None, "names without =, and all in one line"))
    entered = {
        **body.facts,
        **body.model_dump(include={"machine", "runs", "leave_out", "cache", "prepare"}),
        "labels": "\n".join(f"{name} = {value}" for name, value in body.labels.items()),
        "visibility": body.visibility or visibility,
        "measured_at": body.measured_at.isoformat() if body.measured_at else "",
    }
    detect = {} if body.detect is None else {"detect": json.dumps(body.detect)}
    form = StoreForm(draft.files.count(), {**entered, **detect}, detected=draft.detected)
    form.is_valid()
    faults += [
        Fault(f"/facts/{name}" if name in body.facts else f"/{name}", None, str(text))
        for name, texts in form.errors.items()
        for text in texts
    ]
    if faults:
        raise ApiError(422, "faulty_import", "Nothing was stored. Correct the faults and send it again.", faults)
    try:
        return services.store(draft, form, entered)
    except services.NothingToStore as error:
        raise ApiError(422, "nothing_to_store", str(error)) from None
    except services.NotReady:
        raise ApiError(409, "not_ready", "The import was discarded or is being read.") from None


@router.delete(
    "/{uuid:import_id}",
    auth=TokenAuth(Scope.UPLOAD),
    response={204: None, frozenset({401, 403, 404, 409, 429, 503}): ErrorOut},
)
def delete_import(request: TokenRequest, import_id: UUID) -> Status[None]:
    """Discard an import. Runs that were stored stay."""
    try:
        services.discard(_own(request.auth.owner, import_id))
    except services.NotReady:
        raise ApiError(409, "not_ready", "The import is being stored. Delete its runs afterwards.") from None
    return Status(204, None)


def _own(user: Reader, import_id: UUID) -> Import:
    draft = Import.objects.filter(pk=import_id, owner=user.pk).first() if user.is_authenticated else None
    if draft is None:
        raise Http404
    return draft


def _out(request: HttpRequest, draft: Import) -> ImportOut:
    files = list(draft.files.light())
    return ImportOut(
        id=draft.pk,
        url=request.build_absolute_uri(draft.get_absolute_url()),
        state=ImportState(draft.state),
        version=page.version(draft, files),
        files=[_file_out(file) for file in files],
        left_out=draft.notes,
        faults=draft.faults,
        runs=[
            ImportedRun(run_id=run_id, url=request.build_absolute_uri(reverse("run", args=[run_id])))
            for run_id in draft.run_ids
        ],
    )


def _file_out(file: ImportFile) -> FileOut:
    head: ImportHead | None = file.head or None
    return FileOut(
        number=file.ordinal,
        name=file.name,
        size=file.size,
        state=FileState(file.state),
        reason=file.reason or None,
        line=file.line,
        column=file.column,
        tool=file.tool or None,
        tool_version=head and head["tool_version"],
        command=head and head["command"],
        parameters={**head["parameters"]} if head else None,
        results=file.result_count,
        rounds=file.round_count,
        warnings=head["warnings"] if head else [],
        unread=head["unread"] if head else [],
    )
