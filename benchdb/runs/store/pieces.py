"""Reads a long bytea column in pieces, as bytes: in the usual format psycopg receives two digits for each of them."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import connections
from django.db.models import BinaryField, F, Func, Model, QuerySet, Value

PIECE_BYTES = 16 * 1024 * 1024  # PostgreSQL decompresses everything before a piece again for each of them


def stored_pieces(row: QuerySet[Model], column: str) -> Iterator[bytes]:
    """The bytes of a column of one row, in pieces. Ends if the row is gone or the column is NULL."""
    start = 1
    while True:
        piece = Func(F(column), Value(start), Value(PIECE_BYTES), function="substring", output_field=BinaryField())
        sql, arguments = row.annotate(piece=piece).values_list("piece").query.sql_with_params()
        with connections[row.db].prepared_cursor() as cursor:  # type: ignore[attr-defined]  # ours
            cursor.execute(sql, arguments)
            (content,) = cursor.fetchone() or (None,)
        if not content:
            return
        yield content
        if len(content) < PIECE_BYTES:
            return
        start += PIECE_BYTES
