"""Mail addresses of accounts: links in mails prove a new one, and lead from a proved one to a new password.

No page shows whether an address has an account.
"""

from __future__ import annotations

from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core import signing
from django.core.mail import EmailMessage
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.http import urlsafe_base64_encode

from benchdb.identity.services import MAIL, account_with

from .sign_up import HOURS

SALT = "address"


class PasswordLinks(PasswordResetTokenGenerator):
    """Django's tokens, which also end when an address is confirmed, even if it is the same again."""

    def _make_hash_value(self, user: User, timestamp: int) -> str:
        return super()._make_hash_value(user, timestamp) + _state(user)


PASSWORD_LINKS = PasswordLinks()


def _state(user: User) -> str:
    """A digest of what ends all links of an account: another password or address, or one confirmed anew."""
    confirmed = user.identities.filter(issuer=MAIL).values_list("pk").last()
    return salted_hmac(SALT, f"{user.password} {user.email} {confirmed}", algorithm="sha256").hexdigest()


def mail_with_password_link(address: str, site: str) -> EmailMessage | None:
    """The mail with a link to a new password; None unless an open account with a password has confirmed the address."""
    user = account_with(address)
    if user is None or not user.has_usable_password():
        return None
    key = urlsafe_base64_encode(str(user.pk).encode())
    link = reverse("new-password", args=[key, PASSWORD_LINKS.make_token(user)])
    return EmailMessage(
        "Your BenchDB password",
        f"""Somebody, probably you, has forgotten the password of your account {user.get_username()} at {site}.
Open this link within {HOURS} hours, and choose a new one:

{site}{link}

If it was not you, delete this mail. Your password stays as it is.
""",
        to=[user.email],
    )


def mail_to_confirm(address: str, site: str, user_id: int) -> EmailMessage | None:
    """The mail with a link that confirms a new address of an account; None if the account is closed."""
    user = User.objects.filter(pk=user_id, is_active=True).first()
    if user is None:
        return None
    token = signing.dumps([user.pk, _state(user), address], salt=SALT)
    return EmailMessage(
        "Confirm your mail address",
        f"""The account {user.get_username()} at {site} is to have this mail address.
Open this link within {HOURS} hours, signed in to this account, and confirm it:

{site}{reverse("address-confirm")}?{urlencode({"token": token})}

If this is not your account, delete this mail. Nothing is changed.
""",
        to=[address],
    )


def mail_about_change(address: str, site: str, name: str, new: str) -> EmailMessage:
    """The mail to the address that an account had before."""
    return EmailMessage(
        "Your mail address was changed",
        f"""The account {name} at {site} now has the mail address {new}.
If you did not change it, tell the administrator of the site, because somebody knows your password.
""",
        to=[address],
    )


def address_in(token: str, user: User) -> str | None:
    """The address that a link proves to be the user's; None if it is another account's, too old, or used."""
    try:
        user_id, state, address = signing.loads(token, salt=SALT, max_age=settings.PASSWORD_RESET_TIMEOUT)
    except signing.BadSignature:
        return None
    return address if (user_id, state) == (user.pk, _state(user)) else None
