"""The mail server: one that is away holds no process that has other work to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from smtplib import SMTPDataError, SMTPRecipientsRefused

from billiard.exceptions import SoftTimeLimitExceeded  # Celery's, without all of Celery
from django.conf import settings
from django.core.mail import EmailMessage, get_connection

from .circuit_breaker import CircuitBreaker

FIRST_SECONDS = 5  # for each answer to a first attempt, because anybody may name a recipient whose server is slow


class MailRefused(Exception):
    """The server will never take this mail for its recipient."""


@lru_cache(100)
def _breaker(host: str, port: int) -> CircuitBreaker:
    return CircuitBreaker("the mail server", OSError, seconds=60)


@contextmanager
def _in_time() -> Iterator[None]:
    """Raise TimeoutError if the time of the task is over inside the block."""
    try:
        yield
    except SoftTimeLimitExceeded:
        raise TimeoutError("the mail server did not take the mail in time") from None


def send(message: EmailMessage, seconds: float | None = None) -> None:
    """Send a mail to one recipient; the server has so many seconds for each answer.

    Raises MailRefused, and OSError: at once if the server failed in the last minute. One that asks a recipient's server
    meanwhile may be slow, and refuses many recipients: neither is a failure of the server.
    """
    connection = get_connection(timeout=seconds)
    with _breaker(settings.EMAIL_HOST, settings.EMAIL_PORT).attempt(), _in_time():
        connection.open()
    message.connection = connection
    try:
        with _in_time():
            message.send()
    except (SMTPRecipientsRefused, SMTPDataError) as error:
        replies = error.recipients.values() if isinstance(error, SMTPRecipientsRefused) else [error.args]
        raise (MailRefused(f"{error}") if all(code >= 500 for code, *_ in replies) else error) from None
    finally:
        connection.close()
