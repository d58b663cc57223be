"""The oEmbed endpoint, by which other sites show a permalink when somebody pastes its address. https://oembed.com/"""

from __future__ import annotations

from urllib.parse import urlsplit

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.urls import Resolver404, resolve
from django.views.decorators.http import require_safe

from benchdb.http.requests import number_of, server_of

from .kept_answers import asked_each_time
from .previews import oembed_document
from .views import find_permalink


@require_safe
def oembed(request: HttpRequest) -> HttpResponse:
    """The document of the permalink at `url`, at most `maxwidth` × `maxheight` pixels.

    404 for an address that is no permalink of this server, 410 if it was revoked or its runs were deleted, 400 without
    `url`, and 501 for any `format` but json.
    """
    address = request.GET.get("url")
    if not address:
        return HttpResponseBadRequest("url is missing: the address of a permalink.\n", content_type="text/plain")
    if request.GET.get("format", "json") != "json":
        return HttpResponse("The only format is json.\n", status=501, content_type="text/plain")
    width, height = number_of(request, "maxwidth") or None, number_of(request, "maxheight") or None
    link = find_permalink(_permalink_id(request, address))
    if link.gone:
        return asked_each_time(request, HttpResponse("This permalink is gone.\n", status=410), None)
    canonical = f"{server_of(request)}{link.get_absolute_url()}"
    return asked_each_time(request, JsonResponse(oembed_document(link, canonical, width, height)), None)


def _permalink_id(request: HttpRequest, address: str) -> str:
    """The id in the address of a permalink's page or embedded page. Raises Http404 for any other address.

    People leave out the last slash, and add a query or a fragment.
    """
    try:
        parts = urlsplit(address)
        match = resolve(parts.path if parts.path.endswith("/embed") else f"{parts.path.rstrip('/')}/")
    except (ValueError, Resolver404):
        raise Http404 from None
    if parts.scheme not in ("http", "https") or parts.netloc != request.get_host():
        raise Http404
    if match.url_name not in ("permalink", "permalink-embed"):
        raise Http404
    return str(match.kwargs["permalink_id"])
