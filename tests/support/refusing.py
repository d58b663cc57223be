"""A PostgreSQL that refuses what it is given, as it does where its disk is full."""

from __future__ import annotations

from django.db import connection


def refuse_rows(table: str, condition: str) -> None:
    """Let all that is written into `table` fail with this condition, until the transaction of the test ends."""
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
            f" $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '{condition}'; END $$"
        )
        cursor.execute(f"CREATE OR REPLACE TRIGGER refuse BEFORE INSERT ON {table} EXECUTE FUNCTION refuse()")
