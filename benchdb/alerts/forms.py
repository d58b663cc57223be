"""The form of a watch."""

from __future__ import annotations

from collections.abc import Mapping

from django import forms
from django.conf import settings
from django.contrib.auth.models import User

from benchdb.identity.services import confirmed_address
from benchdb.wording.names import check_name

from .services import WatchSettings
from .webhooks import RefusedAddress, check_address


class WatchForm(forms.Form):
    """The name of a watch and the ways of its notifications."""

    name = forms.CharField(
        max_length=200, error_messages={"required": "Give the watch a name."}, validators=[check_name]
    )
    mail = forms.BooleanField(required=False)
    webhook = forms.CharField(max_length=500, required=False)

    def __init__(self, owner: User, data: Mapping[str, object] | None = None) -> None:
        super().__init__(data)
        self.owner = owner

    def clean_mail(self) -> bool:
        """Whether mails are wanted, if they can be sent."""
        wanted: bool = self.cleaned_data["mail"]
        if wanted and (reason := no_mail(self.owner)):
            raise forms.ValidationError(reason)
        return wanted

    def clean_webhook(self) -> str:
        """The address, if the site may send webhooks there."""
        address: str = self.cleaned_data["webhook"]
        if address:
            try:
                check_address(address)
            except RefusedAddress as error:
                raise forms.ValidationError(str(error)) from None
        return address

    @property
    def chosen(self) -> WatchSettings:
        """The settings of a valid form."""
        return WatchSettings(**self.cleaned_data)


def no_mail(owner: User) -> str:
    """Why the owner cannot get mails; empty if mails can be sent."""
    if not settings.EMAIL_HOST:
        return "This site sends no mail."
    return (
        ""
        if confirmed_address(owner)
        else "Your account has no confirmed mail address. Enter it at Account, Mail address."
    )
