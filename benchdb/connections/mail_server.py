"""The mail server: one that is away holds no process that has other work to do, and slow recipients hold no other."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from smtplib import SMTPDataError, SMTPRecipientsRefused

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.core.mail import EmailMessage, get_connection

from .circuit_breaker import CircuitBreaker

SLOW_SECONDS = 5  # a recipient's server that takes longer for a mail rests like one that failed
REST, LONG_REST = 60, 1800  # seconds of our server, and of recipients of a domain


class MailRefused(Exception):
    """The server will never take this mail for its recipient."""


@lru_cache(1000)
def _breaker(host: str, port: int, domain: str = "") -> CircuitBreaker:
    """That of our mail server, or of what it says about recipients of a domain: it may ask their server meanwhile."""
    seconds = LONG_REST if domain else REST
    return CircuitBreaker(f"the mail server{domain and f' for {domain}'}", OSError, seconds)


@contextmanager
def _in_time() -> Iterator[None]:
    """Raise TimeoutError if the time of the task is over inside the block."""
    try:
        yield
    except SoftTimeLimitExceeded:
        raise TimeoutError("the mail server did not take the mail in time") from None


def send(message: EmailMessage, seconds: float | None = None) -> None:
    """Send a mail to one recipient; the server has so many seconds for each answer.

    Raises MailRefused, and OSError: at once if our server failed in the last minute, or was slow for this recipient.
    Anybody may name a recipient, so one who is refused or slow is no failure of the server.
    """
    server, domain = (settings.EMAIL_HOST, settings.EMAIL_PORT), message.to[0].rpartition("@")[2].lower()
    refusal: Exception | None = None
    message.connection = connection = get_connection(timeout=seconds)
    with _breaker(*server).attempt(), _in_time():
        connection.open()
    begun = time.monotonic()
    try:
        with _breaker(*server, domain).attempt(), _in_time():
            try:
                message.send()
            except (SMTPRecipientsRefused, SMTPDataError) as error:
                replies = error.recipients.values() if isinstance(error, SMTPRecipientsRefused) else [error.args]
                refusal = MailRefused(f"{error}") if all(code >= 500 for code, *_ in replies) else error
    finally:
        connection.close()
    if time.monotonic() - begun > SLOW_SECONDS:
        _breaker(*server, domain).trip()
    if refusal is not None:
        raise refusal
