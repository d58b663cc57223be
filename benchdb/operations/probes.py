"""`/healthz`, `/readyz` and `/metrics`: asked by programs, from inside, past the proxy.

The middleware answers them before anything else looks at the request: whoever asks from inside knows the site by none
of its names, comes without TLS, and has no session.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cache
from ipaddress import ip_address

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
# Whoever sends one of these is a proxy, which speaks for somebody else.
OF_PROXIES = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-IP", "Via")


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """200 as long as this process answers, whatever else is down."""
    return JsonResponse({"process": OK})


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """200 where database, migrations and broker are there; 503 says which is not."""
    database, migrations = _database()
    found = {"database": database, "migrations": migrations, "broker": _broker()}
    return JsonResponse(found, status=200 if set(found.values()) == {OK} else 503)


def _database() -> tuple[str, str]:
    """How the database is, and whether it has our tables."""
    try:
        applied = set(MigrationRecorder(connection).applied_migrations())
    except DatabaseError:
        log.exception("the database does not answer")  # where it is, is nothing for everybody's eyes
        return SILENT, "unknown"
    missing = sorted(".".join(each) for each in known_migrations() - applied)
    return OK, f"not applied: {', '.join(missing)}" if missing else OK


@cache
def known_migrations() -> frozenset[tuple[str, str]]:
    """App and name of the migrations of this program."""
    return frozenset(MigrationLoader(None).disk_migrations)


def _broker() -> str:
    try:
        ask_broker().ping()
    except redis.RedisError as error:
        log.warning("the broker does not answer: %s", error)
        return SILENT
    return OK


@cache
def ask_broker() -> redis.Redis:
    """A client of the broker that says soon that nobody answers."""
    patience = {"socket_timeout": PATIENCE_SECONDS, "socket_connect_timeout": PATIENCE_SECONDS}
    return redis.Redis.from_url(settings.REDIS_URL, retry=Retry(NoBackoff(), 0), **patience)


@require_safe
def metrics_page(request: HttpRequest) -> HttpResponse:
    """Prometheus's text: for who has the token of the settings; where there is none, for this machine alone."""
    if not _may_read(request):
        return HttpResponse("Metrics are for who has their token (docs/operations.md).\n", "text/plain", status=403)
    return HttpResponse(metrics.text(), metrics.CONTENT_TYPE)


def _may_read(request: HttpRequest) -> bool:
    if settings.METRICS_TOKEN:
        return constant_time_compare(request.headers.get("Authorization", ""), f"Bearer {settings.METRICS_TOKEN}")
    if any(name in request.headers for name in OF_PROXIES):
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


ADDRESSES: dict[str, Callable[[HttpRequest], HttpResponse]] = {
    "/healthz": healthz,
    "/readyz": readyz,
    "/metrics": metrics_page,
}
