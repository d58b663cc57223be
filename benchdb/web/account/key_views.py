"""The keys with which a user's agents sign documents: registered and revoked on pages only.

A token cannot register a key; otherwise one stolen from a test machine could sign in the name of its owner.
"""

from __future__ import annotations

import shlex
from datetime import datetime

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from benchdb.http.requests import AuthenticatedRequest
from benchdb.signatures.models import SigningKey
from benchdb.signatures.services import KeyRefused, add_key, challenge_text, new_challenge, revoke_key
from benchdb.signatures.sshsig import OF_KEYS
from benchdb.wording.names import check_name

from .again import asked_again

LONGEST_PROOF = 3000
LONGEST_CHALLENGE = 500
FIRST_YEAR, LAST_YEAR = 1970, 9998


def check_year(time: datetime) -> None:
    """Raise ValidationError for a time that other time zones or PostgreSQL have in a year without a date."""
    if not FIRST_YEAR <= time.year <= LAST_YEAR:
        raise ValidationError(f"The year is from {FIRST_YEAR} to {LAST_YEAR}.")


class KeyForm(forms.Form):
    """The name of a key, the challenge that it has signed, and the signature."""

    name = forms.CharField(max_length=200, validators=[check_name])
    challenge = forms.CharField(max_length=LONGEST_CHALLENGE)
    proof = forms.CharField(max_length=LONGEST_PROOF)


class RevokeForm(forms.Form):
    """The day from which signatures of a key do not count; today if it is empty."""

    since = forms.DateTimeField(required=False, validators=[check_year])


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@asked_again
def keys_page(request: AuthenticatedRequest) -> HttpResponse:
    """The reader's keys. POST registers one."""
    keys, challenge = list(request.user.signing_keys.order_by("-pk")), new_challenge(request.user)
    text = shlex.quote(challenge_text(request.user, challenge))
    # The context of web/keys.html: `name` is what was entered, `command` signs the text of the challenge.
    command = f"printf %s {text} | ssh-keygen -Y sign -n {OF_KEYS} -f signing_key"
    shown = {"section": "account", "keys": keys, "name": "", "challenge": challenge, "faults": [], "command": command}
    if request.method != "POST":
        return render(request, "web/keys.html", shown)
    form = KeyForm(request.POST)
    faults = [] if form.is_valid() else [f"{name}: {text}" for name, texts in form.errors.items() for text in texts]
    if not faults:
        try:
            key = add_key(request.user, *(form.cleaned_data[field] for field in ("name", "challenge", "proof")))
        except KeyRefused as error:
            faults = [str(error)]
        else:
            messages.success(request, f"The key “{key.name}” is registered: {key.fingerprint}.")
            return redirect("keys")
    return render(request, "web/keys.html", {**shown, "name": form["name"].value() or "", "faults": faults}, status=422)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def key_revoke(request: AuthenticatedRequest, key_id: int) -> HttpResponse:
    """Ask since when, then revoke one of the reader's keys."""
    key = get_object_or_404(SigningKey, pk=key_id, owner=request.user)
    form = RevokeForm(request.POST)
    if request.method == "POST" and form.is_valid():
        revoke_key(key, form.cleaned_data["since"] or timezone.now())
        messages.success(request, f"The key “{key.name}” is revoked. Documents that it signs are refused from now on.")
        return redirect("keys")
    status = 422 if request.method == "POST" else 200
    return render(request, "web/key_revoke.html", {"section": "account", "key": key}, status=status)
