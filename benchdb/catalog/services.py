"""Writes to the catalogue. Each is idempotent and safe when two uploads bring the same snapshot at once."""

from __future__ import annotations

import hashlib
import json
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction
from django.db.models import Model, QuerySet

from benchdb.facts.registry import columns_of

from .models import Environment, Target

Row = TypeVar("Row", bound=Model)
# One statement that inserts a snapshot, or locks the same one until the upload ends, so that nothing collects it. It
# updates a column outside the unique key to the same value: the lock of a key column would also stop other uploads that
# only refer to the snapshot, and two that stop each other are a deadlock.
_KEY = ["owner", "digest"]


def keep_environment(owner: User, facts: Facts) -> Environment:
    """The owner's environment with exactly these facts, stored if it is new."""
    columns = {"facts": facts, "fingerprints": fingerprints(facts), **columns_of("environment", facts)}
    new = Environment(owner=owner, digest=digest(facts), **columns)
    (kept,) = Environment.objects.bulk_create(
        [new], update_conflicts=True, unique_fields=_KEY, update_fields=["cpu_threads"]
    )
    return kept


def keep_target(owner: User, facts: Facts) -> Target:
    """The owner's target with exactly these facts, stored if it is new."""
    columns = {"facts": facts, "kind": facts.get("kind", "directory"), **columns_of("target", facts)}
    new = Target(owner=owner, digest=digest(facts), **columns)
    (kept,) = Target.objects.bulk_create([new], update_conflicts=True, unique_fields=_KEY, update_fields=["kind"])
    return kept


_KNOWN = """
SELECT
  (SELECT id FROM catalog_machine WHERE owner_id = %(owner)s AND machine_id = %(machine_id)s AND name = %(name)s),
  (SELECT id FROM catalog_environment WHERE owner_id = %(owner)s AND digest = %(environment)s),
  (SELECT id FROM catalog_target WHERE owner_id = %(owner)s AND digest = %(target)s)
"""


def known(owner: User, machine_id: str, name: str, environment: Facts, target: Facts) -> tuple[int | None, ...]:
    """The ids of the owner's machine of this id and name, and of the environment and target with exactly these facts.

    None for anything not stored yet. One query, because nearly every upload brings nothing new.
    """
    digests = {"environment": digest(environment), "target": digest(target)}
    with connection.cursor() as cursor:
        cursor.execute(_KNOWN, {"owner": owner.pk, "machine_id": machine_id, "name": name, **digests})
        ids: tuple[int | None, ...] = cursor.fetchone()
    return ids


def collect_environment(pk: int) -> None:
    """Delete an environment if no run uses it any more."""
    collect(Environment.objects.filter(pk=pk, runs=None))


def collect_target(pk: int) -> None:
    """Delete a target if no run uses it any more."""
    collect(Target.objects.filter(pk=pk, runs=None))


def collect(unused: QuerySet[Row]) -> None:
    """Delete rows that no run uses, unless an upload stored at this moment does."""
    try:
        with transaction.atomic():
            # Skip a row that an upload has locked at this moment, because it will be used. Waiting for the row while
            # the upload waits for this transaction would be a deadlock.
            free = unused.select_for_update(skip_locked=True, of=("self",))
            unused.model._default_manager.filter(pk__in=list(free.values_list("pk", flat=True))).delete()
    except IntegrityError:
        pass  # an upload stored at this moment uses the row again


Facts = dict[str, Any]

COMPONENTS = {
    "cpu": ("cpu",),
    "memory": ("memory",),
    "numa": ("numa_nodes",),
    "kernel": ("kernel",),
    "os": ("os",),
    "virtualization": ("virtualization",),
    "storage": ("block_devices", "raid_arrays", "controllers"),
}


def digest(facts: object) -> bytes:
    """SHA-256 of the canonical JSON (sorted keys, no white space), 32 bytes."""
    return hashlib.sha256(json.dumps(facts, sort_keys=True, separators=(",", ":")).encode()).digest()


def fingerprints(environment: Facts) -> dict[str, str]:
    """One digest per component, so that a comparison of two runs finds differing components without their facts."""
    return {
        component: digest([environment.get(key) for key in keys]).hex()[:16] for component, keys in COMPONENTS.items()
    }
