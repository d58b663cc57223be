"""Metrics for Prometheus: each web process counts its requests; all other values are queried when metrics are read."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterator

import redis
from django.conf import settings
from django.db import DatabaseError, Error
from django.db.models import Count, Min
from django.utils import timezone
from kombu.exceptions import OperationalError
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from benchdb import __version__, heartbeats
from benchdb.celery import waiting_messages, workers
from benchdb.replica import REPLICA
from benchdb.replica.progress import NoReplica, behind
from benchdb.runs.models import UNFINISHED, RunState, State

log = logging.getLogger(__name__)

CONTENT_TYPE = CONTENT_TYPE_LATEST
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
BUCKETS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30)  # seconds

# One family for count, status and duration, because an observation costs a few microseconds and django-prometheus makes
# ten of them for each request.
REQUESTS = Histogram(
    "benchdb_request_seconds", "Requests and how long they took", ["view", "method", "status"], buckets=BUCKETS
)


def observe(view: str, method: str, status: int, seconds: float) -> None:
    """Count one request. `view` is the name of a URL pattern, which bounds the number of label values."""
    REQUESTS.labels(view, method if method in METHODS else "other", str(status)).observe(seconds)


def text() -> bytes:
    """All metrics in Prometheus's text format."""
    requests = REGISTRY
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):  # gunicorn's processes together
        requests = CollectorRegistry()
        MultiProcessCollector(requests)
    services = CollectorRegistry()
    services.register(ServiceCollector())
    return bytes(generate_latest(requests) + generate_latest(services))


class ServiceCollector(Collector):
    """Values from database and broker. A service that is down has `up` 0 and no other values."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Collect with two queries, two more if there is a replica, and three requests to the broker."""
        yield _gauge("benchdb_info", "Version of BenchDB", 1, version=__version__)
        yield from _of_database()
        yield from _of_replica()
        yield from _of_broker()


def _of_database() -> Iterator[GaugeMetricFamily]:
    try:
        counts = dict(RunState.objects.values_list("state").annotate(Count("pk")))
        unfinished = RunState.objects.filter(state__in=UNFINISHED)
        oldest = unfinished.aggregate(oldest=Min("run__received_at"))["oldest"]
    except DatabaseError:
        log.exception("no metrics of the database")
        yield _gauge("benchdb_database_up", "Whether the database answers", 0)
        return
    yield _gauge("benchdb_database_up", "Whether the database answers", 1)
    runs = GaugeMetricFamily("benchdb_runs", "Stored runs by how far the server is with them", labels=["state"])
    for state in State:
        runs.add_metric([state.value], counts.get(state.value, 0))
    yield runs
    age = (timezone.now() - oldest).total_seconds() if oldest else 0
    yield _gauge("benchdb_oldest_unfinished_run_seconds", "Age of the oldest run whose statistics are not there", age)


def _of_replica() -> Iterator[GaugeMetricFamily]:
    if REPLICA not in settings.DATABASES:
        return
    try:
        yield _gauge("benchdb_replica_behind_bytes", "Bytes of the log that the replica has not replayed", behind())
    except (Error, NoReplica) as error:
        log.warning("no metrics of the replica: %s", error)


def _of_broker() -> Iterator[GaugeMetricFamily]:
    try:
        waiting = sum(map(waiting_messages, workers().values()))
        times = {name: heartbeats.last(name) for name in heartbeats.NAMES}
    except (redis.RedisError, OperationalError) as error:
        log.warning("no metrics of the broker: %s", error)
        yield _gauge("benchdb_broker_up", "Whether the broker answers", 0)
        return
    yield _gauge("benchdb_broker_up", "Whether the broker answers", 1)
    yield _gauge("benchdb_queue_messages", "Messages that no worker has taken yet", waiting)
    ages = GaugeMetricFamily("benchdb_seen_seconds", "Seconds since a sign of life; missing: none", labels=["of"])
    for name, moment in times.items():
        if moment is not None:
            ages.add_metric([name], max(0, time.time() - moment))
    yield ages


def _gauge(name: str, about: str, value: float, **labels: str) -> GaugeMetricFamily:
    gauge = GaugeMetricFamily(name, about, labels=list(labels))
    gauge.add_metric(list(labels.values()), value)
    return gauge
