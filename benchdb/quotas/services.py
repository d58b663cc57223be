"""Counts what is stored, and refuses what exceeds a quota. Call these in the transaction that stores or deletes.

Two requests at once never exceed the quota of an account: the second waits for the row of the first until its
transaction ends. The limit of all accounts together is compared with what is committed, so that accounts do not wait
for each other; what is being stored at the same moment may exceed it.
"""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth.models import User
from django.db import connection
from django.db.models import F, Sum
from django.db.models.functions import Greatest

from .limits import Amount, account_limit, check, own_quotas, site_limit
from .models import Quota, Usage

# One round trip: add to the row of the account, and read its own quotas.
_ADD = """
WITH added AS (
    INSERT INTO quotas_usage AS known (owner_id, runs, value_count, document_bytes) VALUES (%s, %s, %s, %s)
    ON CONFLICT (owner_id) DO UPDATE SET
        runs = known.runs + excluded.runs,
        value_count = known.value_count + excluded.value_count,
        document_bytes = known.document_bytes + excluded.document_bytes
    RETURNING runs, value_count, document_bytes)
SELECT added.*, (SELECT json_object_agg(quota, most) FROM quotas_ownquota WHERE owner_id = %s) FROM added
"""


def add_uncharged(owner: User, amount: Amount) -> None:
    """Count runs that no quota applies to."""
    _add(owner, amount)


def charge(owner: User, amount: Amount) -> None:
    """Count new runs. Raises QuotaExceeded, and the transaction must then be rolled back.

    It is the last step before the commit, since other uploads of the account wait here.
    """
    now, own = _add(owner, amount)
    for quota, used, added in _by_quota(now, amount):
        check(quota, used - added, added, account_limit(quota, own))
    if any(site_limit(quota) is not None for quota in (Quota.RUNS, Quota.VALUES, Quota.BYTES)):
        for quota, used, added in _by_quota(used_by_all(), amount):
            check(quota, used - added, added, site_limit(quota), of_site=True)


def release(owner_id: int, amount: Amount) -> None:
    """Count deleted runs."""
    Usage.objects.filter(pk=owner_id).update(
        runs=Greatest(F("runs") - amount.runs, 0),
        value_count=Greatest(F("value_count") - amount.value_count, 0),
        document_bytes=Greatest(F("document_bytes") - amount.document_bytes, 0),
    )


def used_by(owner_id: int) -> Amount:
    """What the runs of an account take; one query."""
    row = Usage.objects.filter(pk=owner_id).values_list("runs", "value_count", "document_bytes").first()
    return Amount(*row) if row else Amount()


def used_by_all() -> Amount:
    """What all runs take: the sum over the accounts, one query."""
    sums = Usage.objects.aggregate(*(Sum(name, default=0) for name in ("runs", "value_count", "document_bytes")))
    return Amount(*(int(sums[f"{name}__sum"]) for name in ("runs", "value_count", "document_bytes")))


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
        cursor.execute(_ADD, [owner.pk, amount.runs, amount.value_count, amount.document_bytes, owner.pk])
        runs, value_count, document_bytes, own = cursor.fetchone()
    return Amount(runs, value_count, document_bytes), own or {}


def _by_quota(used: Amount, added: Amount) -> list[tuple[Quota, int, int]]:
    return [
        (Quota.RUNS, used.runs, added.runs),
        (Quota.VALUES, used.value_count, added.value_count),
        (Quota.BYTES, used.document_bytes, added.document_bytes),
    ]
