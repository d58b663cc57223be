"""The form for a new token."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django import forms
from django.utils import timezone

from benchdb.ingest.models import Scope
from benchdb.runs.models import Visibility
from benchdb.wording.names import check_name
from benchdb.wording.words import VISIBILITIES

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
