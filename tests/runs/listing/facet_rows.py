"""Rows of `Facets` and runs with given columns, without documents."""

from collections.abc import Mapping
from itertools import count as numbers
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.utils import timezone

from benchdb.catalog.models import Environment, Machine, Target
from benchdb.runs.models import Facets, Run, RunState

_unique = numbers(1)


def new_facets(
    owner: User,
    machine: str = "node",
    environment: Mapping[str, Any] = {},
    target: Mapping[str, Any] = {},
    own: Mapping[str, Any] = {},
) -> Facets:
    """A row with a machine, an environment and a target of its own."""
    known = {"owner": owner, "facts": {}}
    digests = [next(_unique).to_bytes(32, "big") for _ in range(3)]
    return Facets.objects.create(
        digest=digests[0],
        machine=Machine.objects.create(owner=owner, machine_id=digests[0].hex(), name=machine),
        environment=Environment.objects.create(**known, digest=digests[1], fingerprints={}, **environment),
        target=Target.objects.create(
            **{**known, "digest": digests[2], "kind": "directory", "mkfs_options": "", "mount_options": [], **target}
        ),
        **{"tool": "iozone", "cache_regime": "cold", "source": "measured", "tests": ["read"], **own},
    )


def new_run(facets: Facets, owner: User, **state: Any) -> UUID:
    """The id of a run without results, newer than those before it."""
    now = timezone.now()
    run = Run.objects.create(
        id=UUID(int=next(_unique)),
        digest=b"",
        **{name: getattr(facets, name) for name in ("machine", "environment", "target", "tool", "cache_regime")},
        command=[],
        parameters={},
        protocol={},
        rounds=[],
        state_before={},
        extra={},
        round_count=1,
        started_at=now,
        finished_at=now,
    )
    RunState.objects.create(run=run, owner=owner, facets=facets, **{"state": "ready", "visibility": "public", **state})
    return run.pk


def kernels(owner: User, number: int) -> list[UUID]:
    """Runs with kernels `6.0`, `6.1`, …, each with a row of its own."""
    return [new_run(new_facets(owner, environment={"kernel_release": f"6.{i}"}), owner) for i in range(number)]
