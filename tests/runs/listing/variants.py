"""Runs to find and to sort."""

from django.contrib.auth.models import User

from tests.support.comparing.comparisons import campaign
from tests.support.documents import bonnie_document, environment, target
from tests.support.store import store_run


def variants(owner: User) -> dict[str, str]:
    """One run for each filter that differs from the first in one respect; ids by that respect."""
    newer = environment()
    newer["kernel"]["release"] = "6.18.0-1-amd64"
    little, xeon = environment(), environment()
    little["memory"]["total"] = 4 * 2**30
    xeon["cpu"]["model"] = "Xeon"
    plain = {**target(), "stack": [{"kind": "disk", "model": "WD40EFRX"}]}
    stored = {
        "base": store_run(owner),
        "file_system": store_run(owner, file_system="xfs"),
        "tool": store_run(owner, bonnie_document(visibility="public")),
        "machine": store_run(owner, machine={"name": "nuc-1", "machine_id": "6b" * 32}),
        "kernel": store_run(owner, environment=newer),
        "raid_level": store_run(owner, target=plain),
        "date": store_run(owner, started_at="2026-10-01T12:00:00+00:00"),
        "campaign": store_run(owner, campaign=campaign()),
        "memory": store_run(owner, environment=little),
        "cpu": store_run(owner, environment=xeon),
        "label": store_run(owner, labels={"plan": "late", "site": "B"}),
    }
    return {name: str(run.id) for name, run in stored.items()}
