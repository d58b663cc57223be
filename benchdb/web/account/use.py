"""The context of the page that shows what an account, and all accounts together, use of their quotas."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.auth.models import User

from benchdb.compare.models import Permalink
from benchdb.ingest.imports.services import bytes_of_imports
from benchdb.ingest.models import Import, ImportState, Token
from benchdb.quotas.limits import CHARGED, account_limit, own_quotas, say, site_limit
from benchdb.quotas.models import Quota, Usage
from benchdb.quotas.services import used_by, used_by_all
from benchdb.wording.sizes import say_size

MOST_ACCOUNTS = 50
NAMES = {
    Quota.RUNS: "Runs",
    Quota.VALUES: "Values",
    Quota.BYTES: "Documents",
    Quota.CAMPAIGNS: "Campaigns",
    Quota.PLANS: "Queued plans",
    Quota.MACHINES: "Machines",
    Quota.IMPORTS: "Open imports",
    Quota.PERMALINKS: "Permalinks",
    Quota.TOKENS: "Valid tokens",
}


def use(user: User) -> dict[str, object]:
    """The page: six queries, and six more for staff."""
    own = own_quotas(user.pk)
    used = _of_account(user)
    # The context of web/use.html; `site` and `accounts` are empty unless the reader is staff.
    return {
        "own": [_row(quota, used[quota], account_limit(quota, own)) for quota in Quota],
        "site": _site() if user.is_staff else [],
        "accounts": _accounts() if user.is_staff else [],
        "section": "account",
    }


def _of_account(user: User) -> Mapping[Quota, int]:
    stored = used_by(user.pk)
    return {
        **{quota: stored.of(quota) for quota in CHARGED},
        Quota.BYTES: stored.document_bytes + bytes_of_imports(user),
        Quota.IMPORTS: Import.objects.filter(owner=user).exclude(state=ImportState.STORED).count(),
        Quota.PERMALINKS: Permalink.objects.filter(owner=user).count(),
        Quota.TOKENS: Token.objects.valid().filter(owner=user).count(),
    }


def _site() -> list[dict[str, object]]:
    stored = used_by_all()
    used = {
        **{quota: stored.of(quota) for quota in CHARGED},
        Quota.BYTES: stored.document_bytes + bytes_of_imports(),
        Quota.IMPORTS: Import.objects.exclude(state=ImportState.STORED).count(),
        Quota.PERMALINKS: Permalink.objects.count(),
        Quota.TOKENS: Token.objects.valid().count(),
    }
    return [_row(quota, used[quota], site_limit(quota)) for quota in Quota]


def _row(quota: Quota, used: int, most: int | None) -> dict[str, object]:
    # The use of one quota; `most` is None without a limit, `parts` of `whole` is the length of the bar.
    return {
        "name": NAMES[quota],
        "used": say(quota, used),
        "most": None if most is None else say(quota, most),
        "parts": min(used, most or 0),
        "whole": max(most or 0, 1),
        "full": most is not None and used >= most,
    }


def _accounts() -> list[dict[str, object]]:
    used = Usage.objects.exclude(runs=0, document_bytes=0)
    largest = used.select_related("owner").order_by("-document_bytes", "-runs", "owner")
    # What one account has stored; `size` are the bytes of its documents.
    return [
        {
            "name": row.owner.get_username(),
            "runs": row.runs,
            "values": row.value_count,
            "size": say_size(row.document_bytes),
        }
        for row in largest[:MOST_ACCOUNTS]
    ]
