"""Celery tasks of `web`."""

from __future__ import annotations

from collections.abc import Callable

from celery import Task
from django.contrib.sessions.models import Session
from django.core.mail import EmailMessage
from django.utils import timezone

from benchdb.celery import app, turn
from benchdb.connections import mail_server
from benchdb.web.account import leaving
from benchdb.web.sign_in import addresses, sign_up

# What writes each kind of mail: of its address, the site, and more.
MAILS: dict[str, Callable[..., EmailMessage | None]] = {
    "sign-up": sign_up.mail_to,
    "password": addresses.mail_with_password_link,
    "address": addresses.mail_to_confirm,
    "change": addresses.mail_about_change,
}
TURN_SECONDS = 2  # between looks whether another process still sends


@app.task
def sweep_deleted_accounts() -> int:
    """Delete data of deleted accounts. The accounts are the queue: no lost message matters."""
    return leaving.sweep()


@app.task
def delete_expired_sessions() -> int:
    """Delete expired sessions, which Django only stops reading. Idempotent."""
    return Session.objects.filter(expire_date__lt=timezone.now()).delete()[0]


@app.task(
    bind=True,
    autoretry_for=(OSError,),  # SMTPException is one, too
    retry_backoff=5,
    retry_backoff_max=300,
    max_retries=20,  # within half an hour or so
    throws=(mail_server.MailRefused,),
    soft_time_limit=15,
    time_limit=30,
)
def send_account_mail(task: Task, kind: str, address: str, site: str, *more: object) -> None:
    """Send a mail with a link, or none if the address has no account that it is for.

    One at a time, because a mail server may be slow and statistics need the other processes. Webhooks that are slow for
    minutes, among the long sweeps, delay no mail.
    Raises OSError for a mail that has to wait, and MailRefused.
    """
    with turn("mails") as is_ours:
        if not is_ours:
            task.request.retries -= not task.request.called_directly  # waiting is no attempt
            raise task.retry(exc=BlockingIOError("another process has the turn"), countdown=TURN_SECONDS)
        if message := MAILS[kind](address, site, *more):
            # Anybody may name recipients whose servers are slow: a first attempt is short.
            mail_server.send(message, None if task.request.retries else mail_server.SLOW_SECONDS)
