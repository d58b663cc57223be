"""The Atom feed of a watch: its alerts, the newest first, under an address that contains a secret."""

from __future__ import annotations

from django.urls import reverse

from benchdb.feeds.atom import PAGE, Entry, FeedPage

from .models import Alert, Watch
from .words import headline, say_causes


def watch_feed(watch: Watch) -> FeedPage:
    """The newest alerts; two queries with the one for the watch."""
    address = reverse("watch-feed", args=[watch.pk, watch.feed_key])
    alerts = watch.alerts.select_related("watch").order_by("-created_at")[:PAGE]
    return FeedPage(
        title=f"Alerts: {watch.name}",
        page=watch.get_absolute_url(),
        first=address,
        here=address,
        following="",
        entries=[_entry(alert) for alert in alerts],
    )


def _entry(alert: Alert) -> Entry:
    return Entry(
        id=alert.pk.urn,
        title=headline(alert),
        path=alert.get_absolute_url(),
        published=alert.created_at,
        updated=alert.changed_at,
        lines=[line for line in (alert.change, alert.reason, *say_causes(alert)) if line],
        categories=[alert.kind, alert.state],
    )
