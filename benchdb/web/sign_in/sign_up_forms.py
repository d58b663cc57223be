"""The forms of people who make an account."""

from __future__ import annotations

from django import forms
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.validators import ASCIIUsernameValidator

from benchdb.identity.names import LONGEST_NAME, is_free
from benchdb.identity.services import is_mail_address

from .sign_up import domains, is_allowed

NO_ADDRESS = "This is no mail address."
TAKEN = "This name is taken, or looks like one that is. Choose another one."


class MailForm(forms.Form):
    """A mail address."""

    address = forms.EmailField(
        max_length=254, error_messages={"invalid": NO_ADDRESS, "required": "Enter a mail address."}
    )

    def clean_address(self) -> str:
        """The address."""
        address: str = self.cleaned_data["address"]
        if not is_mail_address(address):
            raise forms.ValidationError(NO_ADDRESS)
        return address


class AddressForm(MailForm):
    """A mail address of an allowed domain."""

    def clean_address(self) -> str:
        """The address."""
        address = super().clean_address()
        if not is_allowed(address):
            raise forms.ValidationError(f"Only addresses of {', '.join(domains())} can have an account here.")
        return address


class AccountForm(forms.Form):
    """Name and password of a new account."""

    name = forms.CharField(
        max_length=LONGEST_NAME,
        validators=[ASCIIUsernameValidator(message="It may have letters from a to z, digits and @ . + - _ only.")],
        error_messages={"required": "Choose a name."},
    )
    password = forms.CharField(strip=False, max_length=4096, error_messages={"required": "Choose a password."})
    again = forms.CharField(strip=False, max_length=4096, error_messages={"required": "Enter it once more."})

    def clean_name(self) -> str:
        """The name, if it is free."""
        name: str = self.cleaned_data["name"]
        if not is_free(name):
            raise forms.ValidationError(TAKEN)
        return name

    def clean(self) -> None:
        """Compare the passwords, and apply the rules for them."""
        password, again = self.cleaned_data.get("password"), self.cleaned_data.get("again")
        if password and again and password != again:
            self.add_error("again", "The two passwords are different.")
        elif password:
            try:
                validate_password(password, User(username=self.cleaned_data.get("name", "")))
            except forms.ValidationError as error:
                self.add_error("password", error)
