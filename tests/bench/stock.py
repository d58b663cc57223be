"""The data of `make bench`: the reference run, four runs to compare, and thousands of others copied by SQL.

The reference run has 13 tests × 100 cells × 10 rounds, with the line of raw output for each value, as agents send it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import psycopg

from tests.bench.pages import TESTS
from tests.support.documents import GIB, KIB, MIB, Section, artifact, document, environment, result

ROUNDS = 10
CELLS = [(file_size * GIB, 4 * KIB << i) for file_size in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512) for i in range(10)]
RECORD_SIZES = (4 * KIB, 64 * KIB, MIB, 16 * MIB)
FILE_SYSTEMS = ("ext4", "xfs", "btrfs", "f2fs")
MEMORIES = (2 * GIB, 8 * GIB)
COPY_ID = "('00000000-0000-7000-8000-' || lpad(to_hex(copies.number), 12, '0'))::uuid"
# Tables with a few rows for each run, and tables with a row for each result.
SMALL, LARGE = ("runs_run", "runs_runstate", "runs_parse"), ("runs_result", "runs_summary")


def reference(seed: int = 0, **sections: Any) -> Section:
    """The reference run, with values that depend on the seed."""
    return document(rounds=ROUNDS, results=_results(CELLS, seed), artifacts=_raw(), **sections)


def compared() -> list[Section]:
    """Four runs of 13 tests × 4 record sizes, on four file systems."""
    cells = [(32 * GIB, size) for size in RECORD_SIZES]
    return [
        document(file_system=name, rounds=ROUNDS, results=_results(cells, i, 1 + i / 10), artifacts=_raw())
        for i, name in enumerate(FILE_SYSTEMS)
    ]


def others(number: int) -> list[Section]:
    """Return `number` reference runs on several file systems and machines."""
    documents = []
    for i in range(number):
        machine = environment()
        machine["memory"]["total"] = MEMORIES[i % len(MEMORIES)]
        documents.append(reference(i, file_system=FILE_SYSTEMS[i % len(FILE_SYSTEMS)], environment=machine))
    return documents


def address(runs: Sequence[Section]) -> str:
    """The query string that compares these runs."""
    chosen = "&".join(f"run={each['run_id']}" for each in runs)
    tests = "&".join(f"test={each}" for each in TESTS)
    return f"{chosen}&{tests}&rows=file_system&columns=test&split=record_size&metric=throughput"


def _results(cells: Sequence[tuple[int, int]], seed: int, factor: float = 1.0) -> list[Section]:
    random_ = random.Random(seed)
    names = [f"round-{r + 1}.txt" for r in range(ROUNDS)]
    places = [{"artifacts": names, "lines": [25 + i] * ROUNDS} for i in range(len(cells))]
    return [
        result(_values(random_, (60 + 15 * j + i % 37) * 1000 * factor), test, source=places[i], **_sizes(cell))
        for i, cell in enumerate(cells)
        for j, test in enumerate(TESTS)
    ]


def _sizes(cell: tuple[int, int]) -> dict[str, int]:
    return {"file_size": cell[0], "record_size": cell[1]}


def _values(random_: random.Random, mean: float) -> list[float]:
    """Values in whole KiB/s, as iozone prints them, with a spread of 2 per cent."""
    return [float(round(mean * random_.lognormvariate(0, 0.02)) * KIB) for _ in range(ROUNDS)]


def _raw() -> list[Section]:
    return [artifact(f"round-{r + 1}.txt", f"what round {r + 1} printed\n") for r in range(ROUNDS)]


def multiply(database: psycopg.Connection[Any], base: Sequence[str], copies: int, results: int, first: int = 0) -> None:
    """Copy each of the runs `base`, with the first `results` results, under ids older than all others.

    `first` is the number of existing copies. The two large tables are rewritten and their keys created afterwards,
    which takes a tenth of the time.
    """
    with database.transaction(), database.cursor() as cursor:
        cursor.execute("SET LOCAL maintenance_work_mem = '1GB'")
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for table in SMALL:
            for i, run in enumerate(base):
                _copy(
                    cursor, table, table, "id" if table == "runs_run" else "run_id", run, (first + i * copies, copies)
                )
        for table in LARGE:
            keys = _without_keys(cursor, table)
            cursor.execute(f"CREATE TEMP TABLE kept ON COMMIT DROP AS TABLE {table}")
            cursor.execute(f"TRUNCATE {table}")  # writes to a file created in the same transaction need no log
            cursor.execute(f"INSERT INTO {table} TABLE kept")
            for i, run in enumerate(base):
                _copy(cursor, "kept", table, "run_id", run, (first + i * copies, copies), f"AND ordinal < {results:d}")
            for key in keys:
                cursor.execute(key)
            cursor.execute("DROP TABLE kept")
    for table in (*SMALL, *LARGE):
        database.execute(f"ANALYZE {table}")


def _copy(
    cursor: psycopg.Cursor[Any], source: str, table: str, key: str, run: str, span: tuple[int, int], only: str = ""
) -> None:
    """Copy a run's rows in `source` once for each number of the span (start, count), keeping a copy's rows together."""
    cursor.execute(
        "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped"
        " AND attidentity = '' ORDER BY attnum",
        [table],
    )
    columns = [name for (name,) in cursor.fetchall()]
    values = ", ".join(COPY_ID if column == key else f'old."{column}"' for column in columns)
    names = ", ".join(f'"{column}"' for column in columns)
    cursor.execute(
        f"INSERT INTO {table} ({names}) SELECT {values} FROM generate_series(%s + 1, %s) copies(number)"
        f" CROSS JOIN LATERAL (SELECT * FROM {source} WHERE {key} = %s {only} OFFSET 0) old",
        [span[0], sum(span), run],
    )


def _without_keys(cursor: psycopg.Cursor[Any], table: str) -> list[str]:
    """Drop the table's constraints. Returns the statements that restore them, foreign keys without validation."""
    cursor.execute(
        "SELECT conname, contype::text, pg_get_constraintdef(oid) FROM pg_constraint"
        " WHERE conrelid = %s::regclass AND contype IN ('p', 'u', 'f') ORDER BY contype DESC",
        [table],
    )
    constraints = cursor.fetchall()
    for name, _, _ in constraints:
        cursor.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{name}"')
    return [
        f'ALTER TABLE {table} ADD CONSTRAINT "{name}" {text}{" NOT VALID" if kind == "f" else ""}'
        for name, kind, text in constraints
    ]
