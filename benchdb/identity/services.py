"""Finds, makes and connects accounts of people whom somebody else has identified.

An account that exists is never joined by its name or its mail address, because a provider may let people choose both.
Its owner connects it while signed in.
"""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from benchdb.roles import Role, set_role

from .models import Identity
from .names import candidates, is_free, shape

LONGEST_ADDRESS = User._meta.get_field("email").max_length or 0
MAIL = "mail"  # the issuer of identities whose subject is a mail address that the account's owner has confirmed


class Taken(Exception):
    """Another account is connected with this identity."""


def is_mail_address(text: str) -> bool:
    """Whether every mail program reads this as the same address, and brings it to a public name of a host.

    It fits into an account, and is ASCII without quotes and encoded words (RFC 2047), and without signs that lead mail
    on to another host.
    """
    try:
        validate_email(text)
    except ValidationError:
        return False
    host = text.rpartition("@")[2]
    named = len(text) <= LONGEST_ADDRESS and "." in host and not host.rpartition(".")[2].isdigit()
    return named and text.isascii() and "=?" not in text and not set('"%![') & set(text)


def account_of(issuer: str, subject: str) -> User | None:
    """The account that is connected with an identity, which is noted as used; also if the account is closed."""
    identity = Identity.objects.select_related("user").filter(issuer=issuer, subject=subject).first()
    if identity is None:
        return None
    Identity.objects.filter(pk=identity.pk).update(used_at=timezone.now())
    return identity.user


def make_account(issuer: str, subject: str, wanted: str, email: str = "") -> User:
    """A new account without a password, connected with the identity; `wanted` is its name if that is free.

    Returns the account of the identity if another request has made one meanwhile.
    """
    for name in candidates(wanted):
        try:
            with transaction.atomic():
                user = new_account(name, email)
                Identity.objects.create(user=user, issuer=issuer, subject=subject, used_at=timezone.now())
                if email:  # the provider has confirmed it
                    Identity.objects.get_or_create(issuer=MAIL, subject=email.lower(), defaults={"user": user})
        except IntegrityError:  # the name, or the identity, was taken at this moment
            if there := account_of(issuer, subject):
                return there
            continue
        return user
    raise Taken


def new_account(name: str, email: str = "", password: str | None = None) -> User:
    """A new account in the role of accounts that people make themselves. Raises IntegrityError if the name is taken.

    Of several names at once that look alike, one is taken.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [shape(name)])
        if not is_free(name):
            raise IntegrityError(f"the name {name!r} is taken")
        user = User.objects.create_user(name, email, password)
        if Role(settings.NEW_ROLE) == Role.VIEWER:
            set_role(user, Role.VIEWER)
    return user


def connect(user: User, issuer: str, subject: str) -> None:
    """Connect an account with an identity; both may be connected already. Raises Taken."""
    identity, made = Identity.objects.get_or_create(issuer=issuer, subject=subject, defaults={"user": user})
    if not made and identity.user_id != user.pk:
        raise Taken


def confirmed_address(user: User) -> str:
    """The mail address of an account if its owner has confirmed it, else an empty text; one query."""
    return user.email if user.identities.filter(issuer=MAIL, subject=user.email.lower()).exists() else ""


def account_with(address: str) -> User | None:
    """The account that has this address and has confirmed it, if it is open."""
    confirmed = {"identities__issuer": MAIL, "identities__subject": address.lower()}
    return User.objects.filter(**confirmed, email__iexact=address, is_active=True).first()


def confirm_address(user: User, address: str) -> None:
    """Give an account the address that its owner has proved to have, in place of the one before. Raises Taken."""
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)  # one address at a time, so that one stays
        user.identities.filter(issuer=MAIL).delete()  # also the same one: a new row ends links of before
        connect(user, MAIL, address.lower())
        user.email = address
        user.save(update_fields=["email"])
