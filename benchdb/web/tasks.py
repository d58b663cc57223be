"""Celery tasks of `web`."""

from __future__ import annotations

from django.contrib.sessions.models import Session
from django.utils import timezone

from benchdb.celery import app
from benchdb.web.account import leaving


@app.task
def sweep_deleted_accounts() -> int:
    """Delete data of deleted accounts. The accounts themselves are the queue, so no lost message matters."""
    return leaving.sweep()


@app.task
def delete_expired_sessions() -> int:
    """Delete expired sessions, which Django only stops reading. Idempotent."""
    return Session.objects.filter(expire_date__lt=timezone.now()).delete()[0]
