"""The pages for a forgotten password, and for the mail address of an account."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.models import User
from django.contrib.auth.views import INTERNAL_RESET_SESSION_TOKEN, PasswordResetConfirmView
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from benchdb.audit.models import Action
from benchdb.audit.services import record_own
from benchdb.http.requests import AuthenticatedRequest
from benchdb.identity.services import Taken, confirm_address, confirmed_address
from benchdb.web.account.again import asked_again

from .addresses import PASSWORD_LINKS, address_in
from .mails import queue, send_link
from .refusals import SignInRefused, refused
from .sign_up import HOURS
from .sign_up_forms import MailForm

of_forms = require_http_methods(["GET", "HEAD", "POST"])
SENT = (
    "If an account has confirmed this address, a mail with a link is on its way, or came in the last hour. "
    f"It is valid for {HOURS} hours."
)
NOT_VALID = SignInRefused(
    400,
    "This link is not valid",
    f"It is older than {HOURS} hours, was used already, is another account’s, or is not complete. Ask for a new one.",
    "a link for an account is not valid",
)


@of_forms
def forgotten(request: HttpRequest) -> HttpResponse:
    """Take an address; the answer is the same, and as fast, whether an account has confirmed it or not."""
    _must_send_mail()
    form = MailForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return render(request, "web/forgotten.html", {"form": form}, status=422 if form.is_bound else 200)
    if answer := send_link(request, "password", form.cleaned_data["address"]):
        return answer
    messages.info(request, SENT)
    return redirect("login")


@method_decorator(of_forms, name="dispatch")
class NewPassword(PasswordResetConfirmView):
    """Take a new password from somebody with the link of a mail. Ends all sessions of the account and begins none."""

    template_name = "web/password.html"
    success_url = reverse_lazy("login")
    token_generator = PASSWORD_LINKS

    def render_to_response(self, context: dict[str, object], **options: object) -> HttpResponse:
        """The form, or what is wrong with the link."""
        return super().render_to_response(context, **options) if self.validlink else refused(self.request, NOT_VALID)

    def form_valid(self, form: SetPasswordForm[User]) -> HttpResponse:
        """Set the password and record that, or neither."""
        assert self.user is not None, "the link is valid"
        with transaction.atomic():
            form.user = User.objects.select_for_update().get(pk=self.user.pk)
            if not self.token_generator.check_token(form.user, self.request.session.get(INTERNAL_RESET_SESSION_TOKEN)):
                return refused(self.request, NOT_VALID)  # another session was faster
            record_own(self.request, self.user, Action.CHANGE_ACCOUNT, "password: set by a link in a mail")
            answer: HttpResponse = super().form_valid(form)
        messages.success(self.request, "Your password is changed. You are signed out everywhere; sign in with it.")
        return answer


@sensitive_post_parameters("password")
@of_forms
@login_required
@asked_again
def address_page(request: AuthenticatedRequest) -> HttpResponse:
    """The mail address of the reader. POST sends a link to a new one."""
    _must_send_mail()
    user = request.user
    form = MailForm(request.POST if request.method == "POST" else None, initial={"address": user.email})
    if not form.is_valid():
        shown = {"section": "account", "form": form, "confirmed": confirmed_address(user)}
        return render(request, "web/address.html", shown, status=422 if form.is_bound else 200)
    address = form.cleaned_data["address"]
    if answer := send_link(request, "address", address, user.pk):
        return answer
    messages.info(
        request,
        f"A mail with a link is on its way to {address}, or came in the last hour. Confirm the address with it.",
    )
    return redirect("address")


@of_forms
@login_required
def address_confirm(request: AuthenticatedRequest) -> HttpResponse:
    """The link of a mail: asks first, because programs open links, too; then the address is the account's."""
    token = request.GET.get("token", "")
    if (address := address_in(token, request.user)) is None:
        return refused(request, NOT_VALID)
    if request.method != "POST":
        return render(request, "web/address_confirm.html", {"section": "account", "address": address})
    before, confirmed = request.user.email, confirmed_address(request.user)
    try:
        with transaction.atomic():
            if address_in(token, User.objects.select_for_update().get(pk=request.user.pk)) is None:
                return refused(request, NOT_VALID)  # another session was faster
            confirm_address(request.user, address)
            record_own(
                request, request.user, Action.CHANGE_ACCOUNT, f"email: {before or 'none'} → {address}, confirmed"
            )
    except Taken:
        why = "Nothing was changed. Sign in to that account, or use another address."
        return refused(request, SignInRefused(409, "Another account has this address", why))
    if confirmed and confirmed != address:
        queue(request, "change", confirmed, request.user.get_username(), address)
    messages.success(request, f"{address} is confirmed.")
    return redirect("address")


def _must_send_mail() -> None:
    if not settings.EMAIL_HOST:
        raise Http404
