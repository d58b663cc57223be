"""An outbox: rows that a worker sends at least once. Their askers take turns, and slow ones hold nobody else."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Generic, TypeVar

from billiard.exceptions import SoftTimeLimitExceeded  # Celery's, without all of Celery
from django.db import models, transaction
from django.utils import timezone

from .mail_server import MailRefused

FIRST_DELAY = timedelta(seconds=30)
LONGEST_DELAY = timedelta(hours=6)
LEASE = timedelta(minutes=2)  # of an attempt: a task takes no longer
MOST_ATTEMPTS = 10
SECONDS = 60  # after which a task ends; the next one continues
SLOW_SECONDS = 2  # an asker whose row takes longer waits for the next task with its others, and comes last there
SECONDS_FOR_SLOW = 20  # of a task for askers whose rows took longer before
SLOW_FOR = timedelta(hours=1)  # after the last row that took longer

log = logging.getLogger(__name__)


class OutboxRow(models.Model):
    """What is to be sent. It has been sent if `sent_at` is known, and is given up if `due_at` is not either."""

    attempts = models.SmallIntegerField(default=0)
    due_at = models.DateTimeField(null=True, default=timezone.now, help_text="null: sent, or given up")
    sent_at = models.DateTimeField(null=True)
    failure = models.TextField(blank=True, help_text="why the last attempt failed")
    seconds = models.FloatField(null=True, help_text="what the longest attempt took")
    tried_at = models.DateTimeField(null=True, help_text="when the last attempt began")

    class Meta:
        abstract = True


Row = TypeVar("Row", bound=OutboxRow)


@dataclass(frozen=True)
class Outbox(Generic[Row]):
    """The rows of a table that may be sent, the lookup of who asked for each, and what sends one.

    `send` raises an exception for a row that it could not send; those that are `usual` are not logged.
    """

    rows: models.QuerySet[Row]
    asker: str
    send: Callable[[Row], object]
    usual: tuple[type[Exception], ...] = (MailRefused, OSError)  # OSError: also those of SMTP

    def send_due(self) -> int:
        """Send what is due; askers take turns. Returns the number of attempts.

        Askers whose rows took long before come last, and have a part of the time. No row is locked while it is sent: it
        is due again after LEASE if the process is killed meanwhile.
        """
        until = time.monotonic() + SECONDS
        recent = self.rows.filter(tried_at__gte=timezone.now() - SLOW_FOR, seconds__gt=SLOW_SECONDS)
        slow = set(recent.values_list(self.asker, flat=True))
        attempts = self._send_in_turn(slow, until)
        return attempts + self._send_slow(slow, min(until, time.monotonic() + SECONDS_FOR_SLOW))

    def _send_in_turn(self, slow: Collection[object], until: float) -> int:
        """Send the due rows of all askers but these; one whose row takes long waits with its others."""
        attempts, waiting, served, begun = 0, set(slow), set[object](), time.monotonic()
        while begun < until:
            if (asker := self._send_next(waiting | served) or self._send_next(waiting)) is None:
                break
            if asker in served:  # each asker had its turn
                served.clear()
            attempts += 1
            served.add(asker)
            ended = time.monotonic()
            if ended - begun > SLOW_SECONDS:
                waiting.add(asker)
            begun = ended
        return attempts

    def _send_slow(self, slow: Collection[object], until: float) -> int:
        """Send a due row of each of these askers in turn, in another order each time, because time is short.

        Whatever is due for others meanwhile comes first.
        """
        attempts, askers = 0, random.sample([*slow], len(slow))
        while askers and time.monotonic() < until:
            asker = askers.pop(0)
            if self._send_next((), asker) is not None:
                attempts += 1 + self._send_in_turn(slow, until)
                askers.append(asker)
        return attempts

    def _send_next(self, waiting: Collection[object], *only: object) -> object | None:
        """Send the row tried least, not of these askers, or `only` of one. Who asked for it; None without one."""
        if (taken := self._take(waiting, only)) is None:
            return None
        row, asker = taken
        begun, failure, sent_at, due_at = time.monotonic(), "", None, None
        try:
            self.send(row)
        except SoftTimeLimitExceeded:
            raise
        except Exception as error:  # any fault of one row, such as its address, is its own failure
            if not isinstance(error, self.usual):
                log.exception("row %s of the outbox could not be sent", row.pk)
            failure = f"{error}"[:500]
            if not isinstance(error, MailRefused) and row.attempts < MOST_ATTEMPTS:
                due_at = timezone.now() + min(FIRST_DELAY * 4 ** (row.attempts - 1), LONGEST_DELAY)
        else:
            sent_at = timezone.now()
        seconds = max(row.seconds or 0, time.monotonic() - begun)
        # A row that was deleted meanwhile stays deleted.
        ended = {"sent_at": sent_at, "due_at": due_at, "failure": failure, "seconds": seconds}
        self.rows.model._base_manager.filter(pk=row.pk).update(**ended)
        return asker

    def _take(self, waiting: Collection[object], only: Collection[object]) -> tuple[Row, object] | None:
        """Begin an attempt: the row, which no other process takes before the end of its lease, and its asker."""
        now = timezone.now()
        with transaction.atomic():
            due = self.rows.filter(sent_at=None, due_at__lte=now).exclude(**{f"{self.asker}__in": waiting})
            if only:
                due = due.filter(**{f"{self.asker}__in": only})
            row = due.select_for_update(skip_locked=True, of=("self",)).order_by("attempts", "due_at").first()
            if row is None:
                return None
            row.attempts, row.tried_at, row.due_at = row.attempts + 1, now, now + LEASE
            row.save(update_fields=["attempts", "tried_at", "due_at"])
            return row, self.rows.filter(pk=row.pk).values_list(self.asker, flat=True).get()
