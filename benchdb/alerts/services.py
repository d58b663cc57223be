"""Writes to watches and alerts by their owner."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.contrib.auth.models import User
from django.utils import timezone

from benchdb.catalog.models import Machine
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.trend.content import TrendContent
from benchdb.compare.trend.evaluate import evaluate_trend
from benchdb.compare.trend.selection import TrendSelection

from .models import Alert, Watch

MOST_WATCHES = 200  # of an account


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """What the owner of a watch chooses."""

    name: str
    mail: bool
    webhook: str


def watchable(query: str, owner: User) -> tuple[TrendContent, Machine]:
    """The trend that a query string names, and its machine. Raises ImpossibleSelection with the reasons."""
    content, _ = evaluate_trend(TrendSelection.parse(query).replace(before=None, by="time"), owner)
    machine = Machine.objects.filter(runs=TrendSelection.parse(content.query).run, owner=owner).first()
    if machine is None:
        raise ImpossibleSelection(["The machine of this trend is not yours. A watch queues plans for the machine."])
    return content, machine


def make_watch(owner: User, query: str, chosen: WatchSettings) -> Watch:
    """A new watch. Raises ImpossibleSelection."""
    content, machine = watchable(query, owner)
    if owner.watches.count() >= MOST_WATCHES:
        raise ImpossibleSelection(
            [f"You have as many watches as an account can have, {MOST_WATCHES}. Delete one first."]
        )
    return Watch.objects.create(
        owner=owner,
        machine=machine,
        query=content.query,
        name=chosen.name,
        mail=chosen.mail,
        webhook=chosen.webhook,
    )


def change_watch(watch: Watch, chosen: WatchSettings) -> None:
    """Store other settings of a watch."""
    watch.name, watch.mail, watch.webhook = chosen.name, chosen.mail, chosen.webhook
    watch.save(update_fields=["name", "mail", "webhook"])


def mute(watch: Watch, days: int) -> None:
    """Send no mails and webhooks for so many days; 0 ends the mute."""
    watch.muted_until = timezone.now() + timedelta(days=days) if days else None
    watch.save(update_fields=["muted_until"])


def acknowledge(alert: Alert) -> None:
    """Mark the alert as read, once."""
    Alert.objects.filter(pk=alert.pk, acknowledged_at=None).update(acknowledged_at=timezone.now())
