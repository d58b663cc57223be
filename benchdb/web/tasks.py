"""Celery tasks of `web`."""

from __future__ import annotations

from django.contrib.sessions.models import Session
from django.utils import timezone

from benchdb.celery import app
from benchdb.web.account import leaving
from benchdb.web.sign_in import sign_up


@app.task
def sweep_deleted_accounts() -> int:
    """Delete data of deleted accounts. The accounts are the queue: no lost message matters."""
    return leaving.sweep()


@app.task
def delete_expired_sessions() -> int:
    """Delete expired sessions, which Django only stops reading. Idempotent."""
    return Session.objects.filter(expire_date__lt=timezone.now()).delete()[0]


@app.task(autoretry_for=(OSError,), retry_backoff=10, max_retries=5)  # SMTPException is one, too
def send_sign_up_mail(address: str, site: str) -> None:
    """Send the mail for a new account. In a worker, so that no page takes longer if the address has an account."""
    sign_up.mail_to(address, site).send()
