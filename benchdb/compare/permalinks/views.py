"""Sharing and permalinks. Views parse, call and render."""

from __future__ import annotations

from datetime import UTC, datetime

from csp.constants import NONE
from csp.decorators import csp_replace
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.utils.cache import get_conditional_response
from django.utils.dateparse import parse_datetime
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from benchdb import __version__
from benchdb.compare.kinds import KINDS
from benchdb.compare.models import Permalink
from benchdb.compare.page_parts.impossible import impossible
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.table.cell_views.chosen_cell import CHOSEN, as_key
from benchdb.compare.table.cell_views.row_panels import ROW
from benchdb.compare.table.content import TableContent
from benchdb.compare.table.sorting.differing import SHOW, shown_of
from benchdb.compare.table.views import panels_response
from benchdb.http.rendering import render_page
from benchdb.http.requests import AuthenticatedRequest, server_of, site_of
from benchdb.quotas.limits import QuotaExceeded
from benchdb.runs.models import Run

from . import anonymous_page
from . import page as pages
from . import services as permalinks
from .anonymous_page import assets
from .kept_answers import asked_each_time
from .pieces import current_pieces, frozen_pieces
from .services import NotPublic

# Any site may frame it, and nothing in it runs.
EMBED_POLICY = {"frame-ancestors": ["*"], "script-src": [NONE], "form-action": [NONE]}


@require_POST
@login_required
def share(request: AuthenticatedRequest) -> HttpResponse:
    """Freeze the content of the form's `query`, redirect to the permalink; ask first if runs are not public."""
    kind, query = request.POST.get("kind", "table"), request.POST.get("query", "")
    cell = as_key(request.POST.get(CHOSEN, ""))
    agreed = request.POST.get("share_private") == "yes"
    try:
        permalink, _ = permalinks.share(request.user, kind, query, site=site_of(request), share_private=agreed)
    except ImpossibleSelection as error:
        return impossible(request, error)
    except NotPublic as error:
        hidden = Run.objects.visible_to(request.user).with_context().filter(pk__in=error.runs)
        page = pages.ask_to_share(kind, query, cell, list(hidden))
        return render_page(request, "compare/share.html", page, status=409)
    except QuotaExceeded as error:
        return render(request, "web/error.html", {"status": 507, "message": "Not shared", "why": error}, status=507)
    anonymous_page.prepare(permalink.id)
    return redirect(f"{permalink.get_absolute_url()}?{CHOSEN}={cell}" if cell else permalink)


@require_safe
def permalink_page(request: HttpRequest, permalink_id: str) -> HttpResponse:
    """A frozen table or surface, from its own copy of the numbers."""
    # The page of a signed-in reader contains their name and a form of their own.
    anonymous = not request.user.is_authenticated
    if anonymous and (kept := anonymous_page.sent(request, permalink_id)) is not None:
        return asked_each_time(request, kept, kept.get("ETag"))
    permalink = find_permalink(permalink_id)
    if permalink.gone:
        return _gone(request, permalink)
    if anonymous and not request.META.get("QUERY_STRING"):
        response = HttpResponse(anonymous_page.rendered(permalink, server_of(request)))
    else:
        chosen, show = request.GET.get(CHOSEN, ""), shown_of(request.GET.getlist(SHOW))
        pieces = frozen_pieces(permalink, server_of(request), chosen, show)
        response = render_page(
            request, "compare/framed.html", anonymous_page.framed(permalink, server_of(request), pieces)
        )
    tag = anonymous_page.etag(permalink, server_of(request)) if anonymous else None
    return asked_each_time(request, response, tag, same_for_all=anonymous)


