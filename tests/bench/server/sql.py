"""The figures of a comparison in plain SQL: the reference for the cost of a table."""

import json
import time
from typing import Any
from uuid import UUID

import psycopg

from tests.bench.pages import TESTS
from tests.bench.server.stock import SELECTIONS, SHOWN

# What a table needs of each cell: its figures, values, warnings and sources. The texts of the runs are few.
BARE = """
SELECT array_position(%(runs)s, r.run_id), r.test, r.record_size, r.status, r.error,
  coalesce(r.values, r.singles::float8[]), r.source, r.line, s.n, s.mean, s.sd, s.median, s.minimum, s.maximum,
  s.mean_low, s.mean_high, s.median_low, s.median_high, s.outliers, s.warnings
FROM runs_result r
JOIN runs_runstate t ON t.run_id = r.run_id AND t.current_parse = r.parse
JOIN runs_summary s ON (s.run_id, s.parse, s.ordinal) = (r.run_id, r.parse, r.ordinal)
WHERE r.run_id = ANY(%(runs)s) AND r.test = ANY(%(tests)s) AND r.file_size = %(file_size)s
  AND r.record_size = ANY(%(record_sizes)s) AND r.metric = 'throughput'"""


def bare(database: psycopg.Connection[Any], runs: list[UUID], selection: int) -> float:
    """The seconds of reading the figures of the same cells from the database, in the driver's faster form."""
    file_size, record_sizes = SELECTIONS[selection % len(SELECTIONS)]
    arguments = {"runs": runs, "tests": list(TESTS), "file_size": file_size, "record_sizes": list(record_sizes)}
    started = time.perf_counter()
    with database.cursor(binary=True) as cursor:
        rows = cursor.execute(BARE, arguments).fetchall()
    seconds = time.perf_counter() - started
    if len(rows) != len(runs) * len(TESTS) * SHOWN:
        raise SystemExit(f"bench: the bare query found {json.dumps(rows, default=str)[:200]}")
    return seconds
