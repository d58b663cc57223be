"""Writes to the catalogue. Each is idempotent and safe when two uploads bring the same snapshot at once."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from .facets import digest, environment_facets, fingerprints, target_facets
from .models import Environment, Target

Facts = dict[str, Any]


def keep_environment(owner: User, facts: Facts) -> Environment:
    """The owner's environment with exactly these facts, stored if it is new."""
    columns = {"facts": facts, "fingerprints": fingerprints(facts), **environment_facets(facts)}
    return Environment.objects.get_or_create(owner=owner, digest=digest(facts), defaults=columns)[0]


def keep_target(owner: User, facts: Facts) -> Target:
    """The owner's target with exactly these facts, stored if it is new."""
    columns = {"facts": facts, **target_facets(facts)}
    return Target.objects.get_or_create(owner=owner, digest=digest(facts), defaults=columns)[0]


def collect_environment(pk: int) -> None:
    """Delete an environment that no run uses any more."""
    _collect(Environment.objects.filter(pk=pk, runs=None))


def collect_target(pk: int) -> None:
    """Delete a target that no run uses any more."""
    _collect(Target.objects.filter(pk=pk, runs=None))


def _collect(unused: QuerySet[Any]) -> None:
    try:
        with transaction.atomic():
            # One that an upload holds at this moment will be used: it is passed by. Waiting for it while the upload
            # waits for this row would be a deadlock.
            free = unused.select_for_update(skip_locked=True, of=("self",))
            unused.model._default_manager.filter(pk__in=list(free.values_list("pk", flat=True))).delete()
    except IntegrityError:
        pass  # an upload that was stored at this moment uses it again
