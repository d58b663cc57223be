"""What an upload costs, beside a bare COPY; what its statistics cost, beside NumPy; what it takes on the disk."""

from __future__ import annotations

import gzip
import os
import time
from collections.abc import Sequence
from typing import Any
from uuid import UUID

import numpy as np
import psycopg
from psycopg.types.json import Jsonb

from benchdb.runs.store.value_places import Packer, Places
from tests.bench.connection import Connection
from tests.bench.ratios import Ledger, Ratio
from tests.bench.reading import Stored
from tests.bench.stock import reference
from tests.support.documents import Section, encoded

MOST_BYTES = 50
COLUMNS = (
    *("run_id", "parse", "ordinal", "test", "metric", "unit", "file_size", "record_size", "threads", "params"),
    *("values", "given", "status", "error", "evidence", "lines"),
)
SIZE = """
SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c
WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname <> 'runs_artifact'"""


def writing(ledger: Ledger, stored: Stored, secret: str, rounds: int) -> None:
    """All figures of writing, in the order in which a run meets them."""
    documents = [reference(seed) for seed in range(rounds + 1)]
    stored.database.execute("DROP TABLE IF EXISTS bare")
    stored.database.execute("CREATE TABLE bare (LIKE runs_result INCLUDING ALL)")
    stored.database.execute("VACUUM ANALYZE")  # which adds maps of free space, whatever is stored
    before = _size(stored.database)
    uploads, copies = [], []
    with Connection(stored.url) as connection:
        for document in documents:
            uploads.append(_put(connection, document, secret))
            copies.append(_copy(stored.database, _rows(document)))
    stored.database.execute("DROP TABLE bare")
    computed, plain = _summarise(documents)
    stored.database.execute("VACUUM ANALYZE")
    grown = (_size(stored.database) - before) / sum(len(each["values"]) for d in documents for each in d["results"])
    results = len(documents[0]["results"])
    ledger.say(f"\n{'milliseconds':44} {'median':>8}")
    for name, seconds in (("put", uploads), ("copy", copies), ("summaries", computed), ("numpy", plain)):
        ledger.time(name, seconds[1:])
    ledger.say("")
    ledger.bound(Ratio("upload ÷ bare COPY", _ratios(uploads, copies)), most=3)
    ledger.bound(Ratio("summaries/s ÷ bare NumPy's", _ratios(plain, computed)), least=0.5)
    ledger.say(f"{'  summaries/s of a worker':44} {results / float(np.median(computed[1:])):8.0f}")
    ledger.say(f"{'  bare NumPy/s':44} {results / float(np.median(plain[1:])):8.0f}")
    ledger.check("bytes on the disk a value", grown <= MOST_BYTES, f"{grown:6.1f} of {MOST_BYTES}")
    ledger.keep("bytes on the disk a value", grown, most=MOST_BYTES)


def _ratios(above: Sequence[float], below: Sequence[float]) -> list[float]:
    """Without the first, which fills caches."""
    return [a / b for a, b in zip(above[1:], below[1:], strict=True)]


def _put(connection: Connection, document: Section, secret: str) -> float:
    """Seconds of an upload, as an agent sends it."""
    body = gzip.compress(encoded(document), mtime=0)
    fields = {"authorization": f"Bearer {secret}", "content_type": "application/json", "content_encoding": "gzip"}
    return connection.ask(f"/api/v1/runs/{document['run_id']}", "PUT", body, 201, **fields).seconds


def _rows(document: Section) -> list[tuple[Any, ...]]:
    """The rows of `runs_result` as the server writes them, ready to be written."""
    given, packer = {"run_id": UUID(document["run_id"]), "parse": 1, "status": "ok"}, Packer()
    rows = [
        {**given, "ordinal": i, **each, "params": Jsonb({}), "lines": packer.pack(_places(each["source"]))}
        for i, each in enumerate(document["results"])
    ]
    return [tuple(map(row.get, COLUMNS)) for row in rows]


def _places(source: Section) -> Places:
    return Places(tuple(source["artifacts"]), source["lines"])


def _copy(database: psycopg.Connection[Any], rows: Sequence[tuple[Any, ...]]) -> float:
    """Seconds of COPY and commit, into a table with the same keys."""
    started = time.perf_counter()
    statement = f"COPY bare ({', '.join(COLUMNS)}) FROM STDIN"
    with database.transaction(), database.cursor() as cursor, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row(row)
    return time.perf_counter() - started


def _summarise(documents: Sequence[Section]) -> tuple[list[float], list[float]]:
    """Seconds a run of what a worker does, and of mean, standard deviation and median by NumPy, a result at a time."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchdb.settings")
    django.setup()
    from benchdb.runs.store.summaries import compute_summaries

    computed, plain = [], []
    for document in documents:
        started = time.perf_counter()
        compute_summaries(UUID(document["run_id"]))
        computed.append(time.perf_counter() - started)
        values = [np.array(each["values"]) for each in document["results"]]
        started = time.perf_counter()
        for each in values:
            np.mean(each), np.std(each, ddof=1), np.median(each)
        plain.append(time.perf_counter() - started)
    return computed, plain


def _size(database: psycopg.Connection[Any]) -> int:
    """Bytes of all tables with their indexes, without raw output."""
    row = database.execute(SIZE).fetchone()
    assert row is not None
    return int(row[0])