@require_safe
def panels(request: HttpRequest, permalink_id: str) -> HttpResponse:
    """The panels of one row of a frozen table, as JSON. 404 if it is no table or has no such row."""
    permalink = find_permalink(permalink_id)
    if permalink.gone:
        return asked_each_time(request, HttpResponse("This permalink is gone.", status=410), None)
    if not isinstance(permalink.shown, TableContent):
        raise Http404
    tag = permalinks.etag(permalink, __version__, request.GET.get(ROW, ""))
    response = get_conditional_response(request, etag=tag)
    if response is None:
        response = panels_response(permalink.shown, request.GET.get(ROW, ""), {})
    return asked_each_time(request, response, tag)


@require_safe
@xframe_options_exempt
@csp_replace(EMBED_POLICY)  # type: ignore[arg-type]  # its types know views without further arguments only
def embed(request: HttpRequest, permalink_id: str) -> HttpResponse:
    """A frozen table or surface for an iframe on any page: one query, no script, nothing about the reader."""
    permalink = find_permalink(permalink_id)
    theme = request.GET.get("theme", "")
    if theme and theme not in pages.THEMES:
        return HttpResponseBadRequest(f"theme can be {' or '.join(pages.THEMES)}; without one it is the reader's.\n")
    if permalink.gone:
        page = render_page(request, "compare/embed.html", pages.gone(permalink), {"theme": theme}, status=410)
        return asked_each_time(request, page, None)
    tag = permalinks.etag(permalink, __version__, assets(), theme)
    response = get_conditional_response(request, etag=tag)
    if response is None:
        parts = pages.embedded(permalink, _address(request, permalink), theme)
        response = render_page(request, "compare/embed.html", *parts)
    return asked_each_time(request, response, tag)


@require_safe
def today_page(request: HttpRequest, permalink_id: str) -> HttpResponse:
    """The frozen figures compared with the current content of the stored selection for this reader."""
    permalink = find_permalink(permalink_id)
    if permalink.gone:
        return _gone(request, permalink)
    try:
        pieces = current_pieces(permalink, request.user, server_of(request))
    except ImpossibleSelection as error:
        return impossible(request, error)
    response = render_page(
        request, "compare/framed.html", {"pieces": pieces, "head": KINDS[permalink.kind].head, "section": "compare"}
    )
    response["Cache-Control"] = "private, no-cache"
    return response


@require_safe
@login_required
def own_permalinks(request: AuthenticatedRequest) -> HttpResponse:
    """The permalinks of the reader, each with its state."""
    permalinks_of_reader = Permalink.objects.filter(owner=request.user)
    return render_page(
        request, "compare/permalinks.html", pages.own(permalinks_of_reader, _before(request.GET.get("before", "")))
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def revoke(request: AuthenticatedRequest, permalink_id: str) -> HttpResponse:
    """Revoke a permalink of the reader's own; a GET asks for confirmation."""
    permalink = find_permalink(permalink_id)
    if permalink.owner_id != request.user.pk:
        raise Http404
    if request.method == "POST":
        permalinks.revoke(request.user, permalink_id)
        return redirect("permalinks")
    address = _address(request, permalink)
    return render_page(
        request, "compare/revoke.html", {"permalink": permalink, "address": address, "section": "compare"}
    )


def find_permalink(permalink_id: str) -> Permalink:
    """The permalink with this address, gone or not. Raises Http404."""
    permalink = permalinks.find(permalink_id)
    if permalink is None:
        raise Http404
    return permalink


def _before(text: str) -> datetime | None:
    """The time in the address of a later page. Raises Http404 if it is no time."""
    try:
        time = parse_datetime(text)
        if text and (time is None or time.tzinfo is None):
            raise Http404
        return time and time.astimezone(UTC)
    except (ValueError, OverflowError):  # the first and the last hours of the calendar are in no year of UTC
        raise Http404 from None


def _gone(request: HttpRequest, permalink: Permalink) -> HttpResponse:
    response = render_page(request, "compare/gone.html", pages.gone(permalink, request.user), status=410)
    return asked_each_time(request, response, None)


def _address(request: HttpRequest, permalink: Permalink) -> str:
    return request.build_absolute_uri(permalink.get_absolute_url())
