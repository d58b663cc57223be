"""Claims what a guest has uploaded for an account, and deletes guests that nobody claims in time."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from benchdb.catalog.models import Environment, Machine, Target
from benchdb.identity.guests import GROUP, is_guest
from benchdb.ingest.tokens import find_token
from benchdb.plans.models import Campaign
from benchdb.quotas import services as quotas
from benchdb.runs.models import RunState

from .leaving import leave

AT_ONCE = 20  # guests of one sweep


class WrongSecret(Exception):
    """No guest has this secret: it is misspelt, was used, or has expired."""


def claim(user: User, secret: str) -> int:
    """Move the runs and campaigns of the guest with this secret to an account; returns the number of runs.

    The guest is closed. Raises WrongSecret and QuotaExceeded, and changes nothing then.
    """
    token = find_token(secret.strip())
    if token is None or not is_guest(token.owner):
        raise WrongSecret
    with transaction.atomic():
        guest = User.objects.select_for_update(no_key=True).get(pk=token.owner_id)
        if not guest.is_active:  # claimed by another request at this moment
            raise WrongSecret
        used = quotas.used_by(guest.pk)
        runs = RunState.objects.filter(owner=guest).update(owner=user, sent_with=None)
        Campaign.objects.filter(owner=guest).update(owner=user)
        quotas.release(guest.pk, used)
        machines = _move_context(guest, user)
        leave(guest)
        quotas.charge(user, replace(used, machines=machines))  # last: uploads of the account wait for it
    return runs


def _move_context(guest: User, user: User) -> int:
    """Move machines and snapshots that the account does not have yet; returns the number of machines.

    Others stay with the closed guest, because stored runs refer to them and never change.
    """
    moved = 0
    for model, key in ((Environment, "digest"), (Target, "digest"), (Machine, "machine_id")):
        known = model._default_manager.filter(owner=user).values(key)
        moved = model._default_manager.filter(owner=guest).exclude(**{f"{key}__in": known}).update(owner=user)
    return moved


def expire_guests() -> int:
    """Close guests that are too old, with all that they have stored; returns their number. Idempotent."""
    until = timezone.now() - timedelta(days=settings.ANONYMOUS_DAYS)
    expired = list(User.objects.filter(groups__name=GROUP, date_joined__lt=until)[:AT_ONCE])
    for guest in expired:
        leave(guest)
    return len(expired)
