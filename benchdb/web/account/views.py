"""Views of the account: tokens, sign-in, password."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView, PasswordChangeView
from django.db.models import Q
from django.db.models.fields.json import KT
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from benchdb.compare.models import Permalink
from benchdb.http.rate_limits import address_of, is_full, too_many
from benchdb.http.rendering import render_page
from benchdb.http.requests import AuthenticatedRequest
from benchdb.http.shown_once import NewToken, carried, only_now, redirect_with
from benchdb.ingest.imports.page import own_imports
from benchdb.ingest.models import Scope, Token
from benchdb.ingest.tokens import create_token, revoke_token
from benchdb.plans.models import Job
from benchdb.quotas.limits import QuotaExceeded
from benchdb.runs.models import Visibility
from benchdb.web.views import too_many_requests
from benchdb.wording.names import check_name
from benchdb.wording.words import VISIBILITIES

from . import second_factor
from .again import asked_again
from .use import use


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@asked_again
def account_page(request: AuthenticatedRequest) -> HttpResponse:
    """The reader's tokens and other data. POST makes a token, which the page then shows once."""
    if request.method != "POST":
        made = carried(request)
        response = render_page(request, "web/account.html", account(request.user, made=made))
        return only_now(response, request) if made else response
    form = TokenForm(request.POST)
    if form.is_valid() and request.user.tokens.valid().filter(name=form.cleaned_data["name"]).exists():
        # The form was sent twice, or two tokens would have the same name.
        form.add_error("name", "A valid token of yours has this name. Revoke that one, or choose another name.")
    if not form.is_valid():
        return render_page(request, "web/account.html", account(request.user, form), status=422)
    entered = form.cleaned_data
    try:
        token, secret = create_token(
            request.user,
            entered["name"],
            [Scope(scope) for scope in dict.fromkeys(entered["scopes"])],
            default_visibility=Visibility(entered["visibility"]),
            expires_at=form.expires_at,
        )
    except QuotaExceeded as error:
        form.add_error("name", str(error))
        return render_page(request, "web/account.html", account(request.user, form), status=422)
    return redirect_with(NewToken(token.name, secret), request)


@require_safe
@login_required
def use_page(request: AuthenticatedRequest) -> HttpResponse:
    """What the reader's account uses of its quotas; for staff also what all accounts use."""
    return render_page(request, "web/use.html", use(request.user))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def token_revoke(request: AuthenticatedRequest, token_id: int) -> HttpResponse:
    """Ask for confirmation, then revoke one of the reader's tokens."""
    token = get_object_or_404(Token, pk=token_id, owner=request.user)
    if request.method == "POST":
        revoke_token(token)
        messages.success(request, f"The token “{token.name}” is revoked. Requests with it are refused from now on.")
        return redirect("account")
    return render(request, "web/token_revoke.html", {"section": "account", "token": token})


of_forms = method_decorator(require_http_methods(["GET", "HEAD", "POST"]), name="dispatch")  # not PUT


@of_forms
class SignIn(LoginView):
    """Sign in. Wrong passwords are counted by address and by name, since one name may be tried from many addresses."""

    template_name = "web/login.html"
    redirect_authenticated_user = True

    def get_context_data(self, **kwargs: object) -> dict[str, Any]:
        """Also the name of the OpenID provider, if any, and whether people may make accounts and get mails."""
        provider = settings.OIDC_LABEL if settings.OIDC_ISSUER else ""
        return super().get_context_data(
            provider=provider, signs_up=settings.SIGN_UP == "mail", sends_mail=bool(settings.EMAIL_HOST), **kwargs
        )

    def post(self, request: HttpRequest, *args: str, **kwargs: object) -> HttpResponse:
        """Answer 429 before the password is checked, which costs a quarter of a second of processor time."""
        waits = [is_full(rate, who) for rate, who in self._counted()]
        if seconds := max((wait for wait in waits if wait), default=None):
            return too_many_requests(request, seconds)
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Sign in, or ask for the code of the second factor first."""
        user = form.get_user()
        if not second_factor.is_on(user):
            second_factor.signs_in(self.request)
            return super().form_valid(form)
        second_factor.remember(self.request, user, self.get_success_url())
        return redirect("login-code")

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        """Count the wrong password."""
        for rate, who in self._counted():
            too_many(rate, who)
        return super().form_invalid(form)

    def _counted(self) -> list[tuple[str, str]]:
        sent = self.request.POST.get("username", "").strip()[:200]
        name = unicodedata.normalize("NFKC", sent).casefold()  # as the form does: the name that Django looks up
        return [("LOGIN_RATE", address_of(self.request)), ("LOGIN_NAME_RATE", f"name {name}")]


@of_forms
class PasswordChange(PasswordChangeView):
    """Change the password and end the account's other sessions; wrong old passwords are limited."""

    template_name = "web/password.html"
    success_url = reverse_lazy("account")
    extra_context = {"section": "account"}

    def post(self, request: HttpRequest, *args: str, **kwargs: object) -> HttpResponse:
        """Answer 429 before the password is checked."""
        if seconds := is_full("LOGIN_NAME_RATE", self._who()):
            return too_many_requests(request, seconds)
        return super().post(request, *args, **kwargs)

    def form_invalid(self, form: PasswordChangeForm) -> HttpResponse:
        """Count the wrong password."""
        too_many("LOGIN_NAME_RATE", self._who())
        return super().form_invalid(form)

    def _who(self) -> str:
        return f"password of {self.request.user.pk}"

    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:
        """Show a message on the account page."""
        answer: HttpResponse = super().form_valid(form)
        messages.success(self.request, "Your password is changed. You are signed out everywhere else.")
        return answer


