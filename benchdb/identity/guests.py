"""Guests: accounts without a person, which own what was uploaded anonymously until somebody claims it."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, Group, User

GROUP = "guest"
BEGINNING = "anonymous-"  # of their names, which nobody can choose (benchdb/roles.py)
KNOWN = "_is_guest"  # the attribute of a user object that keeps the answer


def is_on() -> bool:
    """Whether the site takes anonymous uploads."""
    return bool(settings.ANONYMOUS != "off")


def is_guest(user: User | AnonymousUser) -> bool:
    """Whether the account is a guest; no query for other accounts, whose names begin differently."""
    if not user.is_authenticated or not user.get_username().startswith(BEGINNING):
        return False
    known: bool | None = getattr(user, KNOWN, None)
    if known is None:
        known = user.groups.filter(name=GROUP).exists()
        setattr(user, KNOWN, known)
    return known


def forced_visibility(owner: User) -> str | None:
    """The visibility of everything that a guest stores, as the site has decided; None for other accounts."""
    if not is_guest(owner):
        return None
    return "public" if settings.ANONYMOUS == "public" else "unlisted"


def new_guest() -> User:
    """A guest that nobody can sign in to. In a transaction."""
    guest = User.objects.create_user(f"{BEGINNING}{secrets.token_hex(6)}")
    guest.groups.add(Group.objects.get_or_create(name=GROUP)[0])
    return guest
