"""Sharing and permalinks. Views parse, call and render."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_POST, require_safe

from benchdb import __version__
from benchdb.runs.models import Run

from . import permalink_page as pages
from .models import Permalink
from .permalinks import NotPublic, etag
from .permalinks import share as freeze_share
from .selection import ImpossibleSelection
from .views import impossible


class AuthenticatedRequest(HttpRequest):
    """A request behind `login_required`."""

    user: User


@require_POST
@login_required
def share(request: AuthenticatedRequest) -> HttpResponse:
    """Freeze what the form's `query` shows and go to its permalink; asks before it shows what is private."""
    kind, query = request.POST.get("kind", "table"), request.POST.get("query", "")
    try:
        permalink, _ = freeze_share(request.user, kind, query, share_private=request.POST.get("share_private") == "yes")
    except ImpossibleSelection as error:
        return impossible(request, error)
    except NotPublic as error:
        hidden = Run.objects.visible_to(request.user).with_context().filter(pk__in=error.runs)
        return render(request, "compare/share.html", pages.ask_to_share(kind, query, list(hidden)), status=409)
    return redirect(permalink)


@require_safe
def permalink_page(request: HttpRequest, permalink_id: str) -> HttpResponse:
    """A frozen table or surface, from its own copy of the numbers: one query."""
    permalink = find_permalink(permalink_id)
    if permalink.revoked_at is not None:
        return render(request, "compare/revoked.html", {"section": "compare"}, status=410)
    # A page for somebody who is signed in has their name and a form of their own in it.
    tag = None if request.user.is_authenticated else etag(permalink, __version__, _assets())
    response = get_conditional_response(request, etag=tag)
    if response is None:
        address = request.build_absolute_uri(permalink.get_absolute_url())
        response = render(request, "compare/permalink.html", pages.permalink(permalink, address))
    if tag is not None:
        response["ETag"] = tag
    response["Cache-Control"] = "no-cache"  # ask each time: it may be revoked
    return response


def find_permalink(permalink_id: str) -> Permalink:
    """The permalink with this address, revoked or not. Raises Http404."""
    known = "\x00" not in permalink_id  # PostgreSQL takes no NUL
    permalink = Permalink.objects.filter(pk=permalink_id).select_related("owner").first() if known else None
    if permalink is None:
        raise Http404
    return permalink


def _assets() -> str:
    """Changes when a style sheet or script changes, whose new name the page must then have."""
    storage: Any = staticfiles_storage
    return str(getattr(storage, "manifest_hash", ""))
