"""Counts what is stored, and refuses what exceeds a quota. Call these in the transaction that stores or deletes.

Two requests at once never exceed the quota of an account: the second waits for the row of the first until its
transaction ends. The limit of all accounts together is compared with what is committed, so that accounts do not wait
for each other; what is being stored at the same moment may exceed it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple

from django.contrib.auth.models import User
from django.db import connection
from django.db.models import F, Sum
from django.db.models.functions import Greatest

from .limits import CHARGED, Amount, account_limit, check, own_quotas, site_limit
from .models import Quota, Usage

_COLUMNS = [*CHARGED.values()]
_NAMES = ", ".join(_COLUMNS)
# One round trip: add to the row of the account, and read its own quotas.
_ADD = f"""
WITH added AS (
    INSERT INTO quotas_usage AS known (owner_id, {_NAMES}) VALUES (%s{", %s" * len(_COLUMNS)})
    ON CONFLICT (owner_id) DO UPDATE SET {", ".join(f"{name} = known.{name} + excluded.{name}" for name in _COLUMNS)}
    RETURNING {_NAMES})
SELECT (SELECT json_object_agg(quota, most) FROM quotas_ownquota WHERE owner_id = %s), added.* FROM added
"""


def add_uncharged(owner: User, amount: Amount) -> None:
    """Count what no quota applies to."""
    _add(owner, amount)


def charge(owner: User, amount: Amount) -> None:
    """Count what is new. Raises QuotaExceeded, and the transaction must then be rolled back.

    It is the last step before the commit, since other uploads of the account wait here.
    """
    now, own = _add(owner, amount)
    for quota in CHARGED:
        check(quota, now.of(quota) - amount.of(quota), amount.of(quota), account_limit(quota, own))
    if any(site_limit(quota) is not None for quota in CHARGED):
        now = used_by_all()
        for quota in CHARGED:
            check(quota, now.of(quota) - amount.of(quota), amount.of(quota), site_limit(quota), of_site=True)


def release(owner_id: int, amount: Amount) -> None:
    """Count what was deleted."""
    Usage.objects.filter(pk=owner_id).update(
        **{name: Greatest(F(name) - getattr(amount, name), 0) for name in _COLUMNS},
    )


def used_by(owner_id: int) -> Amount:
    """What an account has stored; one query."""
    row = Usage.objects.filter(pk=owner_id).values_list(*_COLUMNS).first()
    return Amount(*row) if row else Amount()


def used_by_all() -> Amount:
    """What all accounts have stored; one query."""
    sums = Usage.objects.aggregate(*(Sum(name, default=0) for name in _COLUMNS))
    return Amount(*(int(sums[f"{name}__sum"]) for name in _COLUMNS))


def check_room(owner: User, quota: Quota, added: int, of_account: Callable[[], int], of_all: Callable[[], int]) -> None:
    """Raise QuotaExceeded if `added` is too much beside what the two functions count.

    If the account has a limit, its row is locked before, so that the number is right until the transaction ends.
    """
    if (most := account_limit(quota, own_quotas(owner.pk))) is not None:
        # Not FOR UPDATE, for which uploads would have to wait: their rows refer to the account.
        User.objects.select_for_update(no_key=True).filter(pk=owner.pk).values_list("pk").first()
        check(quota, of_account(), added, most)
    if (most := site_limit(quota)) is not None:
        check(quota, of_all(), added, most, of_site=True)


def _add(owner: User, amount: Amount) -> tuple[Amount, dict[str, int | None]]:
    with connection.cursor() as cursor:
        cursor.execute(_ADD, [owner.pk, *astuple(amount), owner.pk])
        own, *now = cursor.fetchone()
    return Amount(*now), own or {}
