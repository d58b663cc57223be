"""Views of anonymous uploads: beginning one, and claiming its runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from benchdb.http.rate_limits import address_of, is_full, too_many
from benchdb.http.rendering import render_page
from benchdb.http.requests import AuthenticatedRequest
from benchdb.http.shown_once import NewToken, redirect_with
from benchdb.identity import guests
from benchdb.ingest.guests import NAME, begin
from benchdb.quotas.limits import QuotaExceeded
from benchdb.web.views import too_many_requests
from benchdb.wording.numbers import plural

from .claiming import WrongSecret, claim


@dataclass(frozen=True, slots=True)
class ClaimPage:
    """The context of web/claim.html."""

    days: int
    faults: Sequence[str] = ()
    section: str = "account"


@require_POST
def begin_anonymous(request: HttpRequest) -> HttpResponse:
    """Begin a session of a new guest; the import page then shows its secret once."""
    if not guests.is_on():
        raise Http404
    if request.user.is_authenticated:
        return redirect("imports")
    if seconds := too_many("ANONYMOUS_RATE", address_of(request)):
        return too_many_requests(request, seconds)
    new = begin()
    login(request, new.user, backend="django.contrib.auth.backends.ModelBackend")
    request.session.set_expiry(new.expires_at)
    return redirect_with(NewToken(NAME, new.secret), request, reverse("imports"))


@sensitive_post_parameters("secret")
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def claim_page(request: AuthenticatedRequest) -> HttpResponse:
    """Take the secret of an anonymous upload, and make its runs those of the reader."""
    if not guests.is_on():
        raise Http404
    if request.method != "POST":
        return render_page(request, "web/claim.html", ClaimPage(settings.ANONYMOUS_DAYS))
    if seconds := is_full("LOGIN_RATE", address_of(request)):
        return too_many_requests(request, seconds)
    try:
        runs = claim(request.user, request.POST.get("secret", ""))
    except WrongSecret:
        too_many("LOGIN_RATE", address_of(request))
        fault = "No anonymous upload has this secret. It is misspelt, was used, or has expired."
        return render_page(request, "web/claim.html", ClaimPage(settings.ANONYMOUS_DAYS, [fault]), status=422)
    except QuotaExceeded as error:
        return render_page(request, "web/claim.html", ClaimPage(settings.ANONYMOUS_DAYS, [str(error)]), status=422)
    messages.success(request, f"{plural(runs, 'run')} now {'belongs' if runs == 1 else 'belong'} to your account.")
    return redirect(f"{reverse('runs')}?owner=me")
