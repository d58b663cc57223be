"""Checks that need an answer from a service: database, broker, workers, beat."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping

import redis
from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from kombu.exceptions import OperationalError

from benchdb import heartbeats
from benchdb.celery import app, waiting_messages, workers
from benchdb.embedded.database import connection_error
from benchdb.embedded.hints import services_missing
from benchdb.operations.probes import broker_client, known_migrations

from .finding import DoctorFinding, ok, warning, wrong

OLDEST_POSTGRES = 150000
PING_SECONDS = 2
CLOCK_SECONDS = 2
CLOCK_WRONG_SECONDS = 60
MANY_MESSAGES = 1000
UNDONE = {
    heartbeats.WORKER: "nothing is computed",
    heartbeats.FILES_WORKER: "long imports are not read, and no pictures and files are made",
}


def database() -> Iterator[DoctorFinding]:
    """Whether the database is reachable and new enough, has all migrations, and agrees on the time."""
    if error := connection_error():
        yield wrong("database", services_missing() or f"{' '.join(error.split())}; check DATABASE_URL")
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('server_version'), current_setting('server_version_num')::int")
        version, number = cursor.fetchone()
    if number < OLDEST_POSTGRES:
        yield wrong("database", f"PostgreSQL {version} is too old: BenchDB needs 15 or newer")
        return
    yield ok("database", f"PostgreSQL {version}")
    yield from _migrations()
    yield from _clock()


def _migrations() -> Iterator[DoctorFinding]:
    applied, known = set(MigrationRecorder(connection).applied_migrations()), known_migrations()
    if missing := known - applied:
        yield wrong("migrations", f"{len(missing)} are not applied: `manage.py migrate`")
    elif newer := {f"{app}.{name}" for app, name in applied - known if any(app == ours for ours, _ in known)}:
        first = sorted(newer)[0]
        yield warning("migrations", f"the database has {first}, which this program does not know: it is an older one")
    else:
        yield ok("migrations", f"all {len(known)} are applied")


def _clock() -> Iterator[DoctorFinding]:
    before = time.time()
    with connection.cursor() as cursor:
        cursor.execute("SELECT extract(epoch FROM clock_timestamp())::float8")
        theirs = cursor.fetchone()[0]
    after = time.time()
    apart = max(before - theirs, theirs - after, 0)
    text = f"this machine and the database are {apart:.1f} s apart"
    if apart > CLOCK_WRONG_SECONDS:
        yield wrong("clock", f"{text}: leases, tokens and sweeps go wrong; set both by NTP")
    elif apart > CLOCK_SECONDS:
        yield warning("clock", f"{text}; set both by NTP")
    else:
        yield ok("clock", text)


def broker() -> Iterator[DoctorFinding]:
    """Whether the broker is reachable and keeps all messages, and whether workers and beat are alive."""
    try:
        info = broker_client().info()
        waiting = {name: waiting_messages(queue) for name, queue in workers().items()}
        swept = heartbeats.last(heartbeats.SWEEP)
    except (redis.RedisError, OperationalError) as error:
        yield wrong("broker", services_missing() or f"{error}; check REDIS_URL. Uploads are taken, and computed later")
        return
    name = f"{info.get('server_name') or 'redis'} {info.get('valkey_version') or info['redis_version']}"
    policy = info.get("maxmemory_policy", "unknown")
    if policy == "noeviction":
        yield ok("broker", f"{name}, {policy}")
    else:
        yield warning(
            "broker", f"{name} drops messages when memory is short: set maxmemory-policy noeviction, not {policy}"
        )
    yield from _workers(waiting)
    yield _beat(swept)


def _workers(waiting: Mapping[str, int]) -> Iterator[DoctorFinding]:
    """Whether a worker answers for each queue; `waiting` has the messages of each."""
    answers = app.control.inspect(timeout=PING_SECONDS).active_queues() or {}
    served = [queue["name"] for queues in answers.values() for queue in queues]
    for name, queue in workers().items():
        count, messages = served.count(queue), waiting[name]
        if not count:
            idle = UNDONE[name]
            yield wrong(name, f"none answers, and {messages} messages wait: {idle}. Start one, or `manage.py up`")
        elif messages > MANY_MESSAGES:
            more = ", or BENCHDB_PROCESSES" if name == heartbeats.WORKER else ""
            yield warning(name, f"{count} answer, and {messages} messages wait: start more{more}")
        else:
            yield ok(name, f"{count} answer, {messages} messages wait")


def _beat(swept: float | None) -> DoctorFinding:
    if swept is None:
        return wrong("beat", "no sweep was carried out yet: lost work is not found. Start beat, or `manage.py up`")
    ago = max(0, time.time() - swept)
    if ago > 3 * settings.SWEEP_SECONDS + 10:
        return wrong("beat", f"the last sweep was {ago:.0f} s ago: beat is down, or no worker has time for it")
    return ok("beat", f"the last sweep was {ago:.0f} s ago")
