"""The contexts of the pages of watches and alerts."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.urls import reverse

from .forms import WatchForm, no_mail
from .models import Alert, AlertState, SecondMeasurement, Watch
from .words import headline

PAGE = 50  # alerts
MUTES = ((1, "a day"), (7, "a week"), (30, "a month"))


def shown_form(owner: User, name: str, mail: bool, webhook: str, sent: WatchForm | None = None) -> dict[str, object]:
    """The context of alerts/partials/form.html: these values, or those that were `sent`, with their faults by field.

    `no_mail` tells why mails are off.
    """
    shown: dict[str, object] = {"name": name, "mail": mail, "webhook": webhook, "no_mail": no_mail(owner)}
    if sent is None:
        return shown
    faults = {name: [str(text) for text in texts] for name, texts in sent.errors.items()}
    return {**shown, **sent.data, "mail": bool(sent.data.get("mail")), "faults": faults}


def watch_list(owner: User, before: Alert | None) -> dict[str, object]:
    """The watches of an account and their alerts; two queries."""
    rows = [
        {
            "href": watch.get_absolute_url(),
            "name": watch.name,
            "machine": watch.machine.name,
            "machine_href": reverse("machine", args=[watch.machine_id]),
            "trend": trend_of(watch),
            "problem": watch.problem,
            "muted_until": watch.muted_until if watch.is_muted else None,
            "checked_at": watch.checked_at,
        }
        for watch in owner.watches.select_related("machine").order_by("-created_at")
    ]
    return {
        "watches": rows,
        "alerts": _alerts(Alert.objects.filter(watch__owner=owner), before, reverse("watches")),
        "section": "account",
    }


def watch_page(watch: Watch, before: Alert | None, form: WatchForm | None = None) -> dict[str, object]:
    """A watch with its alerts."""
    return {
        "watch": watch,
        "machine_href": reverse("machine", args=[watch.machine_id]),
        "trend": trend_of(watch),
        "feed": reverse("watch-feed", args=[watch.pk, watch.feed_key]),
        "form": shown_form(watch.owner, watch.name, watch.mail, watch.webhook, form),
        "alerts": _alerts(watch.alerts.all(), before, watch.get_absolute_url()),
        "mutes": MUTES,
        "section": "account",
    }


def alert_page(alert: Alert) -> dict[str, object]:
    """An alert with its candidate causes, its second measurement and its notifications."""
    runs = [("run", str(run)) for run in (alert.old_run_id, alert.new_run_id) if run]
    shown = runs if len(runs) == 2 else [("run", str(alert.before_id)), *(runs or [("run", str(alert.run_id))])]
    return {
        "alert": alert,
        "title": headline(alert),
        "state": _style(alert),
        "method": alert.get_method_display() if alert.method != SecondMeasurement.NONE else "",
        "causes": alert.causes,
        "trend": trend_of(alert.watch),
        "job": alert.job.get_absolute_url() if alert.job else "",
        "comparison": f"{reverse('compare')}?{urlencode(shown)}",
        "notices": list(alert.notices.order_by("channel")),
        "section": "account",
    }


def trend_of(watch: Watch) -> str:
    """The address of the trend."""
    return f"{reverse('trend')}?{watch.query}"


def _alerts(alerts: QuerySet[Alert], before: Alert | None, path: str) -> dict[str, object]:
    """One page of alerts, one query."""
    if before is not None:
        alerts = alerts.filter(created_at__lt=before.created_at)
    found = list(alerts.select_related("watch__machine").order_by("-created_at")[: PAGE + 1])
    shown, more = found[:PAGE], found[PAGE:]
    # A page of alerts, the newest first; `older` is the address of the next page, "" on the last.
    return {"rows": [_row(alert) for alert in shown], "older": f"{path}?before={shown[-1].pk}" if more else ""}


def _row(alert: Alert) -> dict[str, object]:
    # An alert in a list, its change without the interval. `state` is a class of styles, `state_text` its words.
    return {
        "href": alert.get_absolute_url(),
        "change": alert.change.partition(" (95 % interval")[0],
        "kind": alert.kind,
        "watch": alert.watch.name,
        "watch_href": alert.watch.get_absolute_url(),
        "machine": alert.watch.machine.name,
        "state": _style(alert),
        "state_text": alert.get_state_display().lower(),
        "time": alert.created_at,
        "acknowledged": alert.acknowledged_at is not None,
    }


def _style(alert: Alert) -> str:
    """The class of the state, as jobs and campaigns have them."""
    return {
        AlertState.SUSPECTED: "waiting",
        AlertState.MEASURING: "running",
        AlertState.CONFIRMED: "failed" if alert.kind == "worse" else "finished",
        AlertState.NOT_CONFIRMED: "cancelled",
        AlertState.UNMEASURABLE: "refused",
    }[AlertState(alert.state)]
