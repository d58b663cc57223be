"""Reads a long bytea column in pieces, because psycopg receives two digits for each byte of a row."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import BinaryField, F, Func, Model, QuerySet, Value

PIECE_BYTES = 16 * 1024 * 1024  # PostgreSQL decompresses everything before a piece again for each of them


def stored_pieces(row: QuerySet[Model], column: str) -> Iterator[bytes]:
    """The bytes of a column of one row, in pieces. Ends if the row is gone or the column is NULL."""
    start = 1
    while True:
        piece = Func(F(column), Value(start), Value(PIECE_BYTES), function="substring", output_field=BinaryField())
        content = row.annotate(piece=piece).values_list("piece", flat=True).first()
        if not content:
            return
        yield bytes(content)
        if len(content) < PIECE_BYTES:
            return
        start += PIECE_BYTES
