"""Splits the two largest tables by run (`PARTITION BY HASH`) or joins them again: docs/scaling.md, "Partitions".

Columns, constraints and indexes are copied from the database with their names, so that migrations need not mention
partitions.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from psycopg import sql
from psycopg.sql import SQL, Composed, Identifier, Literal

from benchdb.runs.models import Result, Summary

TABLES = tuple(model._meta.db_table for model in (Result, Summary))
MOST_PARTS = 256
KEY = "run_id"


@dataclass(frozen=True)
class _Form:
    """Constraints, indexes and options of a table, as text for the statements that create them again."""

    constraints: list[tuple[str, str]]  # name, definition
    indexes: list[str]  # those that belong to no constraint
    options: list[str]  # of storage


def parts() -> int:
    """The number of parts of the tables; 1 if they are not partitioned."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_inherits WHERE inhparent = %s::regclass", [TABLES[0]])
        return max(1, int(cursor.fetchone()[0]))


def partition(number: int) -> dict[str, int]:
    """Split the tables into `number` parts, 1 for whole tables; returns the rows of each.

    Both tables are locked until the end.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # a table with pending checks of keys cannot be altered
        return {table: _rewrite(cursor, table, number) for table in TABLES}


def _rewrite(cursor: CursorWrapper, table: str, number: int) -> int:
    name, before = Identifier(table), Identifier(f"{table}_before")
    cursor.execute(SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE").format(name))
    form = _form(cursor, table)
    cursor.execute(SQL("ALTER TABLE {} RENAME TO {}").format(name, before))
    _create(cursor, table, before, form, number)
    cursor.execute(SQL("INSERT INTO {} TABLE {}").format(name, before))
    rows = int(cursor.rowcount)
    cursor.execute(SQL("DROP TABLE {}").format(before))  # frees the names of constraints and indexes
    for constraint, definition in form.constraints:
        statement = SQL("ALTER TABLE {} ADD CONSTRAINT {} {}")
        cursor.execute(statement.format(name, Identifier(constraint), _as_it_is(definition)))
    for index in form.indexes:
        cursor.execute(index)
    cursor.execute(SQL("ANALYZE {}").format(name))
    return rows


def _create(cursor: CursorWrapper, table: str, before: Identifier, form: _Form, number: int) -> None:
    like = SQL("CREATE TABLE {} (LIKE {} INCLUDING ALL EXCLUDING CONSTRAINTS EXCLUDING INDEXES)")
    empty = like.format(Identifier(table), before)
    options = _as_it_is(f" WITH ({', '.join(form.options)})" if form.options else "")
    if number == 1:
        cursor.execute(empty + options)
        return
    cursor.execute(empty + SQL(" PARTITION BY HASH ({})").format(Identifier(KEY)))
    for i in range(number):
        statement = SQL("CREATE TABLE {} PARTITION OF {} FOR VALUES WITH (MODULUS {}, REMAINDER {})")
        part_name = Identifier(f"{table}_{i:03}of{number:03}")
        cursor.execute(statement.format(part_name, Identifier(table), Literal(number), Literal(i)) + options)


def _form(cursor: CursorWrapper, table: str) -> _Form:
    cursor.execute(
        "SELECT conname, pg_get_constraintdef(oid) || coalesce(("
        "SELECT format(' WITH (%%s)', array_to_string(reloptions, ', ')) FROM pg_class"  # how full its pages are made
        " WHERE oid = conindid AND contype IN ('p', 'u') AND reloptions IS NOT NULL), '') FROM pg_constraint"
        " WHERE conrelid = %s::regclass AND contype IN ('p', 'u', 'c', 'f') ORDER BY contype DESC, conname",
        [table],
    )
    constraints = cursor.fetchall()
    cursor.execute(
        "SELECT replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') FROM pg_index"
        " WHERE indrelid = %s::regclass"
        " AND indexrelid NOT IN (SELECT conindid FROM pg_constraint WHERE contype IN ('p', 'u'))"
        " ORDER BY indexrelid::regclass::text",
        [table],
    )
    indexes = [definition for (definition,) in cursor.fetchall()]
    # A partitioned table has its options on the parts.
    cursor.execute(
        "SELECT unnest(reloptions) FROM pg_class WHERE oid = COALESCE("
        "(SELECT min(inhrelid) FROM pg_inherits WHERE inhparent = %s::regclass), %s::regclass)",
        [table, table],
    )
    return _Form(constraints, indexes, [option for (option,) in cursor.fetchall()])


def _as_it_is(definition: str) -> Composed:
    """SQL that came from PostgreSQL itself, used without quoting."""
    return sql.Composed([SQL(definition)])
