"""The outbox of notifications: stored with the confirmed alert, sent by a worker at least once."""

from __future__ import annotations

from django.conf import settings
from django.core.mail import EmailMessage

from benchdb.connections import mail_server
from benchdb.connections.mail_server import MailRefused
from benchdb.connections.outbox import Outbox
from benchdb.identity.services import confirmed_address

from .models import Alert, Channel, Notice
from .webhooks import Undelivered, deliver
from .words import headline, say_causes


def notify(alert: Alert) -> None:
    """Store the notifications of a confirmed alert, in its transaction; none while the watch is muted."""
    watch = alert.watch
    if watch.is_muted:
        return
    channels = [*([Channel.MAIL] if watch.mail else []), *([Channel.WEBHOOK] if watch.webhook else [])]
    for channel in channels:
        Notice.objects.get_or_create(alert=alert, channel=channel)


def send_due() -> int:
    """Send the notifications that are due; accounts take turns. Returns the number of attempts."""
    rows = Notice.objects.filter(alert__watch__owner__is_active=True).select_related("alert__watch__machine")
    return Outbox(rows, "alert__watch__owner", _send, (Undelivered, MailRefused, OSError)).send_due()


def _send(notice: Notice) -> None:
    (send_mail if notice.channel == Channel.MAIL else deliver)(notice)


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
