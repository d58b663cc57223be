"""Celery tasks of `web`."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.sessions.models import Session
from django.core.mail import EmailMessage
from django.utils import timezone

from benchdb.celery import app, turn
from benchdb.connections import mail_server, outbox
from benchdb.connections.outbox import Outbox
from benchdb.identity.models import AccountMail
from benchdb.web.account import leaving
from benchdb.web.sign_in import addresses, sign_up

# What writes each kind of mail: of its address, the site, and more.
MAILS: dict[str, Callable[..., EmailMessage | None]] = {
    "sign-up": sign_up.mail_to,
    "password": addresses.mail_with_password_link,
    "address": addresses.mail_to_confirm,
    "change": addresses.mail_about_change,
}


@app.task
def sweep_deleted_accounts() -> int:
    """Delete data of deleted accounts. The accounts are the queue: no lost message matters."""
    return leaving.sweep()


@app.task
def delete_expired_sessions() -> int:
    """Delete expired sessions, which Django only stops reading. Idempotent."""
    return Session.objects.filter(expire_date__lt=timezone.now()).delete()[0]


@app.task(soft_time_limit=outbox.SECONDS + 15, time_limit=outbox.SECONDS + 30)
def send_account_mails() -> int:
    """Send the mails with links that are due; askers take turns. Returns the number of attempts.

    One process at a time, because a mail server may be slow and statistics need the others. Webhooks that are slow for
    minutes, among the long sweeps, delay no mail.
    """
    with turn("mails") as is_ours:
        attempts = Outbox(AccountMail.objects.all(), "asker", _send).send_due() if is_ours else 0
    AccountMail.objects.filter(due_at=None, tried_at__lt=timezone.now() - outbox.SLOW_FOR).delete()
    return attempts


def _send(mail: AccountMail) -> None:
    """Send a mail, if its address has an account that it is for. Raises OSError, and MailRefused."""
    if message := MAILS[mail.kind](mail.address, mail.site, *mail.more):
        mail_server.send(message, mail_server.FIRST_SECONDS if mail.attempts == 1 else None)
