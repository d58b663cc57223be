"""The mail about a confirmed alert."""

from __future__ import annotations

from django.conf import settings
from django.core.mail import EmailMessage

from benchdb.connections import mail_server
from benchdb.identity.services import confirmed_address

from .models import Alert, Notice
from .webhooks import Undelivered
from .words import headline, say_causes


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
