"""Creates, finds and revokes tokens."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, Q
from django.utils import timezone

from benchdb.catalog.models import Machine
from benchdb.quotas.models import Quota
from benchdb.quotas.services import check_room
from benchdb.roles import owner_only_reads
from benchdb.runs.models import Visibility

from .models import Scope, Token

PREFIX = "bdb_"  # for secret scanners, which recognise leaked tokens by it
MOST_ENDED = 200  # revoked and expired tokens of an account that are kept
USE_RECORDED_EVERY = timedelta(minutes=5)
TIME = "%Y-%m-%d at %H:%M UTC"
# Read in the query for the token; `Token` declares the attribute.
_OF_OWNER: dict[str, Exists] = {"only_reads": owner_only_reads()}


def create_token(
    owner: User,
    name: str,
    scopes: Iterable[Scope],
    *,
    default_visibility: Visibility = Visibility.PRIVATE,
    expires_at: datetime | None = None,
) -> tuple[Token, str]:
    """A new token and its secret (256 random bits), which is not stored and cannot be shown again.

    Deletes all but the newest `MOST_ENDED` revoked and expired tokens of the account. Raises QuotaExceeded.
    """
    secret = PREFIX + secrets.token_urlsafe(32)
    valid = Token.objects.valid()
    with transaction.atomic():
        check_room(owner, Quota.TOKENS, 1, valid.filter(owner=owner).count, valid.count)
        token = Token.objects.create(
            owner=owner,
            name=name,
            digest=hashlib.sha256(secret.encode()).digest(),
            scopes=[Scope(scope).value for scope in scopes],
            default_visibility=default_visibility,
            expires_at=expires_at,
        )
        _forget_ended(owner)
    return token, secret


def _forget_ended(owner: User) -> None:
    """Delete the oldest of very many ended tokens, so that making and revoking tokens does not fill the disk."""
    ended = Q(revoked_at__isnull=False) | Q(expires_at__lte=timezone.now())
    oldest = Token.objects.filter(ended, owner=owner).order_by("-pk").values_list("pk", flat=True)[MOST_ENDED:]
    Token.objects.filter(pk__in=list(oldest)).delete()


def find_token(secret: str) -> Token | None:
    """The valid token with this secret, its use recorded (at most once in five minutes), or None."""
    token = Token.objects.valid().matching(secret).select_related("owner").annotate(**_OF_OWNER).first()
    if token is None:
        return None
    now = timezone.now()
    if token.last_used_at is None or now - token.last_used_at > USE_RECORDED_EVERY:
        Token.objects.filter(pk=token.pk).update(last_used_at=now)
    return token


def revoke_token(token: Token) -> None:
    """Revoke a token; a second call does not change the time of the first."""
    Token.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now())


def why_refused(secret: str) -> str | None:
    """A sentence on why the token with this secret is not valid; None if it is valid or does not exist."""
    token = Token.objects.matching(secret).select_related("owner").first()
    if token is None:
        return None
    if token.revoked_at is not None:
        return f"This token was revoked on {token.revoked_at:{TIME}}."
    if token.expires_at is not None and token.expires_at <= timezone.now():
        return f"This token expired on {token.expires_at:{TIME}}."
    return None if token.owner.is_active else "The account of this token is closed."


def belongs_to(token: Token, machine: Machine) -> bool:
    """Whether this machine may serve with the token; the first machine to call this becomes its only one."""
    if token.machine_id is None:
        Token.objects.filter(pk=token.pk, machine=None).update(machine=machine)
        token.refresh_from_db(fields=["machine"])
    return token.machine_id == machine.pk
