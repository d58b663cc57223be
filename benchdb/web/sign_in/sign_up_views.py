"""The pages of people who make an account with their mail address."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import add_never_cache_headers
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from benchdb.web.account import second_factor

from . import sign_up
from .finishing import BACKEND
from .mails import send_link
from .refusals import SignInRefused, refused
from .sign_up_forms import TAKEN, AccountForm, AddressForm

PROVED = "sign_up_address"  # in a session: an address whose link was opened, and until when its form may be sent
PROVED_SECONDS = 3600

View = Callable[[HttpRequest], HttpResponse]


def _for_newcomers(view: View) -> View:
    """404 on sites without sign-up; people with an account are led to it. No cache keeps an answer."""

    @wraps(view)
    def answered(request: HttpRequest) -> HttpResponse:
        if not sign_up.is_on():
            raise Http404
        response = redirect("account") if request.user.is_authenticated else view(request)
        add_never_cache_headers(response)
        return response

    return answered


@require_http_methods(["GET", "HEAD", "POST"])
@_for_newcomers
def address_page(request: HttpRequest) -> HttpResponse:
    """Take an address; the answer is the same whether it has an account or not."""
    form = AddressForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        shown = {"form": form, "domains": sign_up.domains()}
        return render(request, "web/sign_up.html", shown, status=422 if form.is_bound else 200)
    return send_link(request, "sign-up", form.cleaned_data["address"]) or redirect("sign-up-sent")


@require_safe
@_for_newcomers
def sent_page(request: HttpRequest) -> HttpResponse:
    """What happens next, without the address."""
    return render(request, "web/sign_up_sent.html", {"hours": sign_up.HOURS})


@require_safe
@_for_newcomers
def confirm(request: HttpRequest) -> HttpResponse:
    """The link of a mail: remember its address for the form. Changes nothing, because scanners open links."""
    address = sign_up.address_in(request.GET.get("token", ""))
    if address is None:
        return _not_valid(request)
    request.session.cycle_key()
    request.session[PROVED] = [address, int(time.time()) + PROVED_SECONDS]
    return redirect("sign-up-account")


@sensitive_post_parameters("password", "again")
@require_http_methods(["GET", "HEAD", "POST"])
@_for_newcomers
def account_form(request: HttpRequest) -> HttpResponse:
    """Take name and password of the proved address, and make the account."""
    address, until = request.session.get(PROVED) or ("", 0)
    if time.time() > until or not sign_up.is_allowed(address):
        return _not_valid(request)
    form = AccountForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            user = sign_up.make_account(address, form.cleaned_data["name"], form.cleaned_data["password"])
        except sign_up.UsedLink:
            return _not_valid(request)
        except sign_up.TakenName:
            form.add_error("name", TAKEN)
        else:
            login(request, user, backend=BACKEND)
            second_factor.signs_in(request)
            request.session.pop(PROVED, None)
            messages.success(request, "Your account is made, and you are signed in.")
            return redirect("account")
    shown = {"address": address, "form": form}
    return render(request, "web/sign_up_account.html", shown, status=422 if form.is_bound else 200)


def _not_valid(request: HttpRequest) -> HttpResponse:
    why = f"It is older than {sign_up.HOURS} hours, was used already, or is not complete. Ask for a new one."
    return refused(request, SignInRefused(400, "This link is not valid", why, "a link for a new account is not valid"))
