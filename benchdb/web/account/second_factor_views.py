"""The page that turns the second factor on and off, and the page that asks for a code when somebody signs in."""

from __future__ import annotations

from collections.abc import Sequence

import segno
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import add_never_cache_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from benchdb.http.rate_limits import address_of, is_full, too_many
from benchdb.http.requests import AuthenticatedRequest
from benchdb.web.views import too_many_requests

from . import second_factor
from .again import asked_again

WRONG = "This code is wrong, or was used before. Wait for the next one of your app."


@sensitive_post_parameters("code", "password")
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@asked_again
def second_factor_page(request: AuthenticatedRequest) -> HttpResponse:
    """Turn the second factor of the reader on or off, or make new recovery codes; each needs a code."""
    user, asked, code = request.user, request.POST.get("do", ""), request.POST.get("code", "")
    if request.method != "POST":
        return _page(request, user)
    if asked == "begin":
        second_factor.begin(user)
        return redirect("second-factor")
    if seconds := _full(request, user):
        return too_many_requests(request, seconds)
    try:
        if asked == "confirm":
            return _page(request, user, codes=second_factor.confirm(request, user, code))
        if asked == "codes":
            return _page(request, user, codes=second_factor.new_codes(request, user, code))
        if asked == "off":
            second_factor.turn_off(request, user, code)
            messages.success(request, "The second factor is off.")
    except second_factor.WrongCode as error:
        _count(request, user)
        return _page(request, user, faults=[_wrong(error)])
    return redirect("second-factor")


@sensitive_post_parameters("code")
@require_http_methods(["GET", "HEAD", "POST"])
def login_code(request: HttpRequest) -> HttpResponse:
    """The second step of signing in: a code, after the right password. Signed-in sessions may send it later."""
    waiting = second_factor.pending(request)
    # The code must be of the account that it signs in, not of another one that is signed in meanwhile.
    user = waiting.user if waiting else request.user if isinstance(request.user, User) else None
    if user is None:
        return redirect("login")
    address = waiting.address if waiting else request.GET.get("next", "")
    if not url_has_allowed_host_and_scheme(address, request.get_host(), request.is_secure()):
        address = settings.LOGIN_REDIRECT_URL
    if request.method != "POST":
        return render(request, "web/login_code.html", {"name": user.get_username()})
    if seconds := _full(request, user):
        return too_many_requests(request, seconds)
    try:
        second_factor.verify(user, request.POST.get("code", ""))
    except second_factor.WrongCode as error:
        _count(request, user)
        shown = {"name": user.get_username(), "faults": [_wrong(error)]}
        return render(request, "web/login_code.html", shown, status=422)
    if waiting:
        login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    second_factor.signs_in(request)
    request.session[second_factor.VERIFIED] = True
    return redirect(address)


def _page(
    request: AuthenticatedRequest, user: User, *, codes: Sequence[str] = (), faults: Sequence[str] = ()
) -> HttpResponse:
    device = second_factor.waiting(user).first()
    shown = {
        "section": "account",
        "on": second_factor.is_on(user),
        "required": settings.SECOND_FACTOR == "staff" and user.is_staff,
        "qr": _qr(device.config_url) if device else None,
        "key": _grouped(device.config_url) if device else "",
        "codes": codes,
        "codes_left": second_factor.codes_left(user),
        "faults": faults,
    }
    response = render(request, "web/second_factor.html", shown, status=422 if faults else 200)
    add_never_cache_headers(response)  # it may have a key, or codes
    return response


def _qr(address: str) -> SafeString:
    """The QR code as an SVG with a white edge, in any theme."""
    code = segno.make(address, error="m")
    return mark_safe(code.svg_inline(border=4, dark="#000", light="#fff", svgclass="qr", lineclass=None, omitsize=True))


def _grouped(address: str) -> str:
    """The key of an address in groups of four letters, for people who type it."""
    key = address.partition("secret=")[2].partition("&")[0]
    return " ".join(key[start : start + 4] for start in range(0, len(key), 4))


def _wrong(error: second_factor.WrongCode) -> str:
    return f"{WRONG} No code counts for the next {error.seconds} s." if error.seconds else WRONG


def _counted(request: HttpRequest, user: User) -> list[tuple[str, str]]:
    return [("LOGIN_RATE", address_of(request)), ("LOGIN_NAME_RATE", f"code of {user.pk}")]


def _full(request: HttpRequest, user: User) -> int | None:
    """The seconds to wait after too many wrong codes."""
    return max((wait for rate, who in _counted(request, user) if (wait := is_full(rate, who))), default=None)


def _count(request: HttpRequest, user: User) -> None:
    for rate, who in _counted(request, user):
        too_many(rate, who)
