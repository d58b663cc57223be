"""Accounts that people make themselves: the link in a mail proves the address, the account is made afterwards.

No page shows whether an address has an account; only the mail to it does. Nothing is stored before the link is
opened: it has the address and a signature in it.
"""

from __future__ import annotations

from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.core.mail import EmailMessage
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from benchdb.identity.models import Identity
from benchdb.identity.services import MAIL, new_account

SALT = "sign-up"
HOURS = settings.PASSWORD_RESET_TIMEOUT // 3600  # for which a link is valid


class UsedLink(Exception):
    """The address has an account by now."""


class TakenName(Exception):
    """Another account took the name at this moment."""


def is_on() -> bool:
    """Whether people may make accounts with a mail address."""
    return bool(settings.SIGN_UP == "mail")


def domains() -> list[str]:
    """The domains of addresses that may make an account; empty for all."""
    return [domain for domain in settings.SIGN_UP_DOMAINS.lower().split(",") if domain]


def is_allowed(address: str) -> bool:
    """Whether the domain of an address may make accounts; subdomains are other domains."""
    return not domains() or address.rpartition("@")[2].lower() in domains()


def user_of(address: str) -> User | None:
    """The account of an address: one made with it, or one for which an administrator wrote it down."""
    identity = Identity.objects.select_related("user").filter(issuer=MAIL, subject=address.lower()).first()
    return identity.user if identity else User.objects.filter(email__iexact=address).first()


def mail_to(address: str, site: str) -> EmailMessage:
    """The mail with the link for a new account, or with the name of the account that is there."""
    if user := user_of(address):
        return EmailMessage(
            "Your BenchDB account",
            f"""Somebody, probably you, wanted to make an account for this address at {site}.
It has one already: {user.get_username()}

Sign in at {site}{reverse("login")}. If you have forgotten the password: {site}{reverse("forgotten")}
""",
            to=[address],
        )
    link = f"{site}{reverse('sign-up-confirm')}?{urlencode({'token': signing.dumps(address, salt=SALT)})}"
    return EmailMessage(
        "Your new BenchDB account",
        f"""Somebody, probably you, wants to make an account for this address at {site}.
Open this link within {HOURS} hours, and choose a name and a password:

{link}

If it was not you, delete this mail. Nothing is stored.
""",
        to=[address],
    )


def address_in(token: str) -> str | None:
    """The address that a link proves; None if the link is not ours or too old, or the domain is not allowed now."""
    try:
        address: str = signing.loads(token, salt=SALT, max_age=settings.PASSWORD_RESET_TIMEOUT)
    except signing.BadSignature:
        return None
    return address if is_allowed(address) else None


def make_account(address: str, name: str, password: str) -> User:
    """The account of a proved address, once. Raises UsedLink and TakenName."""
    if user_of(address):
        raise UsedLink
    try:
        with transaction.atomic():
            user = new_account(name, address, password)
            Identity.objects.create(user=user, issuer=MAIL, subject=address.lower(), used_at=timezone.now())
    except IntegrityError:  # the other form was sent at this moment
        raise (UsedLink if user_of(address) else TakenName) from None
    return user
