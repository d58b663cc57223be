"""The limits in force, and the sentence that refuses what exceeds one."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from functools import lru_cache

from django.conf import settings

from benchdb.wording.sizes import say_size

from .models import OwnQuota, Quota

MIB = 2**20
# What the owner of too much can do.
_REMEDIES = {
    Quota.RUNS: "Delete runs",
    Quota.VALUES: "Delete runs",
    Quota.BYTES: "Delete runs, or discard imports",
    Quota.IMPORTS: "Store or discard an import",
    Quota.TOKENS: "Revoke a token",
}


@dataclass(frozen=True, slots=True)
class Limit:
    """The most that one account may have, and all accounts together; None without a limit. Documents in bytes."""

    account: int | None
    site: int | None


@dataclass(frozen=True, slots=True)
class Amount:
    """What is stored with a charge: numbers, and the bytes of documents, uncompressed JSON.

    The fields have the names of the columns of `Usage`.
    """

    runs: int = 0
    value_count: int = 0
    document_bytes: int = 0
    campaigns: int = 0
    plans: int = 0
    machines: int = 0

    def __add__(self, other: Amount) -> Amount:
        return Amount(*map(operator.add, astuple(self), astuple(other)))

    def of(self, quota: Quota) -> int:
        """The part that a quota of `CHARGED` limits."""
        number: int = getattr(self, CHARGED[quota])
        return number


# The quotas whose use is kept in `Usage`, and their columns.
CHARGED = {
    Quota.RUNS: "runs",
    Quota.VALUES: "value_count",
    Quota.BYTES: "document_bytes",
    Quota.CAMPAIGNS: "campaigns",
    Quota.PLANS: "plans",
    Quota.MACHINES: "machines",
}


class QuotaExceeded(Exception):
    """Something was not stored because of a quota; the message is a sentence on which, and what to do.

    `used` is what is stored already; with `added` it would exceed `most`. Documents in bytes.
    """

    def __init__(self, quota: Quota, used: int, added: int, most: int, *, of_site: bool = False) -> None:
        self.quota, self.used, self.added, self.most, self.of_site = quota, used, added, most, of_site
        who = "of all accounts together" if of_site else "of this account"
        remedy = "" if of_site else _REMEDIES.get(quota, "")
        ask = f"{remedy}, or ask the administrator for more." if remedy else "Ask the administrator for more."
        super().__init__(
            f"The quota {who} for {quota.label} is {say(quota, most)}; {say(quota, used)} are used, and this would "
            f"add {say(quota, added)}. {ask}"
        )


def say(quota: Quota, number: int) -> str:
    """A number of what the quota counts, for people: `1,000`, or `1.5 GiB`."""
    return say_size(number) if quota == Quota.BYTES else f"{number:,}"


def site_limit(quota: Quota) -> int | None:
    """The most that all accounts together may have."""
    return _read(quota, settings.QUOTAS[quota.value]).site


def account_limit(quota: Quota, own: Mapping[str, int | None]) -> int | None:
    """The most that an account may have; `own` are its own quotas (`OwnQuota.most` by name)."""
    if quota.value in own:
        most = own[quota.value]
        return most if most is None else most * _unit(quota)
    return _read(quota, settings.QUOTAS[quota.value]).account


def own_quotas(owner_id: int) -> dict[str, int | None]:
    """The quotas of an account that replace those of the settings; one query."""
    return dict(OwnQuota.objects.filter(owner=owner_id).values_list("quota", "most"))


def check(quota: Quota, used: int, added: int, most: int | None, *, of_site: bool = False) -> None:
    """Raise QuotaExceeded if what is `added` to what is `used` exceeds the limit."""
    if most is not None and added > 0 and used + added > most:
        raise QuotaExceeded(quota, used, added, most, of_site=of_site)


@lru_cache(maxsize=64)
def _read(quota: Quota, setting: str | None) -> Limit:
    """The limits of a setting such as `1000`, `1000/50000` or `none/50000`."""
    account, _, site = (setting or "none").partition("/")
    return Limit(_number(quota, account), _number(quota, site or "none"))


def _number(quota: Quota, text: str) -> int | None:
    return None if text == "none" else int(text) * _unit(quota)


def _unit(quota: Quota) -> int:
    return MIB if quota == Quota.BYTES else 1
