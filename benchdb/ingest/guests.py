"""Begins an anonymous upload: a guest, its quotas, and a token whose secret claims it later."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from benchdb.identity import guests
from benchdb.quotas.limits import MIB, account_limit
from benchdb.quotas.models import OwnQuota, Quota
from benchdb.runs.models import Visibility

from .models import Scope
from .tokens import create_token

NAME = "anonymous upload"  # of the token
# What one guest may store, unless accounts of the site may store less; documents in MiB.
MOST = {Quota.RUNS: 200, Quota.BYTES: 64, Quota.CAMPAIGNS: 5, Quota.MACHINES: 5, Quota.IMPORTS: 3}


@dataclass(frozen=True, slots=True)
class NewGuest:
    """A guest that was just made. The secret is not stored."""

    user: User
    secret: str
    expires_at: datetime


def begin() -> NewGuest:
    """Make a guest that may upload until it expires, and the secret that claims what it has stored by then."""
    visibility = Visibility.PUBLIC if settings.ANONYMOUS == "public" else Visibility.UNLISTED
    expires_at = timezone.now() + timedelta(days=settings.ANONYMOUS_DAYS)
    with transaction.atomic():
        guest = guests.new_guest()
        OwnQuota.objects.bulk_create(OwnQuota(owner=guest, quota=quota, most=_most(quota)) for quota in MOST)
        _, secret = create_token(guest, NAME, [Scope.UPLOAD], default_visibility=visibility, expires_at=expires_at)
    return NewGuest(guest, secret, expires_at)


def _most(quota: Quota) -> int:
    of_accounts = account_limit(quota, {})
    if of_accounts is None:
        return MOST[quota]
    return min(MOST[quota], of_accounts // MIB if quota == Quota.BYTES else of_accounts)
