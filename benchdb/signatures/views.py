"""The files for verifying the signature of a run offline."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from benchdb.runs.views import deleted, visible_run

from .page import signed_file


@require_safe
def file_page(request: HttpRequest, run_id: UUID, name: str) -> HttpResponse:
    """The signed document, the signature, or the line for `allowed_signers`."""
    run = visible_run(request, run_id)
    if run is None:
        return deleted(request, run_id)
    file = signed_file(run, name)
    if file is None:
        raise Http404
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(file.content, content_type=file.media_type, headers=headers)
