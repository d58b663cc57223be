"""A PostgreSQL that refuses rows, as it does if its disk is full."""

from django.db import connection


def refuse_rows(table: str, condition: str, at: str = "INSERT", when: str = "true") -> None:
    """Let every insertion into `table`, or another operation, fail with this condition until the transaction ends.

    `when` limits it to rows, as in SQL's WHEN.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
            f" $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '{condition}'; END $$"
        )
        cursor.execute(
            f"CREATE OR REPLACE TRIGGER refuse BEFORE {at} ON {table} FOR EACH ROW"
            f" WHEN ({when}) EXECUTE FUNCTION refuse()"
        )
