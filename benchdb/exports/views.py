"""Tables, surfaces and trends as data and as pictures, with the permissions of their pages."""

from __future__ import annotations

import re

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_safe

from benchdb.compare.kinds import KINDS
from benchdb.compare.models import Permalink
from benchdb.compare.page_parts.impossible import impossible_as_text
from benchdb.compare.page_parts.kept import LivePart
from benchdb.compare.permalinks import kept_answers
from benchdb.compare.permalinks.kept_answers import asked_each_time
from benchdb.compare.permalinks.services import etag
from benchdb.compare.permalinks.views import find_permalink
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.table.content import TableContent
from benchdb.http.requests import server_of, site_of

from .contents import cells
from .formats import FORMATS
from .models import Export
from .origin import CARD, frozen_origin
from .parts import frozen_file, live_file
from .registry import EXPORTS_VERSION, all_shapes, formats_with_shapes
from .worker_responses import file_response, from_worker

DIGEST = re.compile(r"[0-9a-f]{64}")


@require_safe
@conditional_page
@cache_control(private=True, no_cache=True)
def live(request: HttpRequest, kind: str, form: str) -> HttpResponseBase:
    """The table, surface or trend of the query string, as it is now; 304 for a reader who has it already."""
    try:
        shape, query = _shape(request, form)
        made = live_file(LivePart("file", kind, query.urlencode(), form, shape, server_of(request)), request.user)
        return file_response(request, made, _headers(form, shape, f"benchdb-{KINDS[kind].path}"))
    except ImpossibleSelection as error:
        return impossible_as_text(error)


@require_safe
def permalink(request: HttpRequest, permalink_id: str, form: str) -> HttpResponseBase:
    """The frozen content, read in one query. 410 if it was revoked or all its runs were deleted."""
    address = f"{server_of(request)}{reverse('permalink', args=[permalink_id])}"
    if form in FORMATS and not request.GET:
        headers = _headers(form, "cells", f"benchdb-{permalink_id}")
        kept = kept_answers.sent(request, permalink_id, form, _of_file(form, "cells", address), headers)
        if kept is not None:
            return asked_each_time(request, kept, kept.get("ETag"))
    link = find_permalink(permalink_id)
    if link.gone:
        return _gone(link)
    try:
        shape, _ = _shape(request, form)
    except ImpossibleSelection as error:
        return impossible_as_text(error)
    site = _site(request, link)
    of_file = _of_file(form, shape, f"{site}{link.get_absolute_url()}")
    tag = etag(link, *of_file)
    response: HttpResponseBase | None = get_conditional_response(request, etag=tag)
    if response is None:
        response = _frozen(request, link, form, shape)
        # Neither the message of a file that is being made nor a worker's file, which is kept already.
        own = response.status_code == 200 and not (response.has_header("ETag") or link.is_large)
        if own and isinstance(response, HttpResponse) and not request.META.get("QUERY_STRING"):
            kept_answers.keep(link, site, form, of_file, response.content)
    return asked_each_time(request, response, tag) if response.status_code in (200, 304) else response


@require_safe
def card(request: HttpRequest, permalink_id: str, form: str) -> HttpResponseBase:
    """The verdict card of a frozen table as a picture, for previews and badges: without the runs deleted since.

    410 as `permalink`, 404 for kinds without a card.
    """
    link = find_permalink(permalink_id)
    if link.gone:
        return _gone(link)
    if not isinstance(link.shown, TableContent):
        raise Http404
    tag = etag(link, *_of_file(form, CARD, f"{_site(request, link)}{link.get_absolute_url()}"))
    response: HttpResponseBase | None = get_conditional_response(request, etag=tag)
    if response is None:
        response = _frozen(request, link, form, CARD)
    return asked_each_time(request, response, tag) if response.status_code in (200, 304) else response


@require_safe
def state(request: HttpRequest, digest: str) -> JsonResponse:
    """The state of a worker's file, polled by the waiting page. The digest is a secret and reveals nothing."""
    if not DIGEST.fullmatch(digest):
        raise Http404
    export = get_object_or_404(Export.objects.only("state", "failure"), pk=digest)
    return JsonResponse({"state": export.state, "reason": export.failure})


def _site(request: HttpRequest, link: Permalink) -> str:
    """The site that a file names: that of the sharing if the reader uses it, else ours. No other port makes a file."""
    asked = server_of(request)
    return asked if asked == link.site else site_of(request)


def _of_file(form: str, shape: str, address: str) -> tuple[str, ...]:
    """The ETag of a permalink's file depends on these besides the permalink."""
    return form, shape, address, str(EXPORTS_VERSION)


def _gone(link: Permalink) -> HttpResponse:
    why = {"revoked": "was revoked", "deleted": "showed runs that were deleted"}[link.gone or ""]
    headers = {"Cache-Control": "no-cache"}  # the link may be shared again
    return HttpResponse(f"This permalink {why}.\n", status=410, content_type="text/plain", headers=headers)


def _shape(request: HttpRequest, form: str) -> tuple[str, QueryDict]:
    """The requested shape, and the rest of the query. Raises Http404 for an unknown format, and ImpossibleSelection."""
    if form not in FORMATS:
        raise Http404
    query = request.GET.copy()
    shape = str(query.pop("shape", ["cells"])[-1])
    if shape not in (shapes := all_shapes()):
        raise ImpossibleSelection([f"shape cannot be {shape!r}; possible are {', '.join(shapes)}."])
    if "shape" in request.GET and not FORMATS[form].shapes:
        raise ImpossibleSelection([f"shape is for {', '.join(formats_with_shapes())}; {form} has none."])
    return shape, query


def _frozen(request: HttpRequest, link: Permalink, form: str, shape: str) -> HttpResponseBase:
    export_format, headers = FORMATS[form], _headers(form, shape, f"benchdb-{link.id}")
    site = _site(request, link)
    if link.is_large:
        return file_response(request, frozen_file(link, site, form, shape), headers)
    origin = frozen_origin(link, f"{site}{link.get_absolute_url()}", shape)
    if not export_format.needs_worker(cells(link.shown), shape):
        return HttpResponse(export_format.export(link.shown, origin), headers=headers)
    response = from_worker(request, link.shown, origin, form)
    for field, value in headers.items() if response.status_code == 200 else ():
        response[field] = value
    return response


def _headers(form: str, shape: str, name: str) -> dict[str, str]:
    suffix = "" if shape == "cells" else f"-{shape}"
    disposition = f'inline; filename="{name}{suffix}.{form}"'
    return {"Content-Type": FORMATS[form].content_type, "Content-Disposition": disposition}
