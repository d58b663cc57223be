"""Tables, surfaces and trends as data and as pictures: beside their pages, under the same rules of who may see."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from benchdb.compare.kinds import KINDS
from benchdb.compare.permalinks import kept_answers as sent_pages
from benchdb.compare.permalinks.kept_answers import asked_each_time
from benchdb.compare.permalinks.services import etag
from benchdb.compare.permalinks.views import find_permalink
from benchdb.compare.query.errors import ImpossibleSelection, NothingThere
from benchdb.exports.formats import EXPORTS_VERSION, FORMATS, SHAPED, possible_shapes, takes_long
from benchdb.exports.formats.lines import SHAPES

from .contents import Content
from .models import Export
from .origin import Origin
from .waiting import from_worker

DIGEST = re.compile(r"[0-9a-f]{64}")


@require_safe
def live(request: HttpRequest, kind: str, form: str) -> HttpResponse:
    """The table, surface or trend of the query string, as it is now."""
    path = KINDS[kind].path
    try:
        shape, query = _shape(request, form)
        content = KINDS[kind].evaluate(query, request.user)
    except ImpossibleSelection as error:
        return _impossible(error)
    address = request.build_absolute_uri(f"/{path}/?{content['query']}")
    return _answer(request, form, content, Origin(address, False, shape), f"benchdb-{path}")


@require_safe
def permalink(request: HttpRequest, permalink_id: str, form: str) -> HttpResponse:
    """The frozen content, from its own copy: one query. 410 where it was revoked, or its runs were deleted."""
    address = request.build_absolute_uri(reverse("permalink", args=[permalink_id]))
    if form in FORMATS and not request.GET:
        before = sent_pages.sent(request, permalink_id, *_of_file(form, "cells", address))
        if before is not None:
            return asked_each_time(request, before, before.get("ETag"))
    found = find_permalink(permalink_id)
    if found.gone:
        why = {"revoked": "was revoked", "deleted": "showed runs that were deleted"}[found.gone]
        again = {"Cache-Control": "no-cache"}  # it may be shared again
        return HttpResponse(f"This permalink {why}.\n", status=410, content_type="text/plain", headers=again)
    try:
        shape, _ = _shape(request, form)
    except ImpossibleSelection as error:
        return _impossible(error)
    tag = etag(found, *_of_file(form, shape, address))
    response = get_conditional_response(request, etag=tag)
    if response is None:
        origin = Origin(address, True, shape, tuple(_withdrawn(run) for run in found.withdrawn))
        response = _answer(request, form, found.shown, origin, f"benchdb-{found.id}")
        if not response.has_header("ETag"):  # what a worker made is kept already
            sent_pages.keep(request, tag, response)
    return asked_each_time(request, response, tag) if response.status_code in (200, 304) else response


@require_safe
def state(request: HttpRequest, digest: str) -> JsonResponse:
    """How far a worker is with a file; pages that wait for it ask here. The digest is a secret: it tells nothing."""
    if not DIGEST.fullmatch(digest):
        raise Http404
    export = get_object_or_404(Export.objects.only("state", "failure"), pk=digest)
    return JsonResponse({"state": export.state, "reason": export.failure})


def _of_file(form: str, shape: str, address: str) -> tuple[str, ...]:
    """What the tag of a permalink's file depends on besides the permalink."""
    return form, shape, address, str(EXPORTS_VERSION)


def _withdrawn(run: Mapping[str, Any]) -> str:
    return f"Its owner has withdrawn run {run['run']}: {run['reason'] or 'no reason given'}"


def _shape(request: HttpRequest, form: str) -> tuple[str, QueryDict]:
    """The shape that was asked for, and the rest of the query. Raises Http404 for a format that there is not."""
    if form not in FORMATS:
        raise Http404
    query = request.GET.copy()
    shape = str(query.pop("shape", ["cells"])[-1])
    if shape not in SHAPES:
        raise ImpossibleSelection([f"shape cannot be {shape!r}; possible are {possible_shapes()}."])
    if "shape" in request.GET and form not in SHAPED:
        raise ImpossibleSelection([f"shape is for {' and '.join(SHAPED)}; {form} has none."])
    return shape, query


def _answer(request: HttpRequest, form: str, content: Content, origin: Origin, name: str) -> HttpResponse:
    found = FORMATS[form]
    if takes_long(form, content, origin.shape):
        response = from_worker(request, content, origin, form)
    else:
        response = HttpResponse(found.export(content, origin), content_type=f"{found.MEDIA_TYPE}; charset=utf-8")
    if response.status_code == 200:
        suffix = "" if origin.shape == "cells" else f"-{origin.shape}"
        response["Content-Disposition"] = f'inline; filename="{name}{suffix}.{form}"'
    return response


def _impossible(error: ImpossibleSelection) -> HttpResponse:
    status = 404 if isinstance(error, NothingThere) else 400
    return HttpResponse("\n".join(error.faults) + "\n", status=status, content_type="text/plain; charset=utf-8")
