"""The mail server: one that is away holds no process that has other work to do, and slow recipients hold no other."""

from __future__ import annotations

import time
from functools import lru_cache
from smtplib import SMTPDataError, SMTPRecipientsRefused

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.core.mail import EmailMessage, get_connection

from .circuit_breaker import CircuitBreaker

SLOW_SECONDS = 5  # a recipient's server that takes longer for a mail rests like one that failed


class MailRefused(Exception):
    """The server will never take this mail for its recipient."""


@lru_cache(1000)
def _breaker(host: str, port: int, domain: str = "") -> CircuitBreaker:
    """That of our mail server, or of what it says about recipients of a domain: it may ask their server meanwhile."""
    return CircuitBreaker(f"the mail server{domain and f' for {domain}'}", OSError, seconds=60)


def send(message: EmailMessage) -> None:
    """Send a mail to one recipient. Raises MailRefused, and OSError: at once if the server failed in the last minute.

    Anybody may name a recipient, so one who is refused or slow is no failure of the server.
    """
    server, domain = (settings.EMAIL_HOST, settings.EMAIL_PORT), message.to[0].rpartition("@")[2].lower()
    refusal: Exception | None = None
    message.connection = connection = get_connection()
    with _breaker(*server, domain).attempt():
        begun = time.monotonic()
        try:
            with _breaker(*server).attempt():
                connection.open()
            begun = time.monotonic()
            message.send()
        except (SMTPRecipientsRefused, SMTPDataError) as error:
            replies = error.recipients.values() if isinstance(error, SMTPRecipientsRefused) else [error.args]
            refusal = MailRefused(f"{error}") if all(code >= 500 for code, *_ in replies) else error
        except SoftTimeLimitExceeded:
            raise TimeoutError("the mail server did not take the mail in time") from None
        finally:
            connection.close()
    if time.monotonic() - begun > SLOW_SECONDS:
        _breaker(*server, domain).trip()
    if refusal is not None:
        raise refusal
