"""Many stored runs in little time: copies of one run by SQL, with ids older than all others."""

from typing import Any, Protocol
from uuid import UUID

from django.db import models

from benchdb.runs.models import Parse, Result, Run, RunState, Summary

_ID = "('00000000-0000-7000-8000-' || lpad(to_hex(copies.number), 12, '0'))::uuid"


class Cursor(Protocol):
    """A cursor of Django or psycopg."""

    def execute(self, query: Any, params: Any = None) -> Any: ...


def copy_run(cursor: Cursor, run_id: UUID | str, count: int, *, results: int = 1_000_000) -> None:
    """Copy a run with its state, parses, the first so many results and their summaries `count` times."""
    for model, key, extra in (
        (Run, "id", ""),
        (RunState, "run_id", ""),
        (Parse, "run_id", ""),
        (Result, "run_id", f"AND ordinal < {results:d}"),
        (Summary, "run_id", f"AND ordinal < {results:d}"),
    ):
        table, columns = model._meta.db_table, _columns(model)
        values = ", ".join(_ID if column == key else f"old.{column}" for column in columns)
        cursor.execute(
            f"INSERT INTO {table} ({', '.join(columns)}) SELECT {values}"
            f" FROM {table} old, generate_series(1, %s) copies(number) WHERE old.{key} = %s {extra}",
            [count, run_id],
        )
    for model in (Run, RunState, Parse, Result, Summary):
        cursor.execute(f"ANALYZE {model._meta.db_table}")


def _columns(model: type[models.Model]) -> list[str]:
    """All columns but a number assigned by the database, and a key made of other columns."""
    fields = [field for field in model._meta.concrete_fields if field.column is not None]
    return [field.column for field in fields if not isinstance(field, models.AutoField)]
