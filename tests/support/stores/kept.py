"""A store that takes seconds to fill is filled once a session; later tests get a copy of its rows.

The first one is really filled by the services of the product, so that a fault in these is still found.
"""

import json
import os
import zlib
from collections.abc import Callable
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.db import connection, transaction
from django.db.models import AutoField

# Filled by the migrations of each database, with ids of its own.
OF_MIGRATIONS = {"django_migrations", "django_content_type", "auth_permission"}
Names = dict[str, str]


def kept(name: str, fill: Callable[[], Names]) -> Names:
    """Fill an empty database. Returns what `fill` returns, and has it called by the first of a session only."""
    directory = Path(settings.VAR_DIR) / "stores"  # tests/plugins/services.py removes those of earlier sessions
    directory.mkdir(exist_ok=True)
    file = directory / name
    if file.exists():
        result = _copied(file.read_bytes())
    else:
        _move_ids(1_000_000 * (1 + zlib.crc32(name.encode()) % 90))
        result = fill()
        new = directory / f"{name}.{os.getpid()}"
        new.write_bytes(_rows(result))
        new.rename(file)  # another process of the session may do the same at this moment
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # otherwise queries are planned for the empty tables that earlier tests left
    return result


def _rows(result: Names) -> bytes:
    """A line of JSON, and the rows of all tables as COPY writes them."""
    tables = {}
    with connection.cursor() as cursor:
        for table in sorted({*connection.introspection.table_names(cursor)} - OF_MIGRATIONS):
            with cursor.copy(f'COPY "{table}" TO STDOUT (FORMAT binary)') as copy:
                tables[table] = b"".join(copy)
    lengths = {table: len(rows) for table, rows in tables.items()}
    return json.dumps([result, lengths]).encode() + b"\n" + b"".join(tables.values())


def _copied(data: bytes) -> Names:
    """Copy the rows into the tables. The end of a transaction checks foreign keys, so that any order will do."""
    line, _, rows = data.partition(b"\n")
    result, lengths = json.loads(line)
    begin = 0
    with transaction.atomic(), connection.cursor() as cursor:
        for table, length in lengths.items():
            with cursor.copy(f'COPY "{table}" FROM STDIN (FORMAT binary)') as copy:
                copy.write(rows[begin : begin + length])
            begin += length
    _move_ids(0)
    return dict(result)


def _move_ids(least: int) -> None:
    """Let new rows have ids above `least`, above all present ones, and never lower than before.

    A store has a range of ids of its own. Otherwise its rows would have, in another process, the ids of rows that
    earlier tests have rolled back, and the server keeps in memory what it has read of rows that never change.
    """
    with connection.cursor() as cursor:
        for model in apps.get_models():
            if isinstance(model._meta.pk, AutoField):
                table, column = model._meta.db_table, model._meta.pk.column
                cursor.execute(
                    f"SELECT setval(name, greatest(nextval(name), (SELECT max({column}) FROM {table}), %s))"
                    f" FROM pg_get_serial_sequence('{table}', '{column}') AS name",
                    [least],
                )
