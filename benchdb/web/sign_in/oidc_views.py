"""Sign-in by an OpenID provider: its start, its end, and the page after signing out."""

from __future__ import annotations

import time

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.contrib.auth.views import LogoutView
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from benchdb.http.rate_limits import address_of, is_full, too_many
from benchdb.http.requests import AuthenticatedRequest, site_of
from benchdb.identity import services
from benchdb.web.account.again import asked_again
from benchdb.web.views import too_many_requests

from . import provider
from .finishing import WAY, sign_in
from .refusals import SignInRefused, refused

CONNECTS = "oidc_connects"  # in a session: the account that may be connected, and until when
CONNECTS_SECONDS = 300
LONGEST_ADDRESS = 2000


@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """Redirect to the provider. A GET, because browsers let no form lead to another site under our CSP."""
    _must_be_on()
    if seconds := is_full("LOGIN_RATE", address_of(request)):
        return too_many_requests(request, seconds)
    connects, until = request.session.pop(CONNECTS, (None, 0))
    connects = connects if request.GET.get("for") == "connecting" and time.time() < until else None
    purpose = provider.Purpose(request.GET.get("next", "")[:LONGEST_ADDRESS], connects)
    try:
        address = provider.begin(request, f"{site_of(request)}{reverse('oidc-callback')}", purpose)
    except SignInRefused as error:
        return refused(request, error)
    return _uncached(HttpResponseRedirect(address))


@require_safe
def callback(request: HttpRequest) -> HttpResponse:
    """The provider's answer: sign in, or connect the account that asked for it."""
    _must_be_on()
    who = address_of(request)
    if seconds := is_full("LOGIN_RATE", who) or is_full("LOGIN_RATE", f"provider for {who}"):
        return too_many_requests(request, seconds)
    try:
        person, purpose = provider.finish(request)
        if purpose.connects is not None:
            return _uncached(_connect(request, purpose.connects, person))
        return _uncached(sign_in(request, _account(person), provider.NAME, purpose.address))
    except SignInRefused as error:
        # What the provider fails at counts by itself: passwords of the same address must work while it is down.
        too_many("LOGIN_RATE", who if error.status == 400 else f"provider for {who}")
        return refused(request, error)


def _account(person: provider.Person) -> User:
    """The person's account, made now if the site allows it. Raises SignInRefused."""
    user = services.account_of(person.issuer, person.subject)
    if user is None and settings.OIDC_ACCOUNTS == "create":
        try:
            user = services.make_account(person.issuer, person.subject, person.name, person.email)
        except services.Taken:
            raise SignInRefused(409, "No name was free for your account", "Ask the administrator for one.") from None
    if user is None:
        why = (
            f"Sign in with your password and choose “Connect” on the account page. If you have no account, ask the "
            f"administrator for one: {settings.OIDC_LABEL} makes none here."
        )
        raise SignInRefused(403, "No account is connected with this identity", why)
    if not user.is_active:
        raise SignInRefused(403, "Your account is closed", "Ask the administrator to open it again.")
    return user


def _connect(request: HttpRequest, user_id: int, person: provider.Person) -> HttpResponse:
    """Connect the account that is signed in, if it is the one that asked for it. Raises SignInRefused."""
    if not isinstance(request.user, User) or request.user.pk != user_id:
        raise SignInRefused(403, "Your account was not connected", "You are not signed in any more. Sign in again.")
    try:
        services.connect(request.user, person.issuer, person.subject)
    except services.Taken:
        why = "Nothing was changed. Sign in with it to use that account, or disconnect it there first."
        raise SignInRefused(409, "This identity is connected with another account", why) from None
    messages.success(request, f"{settings.OIDC_LABEL} now signs you in to this account.")
    return redirect("account")


@sensitive_post_parameters("password")
@require_POST
@login_required
@asked_again
def connect(request: AuthenticatedRequest) -> HttpResponse:
    """Lead to the provider, which then also signs in to this account."""
    _must_be_on()
    request.session[CONNECTS] = [request.user.pk, int(time.time()) + CONNECTS_SECONDS]
    page = render(request, "web/leads_to_provider.html", {"label": settings.OIDC_LABEL})
    page["Refresh"] = f"0; url={reverse('oidc-start')}?for=connecting"  # the answer to a form may not leave the site
    return _uncached(page)


@sensitive_post_parameters("password")
@require_POST
@login_required
@asked_again
def disconnect(request: AuthenticatedRequest) -> HttpResponse:
    """Disconnect the account; not if it could not sign in any more."""
    _must_be_on()
    if not request.user.has_usable_password():
        messages.error(request, "This is your only way to sign in. Ask the administrator for a password first.")
        return redirect("account")
    request.user.identities.filter(issuer=settings.OIDC_ISSUER).delete()
    messages.success(request, f"{settings.OIDC_LABEL} does not sign you in to this account any more.")
    return redirect("account")


@require_safe
def signed_out(request: HttpRequest) -> HttpResponse:
    """After signing out here: the session at the provider goes on, and the page says so."""
    _must_be_on()
    return render(request, "web/signed_out.html", {"label": settings.OIDC_LABEL})


@require_safe
def sign_out_there(request: HttpRequest) -> HttpResponse:
    """Redirect to the provider's page that ends its session."""
    _must_be_on()
    try:
        address = provider.sign_out_address(f"{site_of(request)}{reverse('login')}")
    except SignInRefused as error:
        return refused(request, error)
    if address is None:
        why = f"Open {settings.OIDC_LABEL} itself to sign out there."
        return refused(request, SignInRefused(404, f"{settings.OIDC_LABEL} has no page for signing out", why))
    return _uncached(HttpResponseRedirect(address))


class SignOut(LogoutView):
    """Sign out; sessions that the provider began go to the page about its own session."""

    _after = ""

    def post(self, request: HttpRequest, *args: str, **kwargs: object) -> HttpResponse:
        """Look at the session before it ends."""
        if request.session.get(WAY) == provider.NAME and provider.is_on():
            self._after = reverse("signed-out")
        return super().post(request, *args, **kwargs)

    def get_default_redirect_url(self) -> str:
        """The page after signing out."""
        return self._after or super().get_default_redirect_url()


def _must_be_on() -> None:
    if not provider.is_on():
        raise Http404


def _uncached(response: HttpResponse) -> HttpResponse:
    add_never_cache_headers(response)
    return response