MOST_TOKENS = 200
NEWEST = 5


OwnLine = dict[str, object]  # a link to something of the reader, with its time: href, text, at


def account(user: User, form: TokenForm | None = None, made: NewToken | None = None) -> dict[str, object]:
    """The page of an account; four queries, five with a provider. `form` is an invalid form, `made` a new token."""
    ended = Q(revoked_at__isnull=False) | Q(expires_at__isnull=False, expires_at__lte=timezone.now())  # never null
    tokens = list(
        user.tokens.select_related("machine").annotate(ended=ended).order_by("ended", "-pk")[: MOST_TOKENS + 1]
    )
    identities = user.identities.filter(issuer=settings.OIDC_ISSUER)
    # The context of web/account.html; `most_tokens` is None if all tokens are shown.
    return {
        "tokens": tokens[:MOST_TOKENS],
        "most_tokens": MOST_TOKENS if len(tokens) > MOST_TOKENS else None,
        "made": made,
        "form": form or TokenForm(),
        "permalinks": _permalinks(user),
        "imports": [
            _line(each["href"], f"{each['what']}, {each['state']}", each["at"]) for each in own_imports(user, NEWEST)
        ],
        "plans": _plans(user),
        "provider": settings.OIDC_LABEL if settings.OIDC_ISSUER else "",
        "identity": identities.order_by("-used_at").first() if settings.OIDC_ISSUER else None,
        "sends_mail": bool(settings.EMAIL_HOST),
        "section": "account",
    }


def _permalinks(user: User) -> list[OwnLine]:
    own = Permalink.objects.filter(owner=user, revoked_at=None).annotate(title=KT("content__title"))
    links = own.order_by("-created_at", "id").values("id", "title", "created_at")[:NEWEST]
    return [_line(reverse("permalink", args=[link["id"]]), link["title"], link["created_at"]) for link in links]


def _plans(user: User) -> list[OwnLine]:
    jobs = Job.objects.filter(owner=user).select_related("machine").defer("plan_text", "files")
    return [
        _line(job.get_absolute_url(), f"{job.plan_name} on {job.machine.name}, {job.state}", job.queued_at)
        for job in jobs.order_by("-queued_at")[:NEWEST]
    ]


def _line(href: str, text: str | None, at: datetime) -> OwnLine:
    return {"href": href, "text": text or "Its runs were deleted", "at": at}


SCOPES = {
    Scope.UPLOAD: "send runs; read, withdraw and delete its owner’s; revoke permalinks",
    Scope.READ: "read its owner’s runs, and share those that are public",
    Scope.QUEUE: "queue plans for its owner’s machines",
    Scope.SERVE: "let one machine carry out queued plans",
}
LIFETIMES = {"30": "30 days", "90": "90 days", "365": "a year", "never": "until it is revoked"}
LONGEST_NAME = 200


def one_of(choices: Iterable[str]) -> str:
    """The error message of a choice field, with its choices."""
    return f"It is one of {', '.join(choices)}."


class TokenForm(forms.Form):
    """A token's name, scopes, lifetime, and the visibility of runs that name none."""

    name = forms.CharField(
        max_length=LONGEST_NAME, error_messages={"required": "Say what it is for."}, validators=[check_name]
    )
    scopes = forms.MultipleChoiceField(
        choices=list(SCOPES.items()),
        initial=[Scope.UPLOAD],
        error_messages={
            "required": "Choose what it may do; a token that may do nothing is of no use.",
            "invalid_choice": one_of(SCOPES),
        },
    )
    visibility = forms.ChoiceField(
        choices=list(VISIBILITIES.items()),
        initial=Visibility.PRIVATE,
        error_messages={"invalid_choice": one_of(VISIBILITIES)},
    )
    lasts = forms.ChoiceField(
        choices=list(LIFETIMES.items()), initial="365", error_messages={"invalid_choice": one_of(LIFETIMES)}
    )

    @property
    def expires_at(self) -> datetime | None:
        """The time when the token expires; None if it is valid until it is revoked."""
        lasts = self.cleaned_data["lasts"]
        return None if lasts == "never" else timezone.now() + timedelta(days=int(lasts))
