"""Reads tables of an SQLite file that a stranger may have made.

Only real tables and stored columns are read: views, virtual tables and generated columns could run the file's own SQL.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple, Union

from benchagent.formats.model import FormatError

MAGIC = b"SQLite format 3\x00"
_MOST_ROWS = 200_000  # of a table
_LONGEST_TEXT = 1000  # bytes; rows of a damaged table can share one long text, which would take all the memory
_LONGEST_VALUE = 100_000  # bytes of a text, a blob or a row; SQLite refuses longer ones before it copies them
_STEPS, _MOST_CALLS = 100_000, 10_000  # SQLite's virtual machine may make 10⁹ steps
_JOURNAL, _ROLLBACK = slice(18, 20), b"\x01\x01"  # the header's versions of writing and reading; 2 is a write-ahead log

Cell = Union[int, float, str, None]
Row = dict[str, Cell]


class SqliteTable(NamedTuple):
    """The stored columns of a table in their order, and its rows by `id`. Blobs, which fsperf has none of, are None."""

    columns: tuple[str, ...]
    rows: list[Row]


@contextmanager
def opened(data: bytes) -> Iterator[sqlite3.Connection]:
    """A connection to a copy of the database. Raises FormatError for a database that is damaged or takes too long."""
    plain = data[: _JOURNAL.start] + _ROLLBACK + data[_JOURNAL.stop :]
    try:
        with _connection(plain) as connection:
            calls = iter(range(_MOST_CALLS))
            connection.set_progress_handler(lambda: next(calls, None) is None, _STEPS)
            connection.text_factory = _text
            if hasattr(connection, "setlimit"):  # from Python 3.11 on
                connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA temp_store = MEMORY")
            yield connection
    except (sqlite3.Error, UnicodeError) as error:  # names of columns are decoded by the module itself
        raise FormatError(f"the database is damaged or too large: {error}") from None


def table_names(connection: sqlite3.Connection) -> set[str]:
    """The names of all tables but SQLite's own."""
    names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return {str(name) for (name,) in names if not str(name).startswith("sqlite_")}


def table(connection: sqlite3.Connection, name: str) -> SqliteTable | None:
    """A table, whose name is a constant of ours; None if the database has no such table.

    Raises FormatError for more rows than any real database has.
    """
    found = connection.execute(
        "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ? AND rootpage > 0", (name,)
    ).fetchone()
    if found is None:
        return None
    columns = tuple(str(row[1]) for row in connection.execute(f'PRAGMA table_info("{name}")'))  # none is generated
    if "id" not in columns:
        raise FormatError(f"the table {name} has no column id")
    selected = ", ".join(map(_quoted, columns))
    # Not ORDER BY: without an index, SQLite would sort whole rows on the disk, and rows can share their bytes.
    cursor = connection.execute(f'SELECT {selected} FROM "{name}" LIMIT {_MOST_ROWS + 1}')
    rows: list[Row] = [
        {column: None if isinstance(cell, bytes) else cell for column, cell in zip(columns, row)} for row in cursor
    ]
    if len(rows) > _MOST_ROWS:
        raise FormatError(f"the table {name} has more than {_MOST_ROWS:,} rows")
    rows.sort(key=_place)
    return SqliteTable(columns, rows)


def _place(row: Row) -> float:
    number = row["id"]
    return number if isinstance(number, (int, float)) else -1.0


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(data: bytes) -> str:
    return data[:_LONGEST_TEXT].decode("utf-8", "replace")


@contextmanager
def _connection(data: bytes) -> Iterator[sqlite3.Connection]:
    with tempfile.TemporaryDirectory() as folder:  # sqlite3 reads databases in memory only from Python 3.11 on
        path = Path(folder, "copy.db")
        path.write_bytes(data)
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
            yield connection
