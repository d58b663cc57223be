"""The outbox of notifications: stored with the confirmed alert, sent by a worker at least once."""

from __future__ import annotations

import smtplib
import time
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from .mails import send_mail
from .models import Alert, Channel, Notice
from .webhooks import Undelivered, deliver

MOST_ATTEMPTS = 10
FIRST_DELAY = timedelta(seconds=30)
LONGEST_DELAY = timedelta(hours=6)
SECONDS = 60  # after which a task ends; the next one continues


def notify(alert: Alert) -> None:
    """Store the notifications of a confirmed alert, in its transaction; none while the watch is muted."""
    watch = alert.watch
    if watch.is_muted:
        return
    channels = [*([Channel.MAIL] if watch.mail else []), *([Channel.WEBHOOK] if watch.webhook else [])]
    for channel in channels:
        Notice.objects.get_or_create(alert=alert, channel=channel)


def send_due() -> int:
    """Send the notifications that are due. Returns the number of attempts.

    A row is locked while it is sent. If the process is killed after the request, the row is still due, and the next
    attempt has the same id.
    """
    until, attempts = time.monotonic() + SECONDS, 0
    while time.monotonic() < until and _send_next():
        attempts += 1
    return attempts


def _send_next() -> bool:
    with transaction.atomic():
        due = Notice.objects.filter(sent_at=None, due_at__lte=timezone.now()).order_by("due_at")
        notice = due.select_for_update(skip_locked=True, of=("self",)).select_related("alert__watch__machine").first()
        if notice is None:
            return False
        notice.attempts += 1
        try:
            _send(notice)
        except (Undelivered, smtplib.SMTPException, OSError) as error:
            notice.failure = str(error)[:500]
            delay = min(FIRST_DELAY * 4 ** (notice.attempts - 1), LONGEST_DELAY)
            notice.due_at = None if notice.attempts >= MOST_ATTEMPTS else timezone.now() + delay
        else:
            notice.sent_at, notice.due_at, notice.failure = timezone.now(), None, ""
        notice.save()
        return True


def _send(notice: Notice) -> None:
    """Raises Undelivered, SMTPException and OSError."""
    if notice.channel == Channel.MAIL:
        send_mail(notice)
    else:
        deliver(notice)
