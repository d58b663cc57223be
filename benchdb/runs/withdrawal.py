"""Withdrawing a run: it stays readable at its address, marked with the reason, and lists do not show it any more."""

from __future__ import annotations

from django.utils import timezone

from benchdb.replica.notes import taken_back

from .models import Run, RunState

LONGEST_REASON = 200  # as in the API (benchdb/api/texts.py)


def withdraw(run: Run, reason: str) -> None:
    """Mark the run as withdrawn, for this reason; again only replaces the reason."""
    state = RunState.objects.filter(pk=run.pk)
    state.filter(withdrawn_at=None).update(withdrawn_at=timezone.now())
    state.update(withdrawn_reason=reason)
    taken_back()


def reinstate(run: Run) -> None:
    """Let it count again."""
    RunState.objects.filter(pk=run.pk).update(withdrawn_at=None, withdrawn_reason="")
    taken_back()
