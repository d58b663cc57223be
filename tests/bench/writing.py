"""The cost of an upload beside a plain COPY, of its statistics beside NumPy, and the space it takes on the disk."""

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
    """Measure all steps of writing, in the order of a run's life."""
    documents = [reference(seed) for seed in range(rounds + 1)]
    stored.database.execute("DROP TABLE IF EXISTS bare")
    stored.database.execute("CREATE TABLE bare (LIKE runs_result INCLUDING ALL)")
    stored.database.execute("VACUUM ANALYZE")  # which adds free space maps, independent of the data
    before = _size(stored.database)
    uploads, copies = [], []
    with Connection(stored.url) as connection:
        for document in documents:
            uploads.append(_put(connection, document, secret))
            copies.append(_copy(stored.database, _rows(document)))
    stored.database.execute("DROP TABLE bare")
    computed, plain = _summarise(documents)
    stored.database.execute("VACUUM ANALYZE")
    grown = (_size(stored.database) - before) / sum(len(result["values"]) for d in documents for result in d["results"])
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
    """The ratios without the first, which fills caches."""
    return [a / b for a, b in zip(above[1:], below[1:], strict=True)]


def _put(connection: Connection, document: Section, secret: str) -> float:
    """The seconds of an upload like an agent's."""
    body = gzip.compress(encoded(document), mtime=0)
    fields = {"authorization": f"Bearer {secret}", "content_type": "application/json", "content_encoding": "gzip"}
    return connection.ask(f"/api/v1/runs/{document['run_id']}", "PUT", body, 201, **fields).seconds


def _rows(document: Section) -> list[tuple[Any, ...]]:
    """The rows of `runs_result` as the server would write them."""
    given, packer = {"run_id": UUID(document["run_id"]), "parse": 1, "status": "ok"}, Packer()
    rows = [
        {**given, "ordinal": i, **result, "params": Jsonb({}), "lines": packer.pack(_places(result["source"]))}
        for i, result in enumerate(document["results"])
    ]
    return [tuple(map(row.get, COLUMNS)) for row in rows]


def _places(source: Section) -> Places:
    return Places(tuple(source["artifacts"]), source["lines"])


def _copy(database: psycopg.Connection[Any], rows: Sequence[tuple[Any, ...]]) -> float:
    """The seconds of COPY and commit, into a table with the same keys."""
    started = time.perf_counter()
    statement = f"COPY bare ({', '.join(COLUMNS)}) FROM STDIN"
    with database.transaction(), database.cursor() as cursor, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row(row)
    return time.perf_counter() - started


def _summarise(documents: Sequence[Section]) -> tuple[list[float], list[float]]:
    """The seconds a run of a worker's work, and of mean, standard deviation and median by NumPy result by result."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchdb.settings")
    django.setup()
    from benchdb.runs.store.summaries import compute_summaries

    computed, plain = [], []
    for document in documents:
        started = time.perf_counter()
        compute_summaries(UUID(document["run_id"]))
        computed.append(time.perf_counter() - started)
        values = [np.array(result["values"]) for result in document["results"]]
        started = time.perf_counter()
        for sample in values:
            np.mean(sample), np.std(sample, ddof=1), np.median(sample)
        plain.append(time.perf_counter() - started)
    return computed, plain


def _size(database: psycopg.Connection[Any]) -> int:
    """The size of all tables with their indexes in bytes, without raw output."""
    row = database.execute(SIZE).fetchone()
    assert row is not None
    return int(row[0])
