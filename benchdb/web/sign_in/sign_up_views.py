"""The pages of people who make an account with their mail address."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps

from django import forms
from django.contrib import messages
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import add_never_cache_headers
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe
from kombu.exceptions import OperationalError
from redis import RedisError

from benchdb.celery import app
from benchdb.http.rate_limits import address_of, too_many
from benchdb.http.rendering import render_page
from benchdb.http.requests import server_of
from benchdb.web.views import too_many_requests

from . import sign_up
from .finishing import BACKEND
from .refusals import SignInRefused, refused
from .sign_up_forms import TAKEN, AccountForm, AddressForm

SEND = "benchdb.web.tasks.send_sign_up_mail"  # by its name: the module of tasks imports this package
PROVED = "sign_up_address"  # in a session: an address whose link was opened, and until when its form may be sent
PROVED_SECONDS = 3600

View = Callable[[HttpRequest], HttpResponse]


@dataclass(frozen=True, slots=True)
class AddressPage:
    """The context of web/sign_up.html."""

    address: str = ""
    domains: Sequence[str] = ()
    faults: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class AccountFormPage:
    """The context of web/sign_up_account.html; `faults` are sentences by field."""

    address: str
    name: str = ""
    faults: Mapping[str, Sequence[str]] = field(default_factory=dict)


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
    if request.method != "POST":
        return render_page(request, "web/sign_up.html", AddressPage(domains=sign_up.domains()))
    if seconds := too_many("SIGN_UP_RATE", address_of(request)):
        return too_many_requests(request, seconds)
    form = AddressForm(request.POST)
    if not form.is_valid():
        page = AddressPage(request.POST.get("address", "")[:254], sign_up.domains(), _faults(form)["address"])
        return render_page(request, "web/sign_up.html", page, status=422)
    address = form.cleaned_data["address"]
    if not too_many("SIGN_UP_ADDRESS_RATE", f"mail {address.lower()}"):  # silently: somebody else may have sent it
        try:
            app.send_task(SEND, [address, server_of(request)])
        except (OperationalError, RedisError):
            why = "The mail could not be queued. Try again in a few minutes."
            return refused(request, SignInRefused(503, "No mail was sent", why, "the broker does not answer"))
    return redirect("sign-up-sent")


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
    if request.method != "POST":
        return render_page(request, "web/sign_up_account.html", AccountFormPage(address))
    form = AccountForm(request.POST)
    if form.is_valid():
        try:
            user = sign_up.make_account(address, form.cleaned_data["name"], form.cleaned_data["password"])
        except sign_up.UsedLink:
            return _not_valid(request)
        except sign_up.TakenName:
            form.add_error("name", TAKEN)
        else:
            login(request, user, backend=BACKEND)
            request.session.pop(PROVED, None)
            messages.success(request, "Your account is made, and you are signed in.")
            return redirect("account")
    page = AccountFormPage(address, request.POST.get("name", "")[:150], _faults(form))
    return render_page(request, "web/sign_up_account.html", page, status=422)


def _faults(form: forms.Form) -> dict[str, list[str]]:
    return {name: [str(error) for error in errors] for name, errors in form.errors.items()}


def _not_valid(request: HttpRequest) -> HttpResponse:
    why = f"It is older than {sign_up.HOURS} hours, was used already, or is not complete. Ask for a new one."
    return refused(request, SignInRefused(400, "This link is not valid", why, "a link for a new account is not valid"))
