"""Copies of stored runs by SQL, each with a machine's environment and a target of its own, as thousands of users have.

An upload of 1,300 results takes a tenth of a second; a copy takes a hundredth.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import psycopg

Cursor = psycopg.Cursor[Any]

# Tables with a few rows for each run, and tables with a row for each result.
SMALL, LARGE = ("runs_run", "runs_runstate", "runs_parse"), ("runs_result", "runs_summary")
MACHINES, CPU_MODELS, KERNELS, MEMORIES, DISK_MODELS = 500, 300, 400, 64, 500

# The numbers of the copies with their ids. `place` is the number of the base run that is copied.
_COPIES = """
CREATE TEMP TABLE copies ON COMMIT DROP AS
SELECT number, number %% %(bases)s AS place,
  ('00000000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid AS run_id,
  sha256(convert_to('copy ' || number, 'UTF8')) AS digest, NULL::bigint AS machine_id, NULL::bigint AS environment_id,
  NULL::bigint AS target_id, NULL::bigint AS facets_id
FROM generate_series(%(first)s + 1, %(first)s + %(copies)s) number
"""
_BASE = "JOIN base ON base.place = copies.place JOIN runs_run run ON run.id = base.run_id"
_NAME = "to_jsonb('#' || copies.number)"
# By table: the columns in which copies differ, and how the rows of a base run and of its copies are found.
_OWN: Mapping[str, tuple[dict[str, str], str]] = {
    "catalog_environment": (
        {
            "digest": "copies.digest",
            "facts": f"jsonb_set(old.facts, '{{kernel,version}}', {_NAME})",
            "fingerprints": f"jsonb_set(old.fingerprints, '{{kernel}}', {_NAME})",
            "cpu_model": f"old.cpu_model || ' ' || copies.number %% {CPU_MODELS}",
            "memory": f"(1 + copies.number %% {MEMORIES})::bigint << 30",
            "kernel_release": f"'6.1.' || copies.number %% {KERNELS}",
        },
        f"{_BASE} JOIN catalog_environment old ON old.id = run.environment_id",
    ),
    "catalog_target": (
        {
            "digest": "copies.digest",
            "facts": f"jsonb_set(old.facts, '{{disk}}', {_NAME})",
            "disk_model": f"'disk ' || copies.number %% {DISK_MODELS}",
        },
        f"{_BASE} JOIN catalog_target old ON old.id = run.target_id",
    ),
    "runs_facets": (
        {
            "digest": "copies.digest",
            **{name: f"copies.{name}" for name in ("machine_id", "environment_id", "target_id")},
        },
        f"{_BASE} JOIN runs_runstate state ON state.run_id = run.id JOIN runs_facets old ON old.id = state.facets_id",
    ),
}
_KEEP_ID = "UPDATE copies SET {column} = own.id FROM {table} own WHERE own.digest = copies.digest"
_MACHINES = f"""
INSERT INTO catalog_machine (owner_id, machine_id, name, created_at)
SELECT machine.owner_id, encode(sha256(convert_to('machine ' || i, 'UTF8')), 'hex'), 'machine ' || i, now()
FROM generate_series(0, {MACHINES - 1}) i, runs_run run JOIN catalog_machine machine ON machine.id = run.machine_id
WHERE run.id = %s ON CONFLICT DO NOTHING
"""
_KEEP_MACHINE = f"""
UPDATE copies SET machine_id = machine.id FROM catalog_machine machine
WHERE machine.name = 'machine ' || copies.number %% {MACHINES}
"""


def multiply(database: psycopg.Connection[Any], base: Sequence[str], copies: int, results: int, first: int = 0) -> None:
    """Store this many copies of each of the runs `base`, with their first `results` results, under older ids.

    `first` is the number of existing copies. The two large tables are rewritten and their keys created afterwards,
    which takes a tenth of the time.
    """
    with database.transaction(), database.cursor() as cursor:
        cursor.execute("SET LOCAL maintenance_work_mem = '1GB'")
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("CREATE TEMP TABLE base (place int, run_id uuid) ON COMMIT DROP")
        cursor.executemany("INSERT INTO base VALUES (%s, %s)", list(enumerate(base)))
        cursor.execute(_COPIES, {"bases": len(base), "first": first, "copies": copies * len(base)})
        _systems(cursor, base[0])
        for table in SMALL:
            _copy_runs(cursor, table, table)
        for table in LARGE:
            keys = _without_keys(cursor, table)
            cursor.execute(f"CREATE TEMP TABLE kept ON COMMIT DROP AS TABLE {table}")
            cursor.execute("CREATE INDEX ON kept (run_id)")  # each copy looks up its base
            cursor.execute("ANALYZE kept")
            cursor.execute(f"TRUNCATE {table}")  # writes to a file created in the same transaction need no log
            cursor.execute(f"INSERT INTO {table} TABLE kept")
            _copy_runs(cursor, table, "kept", f"AND ordinal < {results:d}")
            for key in keys:
                cursor.execute(key)
            cursor.execute("DROP TABLE kept")
    for table in (*SMALL, *LARGE, *_OWN):
        database.execute(f"ANALYZE {table}")


def _systems(cursor: Cursor, base: str) -> None:
    """The copies' machines, environments, targets and facets."""
    cursor.execute(_MACHINES, [base])
    cursor.execute(_KEEP_MACHINE, [])
    for table, (own, found) in _OWN.items():
        columns = [name for name in _columns(cursor, table) if name != "id"]
        values = ", ".join(own.get(name, f'old."{name}"') for name in columns)
        names = ", ".join(f'"{name}"' for name in columns)
        cursor.execute(f"INSERT INTO {table} ({names}) SELECT {values} FROM copies {found}", [])
        column = "facets_id" if table == "runs_facets" else f"{table.removeprefix('catalog_')}_id"
        cursor.execute(_KEEP_ID.format(column=column, table=table))


def _copy_runs(cursor: Cursor, table: str, source: str, only: str = "") -> None:
    """Copy the rows of all base runs from `source` into `table`, keeping a copy's rows together."""
    key = "id" if table == "runs_run" else "run_id"
    differing = set(_columns(cursor, "copies")) - {"run_id", "number"}  # the `number` of a parse is another one
    own = {key: "copies.run_id"} | {name: f"copies.{name}" for name in differing}
    columns = _columns(cursor, table)
    values = ", ".join(own.get(name, f'old."{name}"') for name in columns)
    names = ", ".join(f'"{name}"' for name in columns)
    cursor.execute(
        f"INSERT INTO {table} ({names}) SELECT {values} FROM copies JOIN base ON base.place = copies.place"
        f" CROSS JOIN LATERAL (SELECT * FROM {source} WHERE {key} = base.run_id {only} OFFSET 0) old"
    )


def _columns(cursor: Cursor, table: str) -> list[str]:
    """The names of a table's columns without those that PostgreSQL numbers itself."""
    cursor.execute(
        "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped"
        " AND attidentity = '' ORDER BY attnum",
        [table],
    )
    return [name for (name,) in cursor.fetchall()]


def _without_keys(cursor: Cursor, table: str) -> list[str]:
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
