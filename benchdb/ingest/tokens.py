"""Making and checking tokens."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.utils import timezone

from benchdb.catalog.models import Machine
from benchdb.runs.models import Visibility

from .models import Scope, Token

PREFIX = "bdb_"  # so that a leaked token is recognised by secret scanners
USE_RECORDED_EVERY = timedelta(minutes=5)


def create_token(
    owner: User,
    name: str,
    scopes: Iterable[Scope],
    *,
    default_visibility: Visibility = Visibility.PRIVATE,
    expires_at: datetime | None = None,
) -> tuple[Token, str]:
    """A new token and its secret (256 random bits), which is not stored and cannot be shown again."""
    secret = PREFIX + secrets.token_urlsafe(32)
    token = Token.objects.create(
        owner=owner,
        name=name,
        digest=hashlib.sha256(secret.encode()).digest(),
        scopes=[Scope(scope).value for scope in scopes],
        default_visibility=default_visibility,
        expires_at=expires_at,
    )
    return token, secret


def find_token(secret: str) -> Token | None:
    """The valid token with this secret, its use recorded (at most once in five minutes), or None."""
    token = Token.objects.valid().matching(secret).select_related("owner").first()
    if token is None:
        return None
    now = timezone.now()
    if token.last_used_at is None or now - token.last_used_at > USE_RECORDED_EVERY:
        Token.objects.filter(pk=token.pk).update(last_used_at=now)
    return token


def belongs_to(token: Token, machine: Machine) -> bool:
    """Whether this machine may serve with the token. The first one that asks makes it its own."""
    if token.machine_id is None:
        Token.objects.filter(pk=token.pk, machine=None).update(machine=machine)
        token.refresh_from_db(fields=["machine"])
    return token.machine_id == machine.pk
