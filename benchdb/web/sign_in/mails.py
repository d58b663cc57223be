"""The limits of mails with links, and their way to the worker that writes and sends them.

The worker also finds out whether an address has an account, so that no page takes longer if it has one.
"""

from __future__ import annotations

from contextlib import suppress

from django.http import HttpRequest, HttpResponse
from kombu.exceptions import OperationalError
from redis import RedisError

from benchdb.celery import app
from benchdb.http.rate_limits import address_of, too_many
from benchdb.http.requests import site_of
from benchdb.identity.models import AccountMail
from benchdb.web.views import too_many_requests

SEND = "benchdb.web.tasks.send_account_mails"  # by its name: the module of tasks imports this package


def send_link(request: HttpRequest, kind: str, address: str, *more: object) -> HttpResponse | None:
    """Queue a mail of a kind (`tasks.MAILS`) within the limits. Returns the answer if none can be sent."""
    if seconds := too_many("MAIL_RATE", address_of(request)):
        return too_many_requests(request, seconds)
    # Silently, as a stranger may ask. By the hour, and links are valid for a day: no matter who asked for the last mail
    # of the hour, the owner of the address has got a link, or gets it in the turn of who asks now.
    who = f"{kind} mail {address.lower()}"
    if too_many("MAIL_ADDRESS_RATE", f"{who} {more}") or too_many("MAIL_TOTAL_RATE", who):
        waiting = AccountMail.objects.filter(kind=kind, address__iexact=address, attempts=0)
        waiting.update(asker=address_of(request))
        return None
    queue(request, kind, address, *more)
    return None


def queue(request: HttpRequest, kind: str, address: str, *more: object) -> None:
    """Store a mail for the worker, without a limit; if the broker is away, the next sweep sends it."""
    AccountMail.objects.create(kind=kind, address=address, site=site_of(request), more=more, asker=address_of(request))
    with suppress(OperationalError, RedisError):
        app.send_task(SEND)
