"""`/healthz`, `/readyz` and `/metrics`, for monitoring programs that connect directly and not through the proxy.

The first middleware answers them, because such a request has no session, no TLS and no host name of the site.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cache
from ipaddress import ip_address
from urllib.parse import urlsplit

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe
from redis.backoff import NoBackoff
from redis.retry import Retry

from . import metrics

log = logging.getLogger(__name__)

OK = "ok"
SILENT = "does not answer"
PATIENCE_SECONDS = 2
# Headers that only proxies send, on behalf of other clients.
OF_PROXIES = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-IP", "Via")


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """200 as long as this process answers, even if every service is down."""
    return JsonResponse({"process": OK})


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """200 if database, migrations and broker are available; else 503 with the state of each."""
    database, migrations = _database()
    states = {"database": database, "migrations": migrations, "broker": _broker()}
    return JsonResponse(states, status=200 if set(states.values()) == {OK} else 503)


def _database() -> tuple[str, str]:
    """The states of the database and of its migrations."""
    try:
        applied = set(MigrationRecorder(connection).applied_migrations())
    except DatabaseError:
        log.exception("the database does not answer")  # the error names its host, which is not for the public answer
        return SILENT, "unknown"
    missing = sorted(".".join(migration) for migration in known_migrations() - applied)
    return OK, f"not applied: {', '.join(missing)}" if missing else OK


@cache
def known_migrations() -> frozenset[tuple[str, str]]:
    """(app, name) of each migration of this program."""
    return frozenset(MigrationLoader(None).disk_migrations)


def _broker() -> str:
    try:
        broker_client().ping()
    except redis.RedisError as error:
        log.warning("the broker does not answer: %s", error)
        return SILENT
    return OK


@cache
def broker_client() -> redis.Redis:
    """A client of the broker with short timeouts and no retries."""
    patience = {"socket_timeout": PATIENCE_SECONDS, "socket_connect_timeout": PATIENCE_SECONDS}
    return redis.Redis.from_url(settings.REDIS_URL, retry=Retry(NoBackoff(), 0), **patience)


@require_safe
def metrics_page(request: HttpRequest) -> HttpResponse:
    """Metrics for Prometheus, for clients with the token of the settings; without a token, for this machine only."""
    if not _may_read(request):
        return HttpResponse("Metrics are for who has their token (docs/operations.md).\n", "text/plain", status=403)
    return HttpResponse(metrics.text(), metrics.CONTENT_TYPE)


def _may_read(request: HttpRequest) -> bool:
    if settings.METRICS_TOKEN:
        return constant_time_compare(request.headers.get("Authorization", ""), f"Bearer {settings.METRICS_TOKEN}")
    if any(name in request.headers for name in OF_PROXIES):
        return False
    return _is_loopback(request.META.get("REMOTE_ADDR", "")) and _names_this_machine(request.headers.get("Host", ""))


def _names_this_machine(host: str) -> bool:
    """Whether a Host header is a name of this machine for itself.

    A page of another site can make a browser on this machine send requests here under the site's name (DNS rebinding).
    """
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    return name == "localhost" or _is_loopback(name)


def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


ADDRESSES: dict[str, Callable[[HttpRequest], HttpResponse]] = {
    "/healthz": healthz,
    "/readyz": readyz,
    "/metrics": metrics_page,
}
