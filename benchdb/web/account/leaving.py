"""Deleting an account: what is left are tombstones of its runs, permalinks that say they were taken back, and a row
without a name.

The row stays, in the group `deleted`, because what its owner once did as staff is logged under it, and because it is
the queue: a sweep deletes whatever still is of accounts in this group. So nothing has to be kept of how far it is, and
what an upload stored that was on its way when the account was closed goes too.
"""

from __future__ import annotations

from django.contrib.auth.models import Group, User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from benchdb.catalog.models import Environment, Machine, Target
from benchdb.compare.models import Permalink
from benchdb.ingest.models import Import, Token
from benchdb.plans.models import Campaign, Job
from benchdb.publications.services import OWNER as PUBLISHER
from benchdb.runs.models import Run
from benchdb.runs.services import delete_run

GROUP = "deleted"
AT_ONCE = 200  # runs of one sweep


class KeptAccount(Exception):
    """An account that is not deleted; the text says why, as the end of a sentence."""


def leave(user: User) -> None:
    """Close an account for good: its name is free, its sessions and tokens end now. The rest goes by `sweep`.

    Raises KeptAccount. Idempotent.
    """
    if user.is_superuser or user.is_staff:
        raise KeptAccount("keeps this server; make it a contributor first")
    if user.username == PUBLISHER:
        raise KeptAccount("owns the figures of articles")
    with transaction.atomic():
        user.username, user.first_name, user.last_name, user.email = f"deleted-{user.pk}", "", "", ""
        user.is_active = False
        user.set_unusable_password()
        user.save()
        user.user_permissions.clear()
        user.groups.set([Group.objects.get_or_create(name=GROUP)[0]])
        _take_back(Permalink.objects.filter(owner=user))


def sweep() -> int:
    """Delete what is left of accounts that were deleted; how many runs went. Idempotent, and safe to kill."""
    gone = User.objects.filter(groups__name=GROUP)
    _take_back(Permalink.objects.filter(owner__in=gone, revoked_at=None))
    for model in (Token, Import, Job):
        model._default_manager.filter(owner__in=gone).delete()
    runs = list(Run.objects.filter(runstate__owner__in=gone).order_by("pk")[:AT_ONCE])
    for run in runs:
        delete_run(run)
    if len(runs) < AT_ONCE:
        Campaign.objects.filter(owner__in=gone).delete()
        Machine.objects.filter(owner__in=gone, runs=None, campaigns=None).delete()
        for snapshots in (Environment.objects, Target.objects):
            snapshots.filter(owner__in=gone, runs=None).delete()
    return len(runs)


def _take_back(permalinks: QuerySet[Permalink]) -> None:
    """They answer 410, and hold nothing any more: not who shared them either."""
    permalinks.update(revoked_at=timezone.now(), author="", query="", content={}, runs=[])
