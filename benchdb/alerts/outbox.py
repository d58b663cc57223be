"""The outbox of notifications: stored with the confirmed alert, sent by a worker at least once."""

from __future__ import annotations

import logging
import time
from collections.abc import Collection
from datetime import timedelta

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from benchdb.connections import mail_server
from benchdb.connections.mail_server import MailRefused
from benchdb.identity.services import confirmed_address

from .models import Alert, Channel, Notice
from .webhooks import Undelivered, deliver
from .words import headline, say_causes

MOST_ATTEMPTS = 10
FIRST_DELAY = timedelta(seconds=30)
LONGEST_DELAY = timedelta(hours=6)
SECONDS = 60  # after which a task ends; the next one continues
SLOW_SECONDS = 2  # an account whose notice takes longer waits for the next task with its others, and comes last there
SECONDS_FOR_SLOW = 20  # of a task for accounts whose notices took longer before
SLOW_FOR = timedelta(hours=1)  # after the last delivery that took longer

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

    Accounts whose notices took long before come last, and have a part of the time. A row is locked while it is sent. If
    the process is killed after the request, the row is still due, and the next attempt has the same id.
    """
    until = time.monotonic() + SECONDS
    recent = Q(sent_at__gte=timezone.now() - SLOW_FOR) | Q(sent_at=None, due_at__isnull=False)
    slow = Notice.objects.filter(recent, seconds__gt=SLOW_SECONDS)
    slow_before = set(slow.values_list("alert__watch__owner", flat=True))
    slow_now = set[int]()
    attempts = _send_in_turn(slow_before, slow_now, until)
    return attempts + _send_in_turn(set(), slow_now, min(until, time.monotonic() + SECONDS_FOR_SLOW))


def _send_in_turn(left_out: Collection[int], slow: set[int], until: float) -> int:
    """Send the due notices of all accounts but these; accounts whose notice takes long are added to `slow` and wait."""
    attempts, served, begun = 0, set[int](), time.monotonic()
    while begun < until:
        waiting = slow.union(left_out)
        if (owner := _send_next(waiting | served) or _send_next(waiting)) is None:
            break
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
    begun = time.monotonic()
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
        notice.seconds = time.monotonic() - begun
        notice.save()
        return notice.alert.watch.owner_id


def send_mail(notice: Notice) -> None:
    """Send the mail to the owner of the watch. Raises Undelivered, MailRefused and OSError.

    The Message-ID is that of the notice, so mail programs know a second copy.
    """
    alert = notice.alert
    if not (address := confirmed_address(alert.watch.owner)):
        raise Undelivered("The account has no confirmed mail address.")
    mail_server.send(
        EmailMessage(
            headline(alert),
            text_of(alert),
            to=[address],
            headers={"Message-ID": f"<{notice.pk}@benchdb>"},
        )
    )


def text_of(alert: Alert) -> str:
    """The text: the change, what the second measurement says, and the candidate causes."""
    causes = "\n".join(f"- {line}" for line in say_causes(alert)) or "No recorded fact differs."
    return f"""{alert.change}

{alert.get_method_display().capitalize()}: {alert.reason}

Candidate causes:
{causes}

{settings.PUBLIC_ADDRESS}{alert.get_absolute_url()}
You get this mail because you watch “{alert.watch.name}”: {settings.PUBLIC_ADDRESS}{alert.watch.get_absolute_url()}
"""
