"""Deletes an account; tombstones of its runs, empty permalinks and a row without a name remain.

The row stays in the group `deleted`, because the admin's log refers to it, and because the group is the queue of the
sweep, which deletes all remaining data of these accounts. So no progress has to be stored, and the sweep also deletes
runs whose upload was in progress when the account was closed.
"""

from __future__ import annotations

from django.contrib.auth.models import Group, User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from benchdb.alerts.models import Watch
from benchdb.catalog.models import Environment, Machine, Target
from benchdb.compare.models import KeptAnswer, Permalink
from benchdb.ingest.models import Import, Token
from benchdb.plans.models import Campaign, Job
from benchdb.publications.services import OWNER as PUBLISHER
from benchdb.runs.models import Run, Turn
from benchdb.runs.services import delete_run
from benchdb.signatures.models import SigningKey

from . import second_factor

GROUP = "deleted"
AT_ONCE = 200  # runs of one sweep


class KeptAccount(Exception):
    """An account that cannot be deleted; the message is the reason, as the end of a sentence."""


def leave(user: User) -> None:
    """Close an account for good: its name is free, its sessions and tokens end now; `sweep` deletes the rest.

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
        second_factor.remove(user)
        user.identities.all().delete()
        user.groups.set([Group.objects.get_or_create(name=GROUP)[0]])
        _take_back(Permalink.objects.filter(owner=user))


def sweep() -> int:
    """Delete the remaining data of deleted accounts; returns the number of deleted runs. Idempotent, safe to kill."""
    deleted = User.objects.filter(groups__name=GROUP)
    _take_back(Permalink.objects.filter(owner__in=deleted, revoked_at=None))
    for model in (Token, Import, Job, Turn, Watch, SigningKey):
        model._default_manager.filter(owner__in=deleted).delete()
    runs = list(Run.objects.filter(runstate__owner__in=deleted).order_by("pk")[:AT_ONCE])
    for run in runs:
        delete_run(run)
    if len(runs) < AT_ONCE:
        Campaign.objects.filter(owner__in=deleted).delete()
        Machine.objects.filter(owner__in=deleted, runs=None, campaigns=None).delete()
        for snapshots in (Environment.objects, Target.objects):
            snapshots.filter(owner__in=deleted, runs=None).delete()
    return len(runs)


def _take_back(permalinks: QuerySet[Permalink]) -> None:
    """Revoke and empty permalinks, with the name of their author and kept pages; they answer 410 from now on."""
    KeptAnswer.objects.filter(permalink__in=permalinks).delete()
    permalinks.update(revoked_at=timezone.now(), author="", query="", content={}, runs=[])
