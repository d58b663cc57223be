"""The outbox of notifications: stored with the confirmed alert, sent by a worker at least once."""

from __future__ import annotations

import logging
import time
from collections.abc import Collection
from datetime import timedelta

from celery.exceptions import SoftTimeLimitExceeded
from django.db import transaction
from django.utils import timezone

from benchdb.connections.mail_server import MailRefused

from .mails import send_mail
from .models import Alert, Channel, Notice
from .webhooks import Undelivered, deliver

MOST_ATTEMPTS = 10
FIRST_DELAY = timedelta(seconds=30)
LONGEST_DELAY = timedelta(hours=6)
SECONDS = 60  # after which a task ends; the next one continues
SLOW_SECONDS = 2  # an account whose notice takes longer waits for the next task with its others

log = logging.getLogger(__name__)


def notify(alert: Alert) -> None:
    """Store the notifications of a confirmed alert, in its transaction; none while the watch is muted."""
    watch = alert.watch
    if watch.is_muted:
        return
    channels = [*([Channel.MAIL] if watch.mail else []), *([Channel.WEBHOOK] if watch.webhook else [])]
    for channel in channels:
        Notice.objects.get_or_create(alert=alert, channel=channel)


def send_due() -> int:
    """Send the notifications that are due; accounts take turns. Returns the number of attempts.

    A row is locked while it is sent. If the process is killed after the request, the row is still due, and the next
    attempt has the same id.
    """
    begun, attempts, slow, served = time.monotonic(), 0, set[int](), set[int]()
    until = begun + SECONDS
    while begun < until and (owner := _send_next(slow | served) or _send_next(slow)) is not None:
        if owner in served:  # each account had its turn
            served.clear()
        attempts += 1
        served.add(owner)
        ended = time.monotonic()
        if ended - begun > SLOW_SECONDS:
            slow.add(owner)
        begun = ended
    return attempts


def _send_next(waiting: Collection[int]) -> int | None:
    """Send the notice that was tried least, not of these accounts; the id of its account, None without one."""
    with transaction.atomic():
        due = Notice.objects.filter(
            sent_at=None, due_at__lte=timezone.now(), alert__watch__owner__is_active=True
        ).exclude(alert__watch__owner__in=waiting)
        locked = due.select_for_update(skip_locked=True, of=("self",)).select_related("alert__watch__machine")
        notice = locked.order_by("attempts", "due_at").first()
        if notice is None:
            return None
        notice.attempts += 1
        try:
            (send_mail if notice.channel == Channel.MAIL else deliver)(notice)
        except SoftTimeLimitExceeded:
            raise
        except Exception as error:  # any fault of one notice, such as its address, is its own failure
            if not isinstance(error, (Undelivered, MailRefused, OSError)):  # OSError: also those of SMTP
                log.exception("notice %s could not be sent", notice.pk)
            notice.failure = f"{error}"[:500]
            delay = min(FIRST_DELAY * 4 ** (notice.attempts - 1), LONGEST_DELAY)
            notice.due_at = None if notice.attempts >= MOST_ATTEMPTS else timezone.now() + delay
        else:
            notice.sent_at, notice.due_at, notice.failure = timezone.now(), None, ""
        notice.save()
        return notice.alert.watch.owner_id
