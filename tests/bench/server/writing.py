"""The cost of an upload beside a binary COPY, of its summaries beside NumPy, and the bytes of a value on the disk."""

import gzip
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
import psycopg

from tests.bench.connection import Connection
from tests.bench.ratios import Ledger, Ratio
from tests.bench.server.figure import Stored
from tests.bench.server.processor_time import seconds_of
from tests.bench.server.stock import reference
from tests.support.documents import Section, as_columns, encoded
from tests.support.waiting import wait_until

MOST_BYTES = 50
MOST_SECONDS = 0.080  # of all processors, for one upload
SIZE = """
SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c
WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname <> 'runs_artifact'"""


def writing(ledger: Ledger, stored: Stored, var: Path, secret: str, rounds: int) -> None:
    """Measure uploads on a new connection each, with a worker running; one before the others fills caches."""
    _set_up_django()
    documents = [as_columns(reference(seed)) for seed in range(rounds + 1)]
    bodies = [gzip.compress(encoded(document), mtime=0) for document in documents]
    stored.database.execute("DROP TABLE IF EXISTS bare")
    stored.database.execute("CREATE TABLE bare (LIKE runs_result INCLUDING ALL)")
    stored.database.execute("VACUUM ANALYZE")  # which adds free space maps, independent of the data
    before = _size(stored.database)
    uploads, copies, plain, computed, stored_too = [], [], [], [], []
    for document, body in zip(documents, bodies, strict=True):
        uploads.append(_put(stored.url, document["run_id"], body, secret))
        copies.append(_copy(stored.database, document))
    stored.database.execute("DROP TABLE bare")
    stored.database.execute("VACUUM ANALYZE")
    grown = (_size(stored.database) - before) / sum(len(document["results"]["values"]) for document in documents)
    for document in documents:
        for kept, seconds in zip((plain, computed, stored_too), _summarise(document), strict=True):
            kept.append(seconds)
    ledger.say(f"\n{'milliseconds':44} {'median':>8}")
    of_summaries = (("summaries computed", computed), ("summaries computed and stored", stored_too), ("numpy", plain))
    for name, taken in (("put", uploads), ("copy", copies), *of_summaries):
        ledger.time(name, taken[1:])
    ledger.say("")
    ledger.bound(Ratio("upload ÷ binary COPY", _ratios(uploads, copies)), most=3)
    ledger.bound(Ratio("summaries/s ÷ NumPy of the same figures", _ratios(plain, computed)), least=0.3)
    ledger.bound(Ratio("summaries stored/s ÷ NumPy, which stores nothing", _ratios(plain, stored_too)))
    _processor_time(ledger, stored, var, secret, rounds)
    ledger.check("bytes on the disk a value", grown <= MOST_BYTES, f"{grown:6.1f} of {MOST_BYTES}")
    ledger.keep("bytes on the disk a value", grown, most=MOST_BYTES)


def _processor_time(ledger: Ledger, stored: Stored, var: Path, secret: str, rounds: int) -> None:
    """Processor time of one upload in all processes, with all work after its answer; idle time is taken off."""
    documents = [as_columns(reference(1_000 + seed)) for seed in range(rounds)]
    bodies = [gzip.compress(encoded(document), mtime=0) for document in documents]
    started, before = time.monotonic(), seconds_of(var)
    for document, body in zip(documents, bodies, strict=True):
        _put(stored.url, document["run_id"], body, secret)
    _until_ready(stored.database)
    busy, taken = time.monotonic() - started, seconds_of(var) - before
    before = seconds_of(var)
    time.sleep(busy)  # the same processes without an upload, for as long
    idle = seconds_of(var) - before
    seconds = (taken - idle) / rounds
    ledger.check("processor time of an upload, s", seconds <= MOST_SECONDS, f"{seconds:6.3f} of {MOST_SECONDS}")
    ledger.keep("processor time of an upload, s", seconds, most=MOST_SECONDS)


def _until_ready(database: psycopg.Connection[Any]) -> None:
    unfinished = "SELECT FROM runs_runstate WHERE state <> 'ready'"
    wait_until(lambda: database.execute(unfinished).rowcount == 0)


def _ratios(above: Sequence[float], below: Sequence[float]) -> list[float]:
    """The ratios without the first, which fills caches."""
    return [a / b for a, b in zip(above[1:], below[1:], strict=True)]


def _put(url: str, run_id: str, body: bytes, secret: str) -> float:
    """The seconds of an upload like an agent's, from opening its connection to the last byte of the answer."""
    fields = {"authorization": f"Bearer {secret}", "content_type": "application/json", "content_encoding": "gzip"}
    started = time.perf_counter()
    with Connection(url) as connection:
        connection.ask(f"/api/v1/runs/{run_id}", "PUT", body, 201, **fields)
    return time.perf_counter() - started


def _copy(database: psycopg.Connection[Any], document: Section) -> float:
    """The seconds of the fastest COPY: binary, from arrays, in one piece, with its commit, under the same keys."""
    from benchdb.ingest.contract import validate
    from benchdb.runs.store.results import copy_text

    results = validate(encoded(document)).results
    started = time.perf_counter()
    names, text = copy_text(UUID(document["run_id"]), 1, np.arange(len(results)), results)
    statement = f"COPY bare ({', '.join(names)}) FROM STDIN (FORMAT BINARY)"
    with database.transaction(), database.cursor() as cursor, cursor.copy(statement) as copy:
        copy.write(text)
    return time.perf_counter() - started


def _summarise(document: Section) -> tuple[float, float, float]:
    """The seconds of the figures in NumPy alone, of the summaries, and of the whole work of the worker with a run."""
    from django.db import transaction

    from benchdb.ingest.contract import validate
    from benchdb.runs.models import Summary
    from benchdb.runs.store.summaries import store_summaries
    from benchdb.stats import summarise
    from tests.bench.bare import bare

    results = validate(encoded(document)).results
    values = results.values.reshape(len(results), -1)
    started = time.perf_counter()
    bare(values, with_modes=True)
    plain = time.perf_counter() - started
    run_id = UUID(document["run_id"])
    Summary.objects.filter(run=run_id).delete()
    started = time.perf_counter()
    summarise(values)
    computed = time.perf_counter() - started
    started = time.perf_counter()
    with transaction.atomic():
        store_summaries(run_id, 1)
    return plain, computed, time.perf_counter() - started


def _set_up_django() -> None:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchdb.settings")
    django.setup()


def _size(database: psycopg.Connection[Any]) -> int:
    """The size of all tables with their indexes in bytes, without raw output."""
    row = database.execute(SIZE).fetchone()
    assert row is not None
    return int(row[0])
