"""The mail server: one that is away or slow holds no process that has other work to do."""

from __future__ import annotations

import time
from collections import defaultdict
from smtplib import SMTPDataError, SMTPRecipientsRefused

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.core.mail import EmailMessage

from .circuit_breaker import CircuitBreaker

SLOW_SECONDS = 5  # a server that takes longer for a mail rests like one that failed
_breakers: defaultdict[tuple[str, int], CircuitBreaker] = defaultdict(
    lambda: CircuitBreaker("the mail server", OSError, seconds=60)
)


class MailRefused(Exception):
    """The server will never take this mail for its recipient."""


def send(message: EmailMessage) -> None:
    """Send a mail to one recipient. Raises MailRefused, and OSError: at once if the server failed in the last minute.

    Anybody may name a recipient, so one whom the server refuses is no failure of the server.
    """
    breaker, begun = _breakers[settings.EMAIL_HOST, settings.EMAIL_PORT], time.monotonic()
    refusal: Exception | None = None
    with breaker.attempt():
        try:
            message.send()
        except (SMTPRecipientsRefused, SMTPDataError) as error:
            replies = error.recipients.values() if isinstance(error, SMTPRecipientsRefused) else [error.args]
            refusal = MailRefused(f"{error}") if all(code >= 500 for code, *_ in replies) else error
        except SoftTimeLimitExceeded:
            raise TimeoutError("the mail server did not take the mail in time") from None
    if time.monotonic() - begun > SLOW_SECONDS:
        breaker.trip()
    if refusal is not None:
        raise refusal
