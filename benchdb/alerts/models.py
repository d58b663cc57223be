"""Watches of trends, their alerts, and the notifications about confirmed ones."""

from __future__ import annotations

import base64
import secrets
from typing import TypedDict
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone

from benchdb.connections.outbox import OutboxRow


class StoredCause(TypedDict):
    """A fact that differs between the runs before and after a change; `restored`: a plan can set both values."""

    name: str
    label: str
    before: str
    after: str
    restored: bool


def new_secret() -> str:
    """A key for signatures in the form of Standard Webhooks."""
    return "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()


def new_feed_key() -> str:
    """The secret in the address of a feed."""
    return secrets.token_urlsafe(16)


class Watch(models.Model):
    """A trend whose changes its owner wants to know; `query` is the whole query string of the trend.

    `stamp` changes with the runs of the machine: it is that of the runs that were looked at last.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="watches")
    machine = models.ForeignKey("catalog.Machine", models.CASCADE, related_name="watches")
    name = models.CharField(max_length=200)
    query = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)
    muted_until = models.DateTimeField(null=True)
    mail = models.BooleanField(default=False)
    webhook = models.CharField(max_length=500, blank=True, help_text="an address, empty for none")
    secret = models.CharField(max_length=64, default=new_secret)
    feed_key = models.CharField(max_length=32, default=new_feed_key)
    stamp = models.CharField(max_length=200, blank=True)
    checked_at = models.DateTimeField(null=True, help_text="when its runs were last looked at")
    problem = models.TextField(blank=True, help_text="why its trend cannot be shown any more")

    class Meta:
        indexes = [models.Index(fields=["owner", "-created_at"], name="watches_of_owner")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("watch", args=[self.id])

    @property
    def is_muted(self) -> bool:
        return self.muted_until is not None and self.muted_until > timezone.now()


class AlertState(models.TextChoices):
    """How far an alert is."""

    SUSPECTED = "suspected"
    MEASURING = "measuring"
    CONFIRMED = "confirmed"
    NOT_CONFIRMED = "not_confirmed", "not confirmed"
    UNMEASURABLE = "unmeasurable", "cannot be measured"


class SecondMeasurement(models.TextChoices):
    """The second measurement of an alert."""

    NONE = "", "none"
    SETTINGS = "settings", "old and new settings in turns"
    REPETITION = "repetition", "a repetition of the new setting"


class Alert(models.Model):
    """A change of a watched trend: `run` is the first run after it, `before` the last one before it.

    An alert that is suspected and has no reason waits for the decision about its second measurement.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    watch = models.ForeignKey(Watch, models.CASCADE, related_name="alerts")
    run = models.ForeignKey("runs.Run", models.CASCADE, related_name="+")
    before = models.ForeignKey("runs.Run", models.CASCADE, related_name="+")
    state = models.CharField(max_length=16, choices=AlertState.choices, default=AlertState.SUSPECTED)
    kind = models.CharField(max_length=8, help_text="better or worse")
    ratio = models.FloatField(help_text="level after the change ÷ level before it")
    change = models.TextField(help_text="the change of the trend as a sentence")
    certain = models.BooleanField()
    causes = models.JSONField(default=list, help_text="a list of StoredCause")
    method = models.CharField(max_length=16, choices=SecondMeasurement.choices, blank=True)
    job = models.ForeignKey("plans.Job", models.SET_NULL, null=True, related_name="+")
    old_run = models.ForeignKey("runs.Run", models.SET_NULL, null=True, related_name="+")
    new_run = models.ForeignKey("runs.Run", models.SET_NULL, null=True, related_name="+")
    reason = models.TextField(blank=True, help_text="what the second measurement says, or why there is none")
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)
    acknowledged_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["watch", "run"], name="one_alert_for_each_change")]
        indexes = [
            models.Index(fields=["watch", "-created_at"], name="alerts_of_watch"),
            models.Index(
                fields=["changed_at"], name="open_alerts", condition=models.Q(state__in=["suspected", "measuring"])
            ),
        ]

    def __str__(self) -> str:
        return f"{self.watch_id}: {self.state}"

    def get_absolute_url(self) -> str:
        return reverse("alert", args=[self.id])


class Channel(models.TextChoices):
    """The ways of a notification."""

    MAIL = "mail"
    WEBHOOK = "webhook"


class Notice(OutboxRow):
    """A notification about a confirmed alert: a row of the outbox. The id is that of the message, for all attempts."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    alert = models.ForeignKey(Alert, models.CASCADE, related_name="notices")
    channel = models.CharField(max_length=8, choices=Channel.choices)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["alert", "channel"], name="one_notice_for_each_channel")]
        indexes = [models.Index(fields=["due_at"], name="due_notices", condition=models.Q(sent_at=None))]

    def __str__(self) -> str:
        return f"{self.channel} about {self.alert_id}"
