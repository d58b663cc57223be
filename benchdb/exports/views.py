"""Every table and surface as data, beside its page and under the same rules of who may see it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from benchdb.compare.permalink_views import find_permalink
from benchdb.compare.permalinks import etag
from benchdb.compare.selection import ImpossibleSelection, NothingThere, Selection
from benchdb.compare.surface import SurfaceSelection, evaluate_surface
from benchdb.compare.table import evaluate

from .formats import FORMATS


@require_safe
def table(request: HttpRequest, form: str) -> HttpResponse:
    """The table of the selection in the query string."""
    try:
        content, _ = evaluate(Selection.from_query(request.GET), request.user)
    except ImpossibleSelection as error:
        return _impossible(error)
    return _answer(form, content)


@require_safe
def surface(request: HttpRequest, form: str) -> HttpResponse:
    """The surface of the query string."""
    try:
        content, _ = evaluate_surface(SurfaceSelection.from_query(request.GET), request.user)
    except ImpossibleSelection as error:
        return _impossible(error)
    return _answer(form, content)


@require_safe
def permalink(request: HttpRequest, permalink_id: str, form: str) -> HttpResponse:
    """The frozen content, from its own copy: one query. 410 where it was revoked or its runs were deleted."""
    found = find_permalink(permalink_id)
    if found.gone:
        return HttpResponse(f"Gone: {found.gone}.\n", status=410, content_type="text/plain")
    tag = etag(found, form)
    response = get_conditional_response(request, etag=tag) or _answer(form, found.shown)
    response["ETag"] = tag
    response["Cache-Control"] = "no-cache"
    return response


def _answer(form: str, content: Mapping[str, Any]) -> HttpResponse:
    if form not in FORMATS:
        raise Http404
    found = FORMATS[form]
    return HttpResponse(found.export(content), content_type=f"{found.MEDIA_TYPE}; charset=utf-8")


def _impossible(error: ImpossibleSelection) -> HttpResponse:
    status = 404 if isinstance(error, NothingThere) else 400
    return HttpResponse("\n".join(error.faults) + "\n", status=status, content_type="text/plain; charset=utf-8")
