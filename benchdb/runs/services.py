"""Writes that concern stored runs as a whole. Their summaries are written in `summaries.py`."""

from __future__ import annotations

from django.db import transaction

from benchdb.catalog.services import collect_environment, collect_target
from benchdb.replica.notes import taken_back

from .models import Run, Tombstone


def delete_run(run: Run) -> None:
    """Delete a run with everything that hangs on it; the tombstone makes its id answer 410 for good."""
    with transaction.atomic():
        # Locked, so that none moves into the archive meanwhile, where nobody would find it again.
        artifacts = run.artifacts.select_for_update().values_list("archived", flat=True)
        Tombstone.objects.get_or_create(
            run_id=run.pk, defaults={"archived": [name for name in artifacts if name] or None}
        )
        run.delete()
        taken_back()
    collect_environment(run.environment_id)
    collect_target(run.target_id)
