"""A PostgreSQL that refuses rows, as it does if its disk is full."""

from __future__ import annotations

from django.db import connection


def refuse_rows(table: str, condition: str) -> None:
    """Let every insertion into `table` fail with this condition until the end of the test's transaction."""
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
            f" $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '{condition}'; END $$"
        )
        cursor.execute(f"CREATE OR REPLACE TRIGGER refuse BEFORE INSERT ON {table} EXECUTE FUNCTION refuse()")
