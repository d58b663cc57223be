"""The account: tokens with what they may do, one's own things, the password. Views parse, call and render."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.views import LoginView, PasswordChangeView
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse_lazy
from django.utils.cache import add_never_cache_headers
from django.utils.decorators import method_decorator
from django.views.decorators.http import require_http_methods

from benchdb.ingest.models import Scope, Token
from benchdb.ingest.tokens import create_token, revoke_token
from benchdb.runs.models import Visibility
from benchdb.runs.requests import AuthenticatedRequest

from .account import account
from .account_forms import TokenForm


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def account_page(request: AuthenticatedRequest) -> HttpResponse:
    """Tokens and what else is one's own. POST makes a token; its secret is in that one answer and in no cache."""
    if request.method != "POST":
        return render(request, "web/account.html", account(request.user))
    form = TokenForm(request.POST)
    if form.is_valid() and request.user.tokens.valid().filter(name=form.cleaned_data["name"]).exists():
        # The page that showed the secret was loaded again, or two tokens could not be told apart.
        form.add_error("name", "A valid token of yours has this name. Revoke that one, or choose another name.")
    if not form.is_valid():
        return render(request, "web/account.html", account(request.user, form), status=422)
    entered = form.cleaned_data
    made = create_token(
        request.user,
        entered["name"],
        [Scope(scope) for scope in dict.fromkeys(entered["scopes"])],
        default_visibility=Visibility(entered["visibility"]),
        expires_at=form.expires_at,
    )
    response = render(request, "web/account.html", account(request.user, made=made))
    add_never_cache_headers(response)
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def token_revoke(request: AuthenticatedRequest, token_id: int) -> HttpResponse:
    """Ask, then revoke a token of one's own."""
    token = get_object_or_404(Token, pk=token_id, owner=request.user)
    if request.method == "POST":
        revoke_token(token)
        messages.success(request, f"The token “{token.name}” is revoked. Whoever sends it is refused from now on.")
        return redirect("account")
    return render(request, "web/token_revoke.html", {"section": "account", "token": token})


of_forms = method_decorator(require_http_methods(["GET", "HEAD", "POST"]), name="dispatch")  # Django's take PUT, too


@of_forms
class SignIn(LoginView):
    """Sign in."""

    template_name = "web/login.html"
    redirect_authenticated_user = True


@of_forms
class PasswordChange(PasswordChangeView):
    """Change one's password; other sessions of the account end."""

    template_name = "web/password.html"
    success_url = reverse_lazy("account")
    extra_context = {"section": "account"}

    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:
        """Say so on the account's page."""
        answer: HttpResponse = super().form_valid(form)
        messages.success(self.request, "Your password is changed. You are signed out everywhere else.")
        return answer
