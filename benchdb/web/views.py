"""The home page, search, the API reference and the error pages."""

from __future__ import annotations

import logging
import sys
from urllib.parse import urlencode

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template import loader
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from benchdb.api.app import api
from benchdb.api.errors import LOCKED, RETRY_SECONDS, error_response, is_away, is_locked, on_database_down
from benchdb.http.rendering import render_page
from benchdb.http.requests import server_of
from benchdb.publications import page as publications
from benchdb.runs.listing.recent_campaigns import recent_campaigns, with_answers
from benchdb.runs.models import Run
from benchdb.web.agent.views import two_lines

from . import home as front
from .api_reference import reference
from .search.ids import address_of
from .search.page import LONGEST, search, suggest

log = logging.getLogger(__name__)

MOST_CAMPAIGNS = 8  # on the home page


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The answer of the newest comparison, the three ways in, and the newest campaigns and permalinks."""
    campaigns = recent_campaigns(Run.objects.listed_for(request.user), request.user)
    context = {
        "comparison": front.comparison(campaigns, request.user),
        "campaigns": with_answers(campaigns[:MOST_CAMPAIGNS], request.user),
        "permalinks": front.permalinks(),
        "articles": publications.listed(),
        "lines": two_lines(request),
    }
    return render(request, "web/home.html", context)


@require_safe
def search_page(request: HttpRequest) -> HttpResponse:
    """Search results for the words of `q`; an id redirects to its page."""
    text = request.GET.get("q", "")[:LONGEST].strip()
    if address := address_of(text, request.user):
        return redirect(address)
    return render_page(request, "web/search.html", search(text, request.user))


@require_safe
@cache_control(private=True)
def suggestions(request: HttpRequest) -> JsonResponse:
    """What the box of the search suggests for the text that is in it so far."""
    return JsonResponse({"lines": suggest(request.GET.get("q", "")[:LONGEST].strip(), request.user)})


@require_safe
def api_page(request: HttpRequest) -> HttpResponse:
    """The API reference, made from the OpenAPI document."""
    return render_page(request, "web/api.html", reference(api.get_openapi_schema(), server_of(request)))


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400."""
    why = "A part of the address is missing or misspelt. Go back, or start from the list of runs."
    return _error(request, 400, "bad_request", "This request cannot be understood", why)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403."""
    why = "Your account does not have this permission. Ask the administrator for it."
    if not request.user.is_authenticated:
        why = "Sign in with an account that has this permission. The administrator can grant it."
    return _error(request, 403, "forbidden", "You may not do this", why)


def too_many_requests(request: HttpRequest, seconds: int) -> HttpResponse:
    """429 with the seconds to wait."""
    why = f"Nothing was changed. Try again in {seconds} seconds." if seconds < 100 else "Nothing was changed."
    if seconds >= 100:
        why += f" Try again in {-(-seconds // 60)} minutes."
    response = _error(request, 429, "too_many_requests", "Too much at once", why)
    response["Retry-After"] = str(seconds)
    return response


def too_long(request: HttpRequest) -> HttpResponse:
    """503 for a request that was ended because of its processor time (`benchdb.http.overtime`)."""
    log.error("ended %s %s, which took too long", request.method, request.path_info)
    why = "It needs more of the server's time than one request may take. Choose fewer runs, or a smaller part."
    return _error(request, 503, "too_long", "This took too long, and was ended", why)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 for a form that was not sent from one of our pages, or from an outdated page."""
    why = "Nothing was changed: it was too old, or not sent from this page. Load the page again, and send it once more."
    return _error(request, 403, "forbidden", "The form was not accepted", why)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404."""
    why = "The address is wrong, what was here was deleted, or it is private and not yours."
    return _error(request, 404, "not_found", "There is nothing at this address that you may see", why)


def server_error(request: HttpRequest) -> HttpResponse:
    """500. Rendered without the request, because its user is in the database, which may be the cause.

    A query of a middleware to a database that is away ends here too, since `DatabaseDown` only covers views.
    """
    error = sys.exception()
    if isinstance(error, InterfaceError | OperationalError):
        return database_failed(request, error)
    if request.path_info.startswith("/api/"):
        return error_response(500, "server_error", "The server failed. It is logged; nothing was changed.")
    why = "Nothing was changed. Try again. If the error persists, tell the administrator; the log has the cause."
    return _without_database(500, "The server failed to make this page", why)


def database_failed(request: HttpRequest, error: Exception) -> HttpResponse:
    """503 if the database does not answer, or could not answer this query.

    While it is away, pages reload themselves; forms do not. A query that took too long would do so again, so its page
    does not reload either.
    """
    if request.path_info.startswith("/api/"):
        return on_database_down(request, error)
    away = is_away(error)
    again = away and request.method in ("GET", "HEAD")
    if away:
        message = "The database does not answer"
        then = "This page loads itself" if again else "Load this page"
        why = f"Nothing was changed or is broken: it is only not there for now. {then} again in a few seconds."
    else:
        log.error("the database could not answer %s: %s", request.path, error)
        message = "The database could not answer this"
        why = (
            "Nothing was changed. It took too long, or the database has too little memory or disk left. Ask for less, "
            "or try again in a few minutes. If the error persists, tell the administrator; the log has the cause."
        )
    if is_locked(error):
        message, why = LOCKED, "Nothing was changed. Try again in a few seconds."
    response = _without_database(503, message, why)
    response["Retry-After"] = str(RETRY_SECONDS)
    if again:
        response["Refresh"] = str(RETRY_SECONDS)
    return response


def _without_database(status: int, message: str, why: str) -> HttpResponse:
    context = {"status": status, "message": message, "why": why}
    return HttpResponse(loader.render_to_string("web/error.html", context), status=status)


def _error(request: HttpRequest, status: int, code: str, message: str, why: str) -> HttpResponse:
    if request.path_info.startswith("/api/"):
        return error_response(status, code, f"{message}.")
    context = {"status": status, "message": message, "why": why, "sign_in": _sign_in(request, status)}
    return render(request, "web/error.html", context, status=status)


def _sign_in(request: HttpRequest, status: int) -> str | None:
    """The sign-in link for a reader who is signed out and may see more afterwards."""
    if status not in (403, 404) or request.user.is_authenticated:
        return None
    target = request.get_full_path() if request.method in ("GET", "HEAD") else reverse("home")
    return f"{reverse('login')}?{urlencode({'next': target})}"
