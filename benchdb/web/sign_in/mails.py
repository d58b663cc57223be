"""The limits of mails with links, and their way to the worker that writes and sends them.

The worker also finds out whether an address has an account, so that no page takes longer if it has one.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from kombu.exceptions import OperationalError
from redis import RedisError

from benchdb.celery import app
from benchdb.http.rate_limits import address_of, too_many
from benchdb.http.requests import server_of
from benchdb.web.views import too_many_requests

from .refusals import SignInRefused, refused

SEND = "benchdb.web.tasks.send_account_mail"  # by its name: the module of tasks imports this package


def send_link(request: HttpRequest, kind: str, address: str, *more: object) -> HttpResponse | None:
    """Queue a mail of a kind (`tasks.MAILS`) within the limits. Returns the answer if none can be sent."""
    if seconds := too_many("MAIL_RATE", address_of(request)):
        return too_many_requests(request, seconds)
    # Few for each who asks, so that a stranger uses up only a part of the owner's mails; silently, as it may be one.
    if too_many("MAIL_ADDRESS_RATE", f"mail {address.lower()} for {address_of(request)}") or too_many(
        "MAIL_TOTAL_RATE", f"mail {address.lower()}"
    ):
        return None
    if not queue(request, kind, address, *more):
        why = "The mail could not be queued. Try again in a few minutes."
        return refused(request, SignInRefused(503, "No mail was sent", why, "the broker does not answer"))
    return None


def site_of(request: HttpRequest) -> str:
    """The address of the site, for links and providers: with a port of its own, not one that anybody may write."""
    asked = urlsplit(server_of(request))
    ours = {urlsplit(origin).port for origin in settings.CSRF_TRUSTED_ORIGINS} | {int(request.META["SERVER_PORT"])}
    return f"{asked.scheme}://{asked.netloc if asked.port in ours else asked.netloc.removesuffix(f':{asked.port}')}"


def queue(request: HttpRequest, kind: str, address: str, *more: object) -> bool:
    """Queue a mail without a limit. Returns whether the broker has taken it."""
    try:
        app.send_task(SEND, [kind, address, site_of(request), *more])
    except (OperationalError, RedisError):
        return False
    return True
