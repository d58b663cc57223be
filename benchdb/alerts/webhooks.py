"""Webhooks as Standard Webhooks defines them, to addresses that were checked before the connection."""

from __future__ import annotations

import json
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.utils import timezone
from standardwebhooks import Webhook

from benchdb.http.outgoing import InnerAddress, RequestException, post

from .models import Alert, Notice, StoredCause

WHOLE_SECONDS = 10.0  # after the connection, for the request and the answer


class Undelivered(Exception):
    """The webhook was not delivered; the text is the reason."""


class RefusedAddress(Undelivered):
    """The site sends no webhooks to this address."""


def check_address(address: str) -> SplitResult:
    """The parts of an address that the site allows by its form. Raises RefusedAddress."""
    if settings.WEBHOOKS == "off":
        raise RefusedAddress("This site sends no webhooks.")
    try:
        parts = urlsplit(address)
        port = parts.port
        (parts.hostname or "").encode("idna")  # as a lookup does
    except ValueError:
        raise RefusedAddress("This is no address such as https://example.org/hook.") from None
    schemes = ("https", "http") if settings.WEBHOOKS == "private" else ("https",)
    if parts.scheme not in schemes or not parts.hostname or port == 0:
        raise RefusedAddress(
            f"The address must begin with {' or '.join(f'{scheme}://' for scheme in schemes)} and a host."
        )
    if (
        parts.username is not None
        or parts.fragment
        or not address.isascii()
        or not address.isprintable()
        or " " in address
    ):
        raise RefusedAddress("The address must have no password, no # and no special characters.")
    return parts


def deliver(notice: Notice) -> None:
    """Send the webhook of a notice once. Raises Undelivered with the reason."""
    alert = notice.alert
    check_address(alert.watch.webhook)
    body, now = json.dumps(payload(alert), ensure_ascii=False), timezone.now()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "BenchDB",
        "webhook-id": str(notice.pk),
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Webhook(alert.watch.secret).sign(str(notice.pk), now, body),
    }
    public_only = settings.WEBHOOKS != "private"
    try:
        status = post(alert.watch.webhook, body.encode(), headers, public_only=public_only, seconds=WHOLE_SECONDS)
    except InnerAddress as error:
        raise RefusedAddress(str(error)) from None
    except RequestException as error:
        raise Undelivered(f"{type(error).__name__}: {error}") from error
    if not 200 <= status < 300:
        raise Undelivered(f"The answer was {status}.")


def payload(alert: Alert) -> dict[str, object]:
    """The body of the webhook."""
    causes: list[StoredCause] = alert.causes
    return {
        "type": "alert.confirmed",
        "timestamp": alert.changed_at.isoformat(),
        "data": {
            "alert": f"{settings.PUBLIC_ADDRESS}{alert.get_absolute_url()}",
            "watch": alert.watch.name,
            "machine": alert.watch.machine.name,
            "kind": alert.kind,
            "change": alert.change,
            "measured": alert.reason,
            "causes": [
                {"label": each["label"], "before": each["before"], "after": each["after"], "restored": each["restored"]}
                for each in causes
            ],
        },
    }
