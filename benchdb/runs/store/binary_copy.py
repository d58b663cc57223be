"""Rows for PostgreSQL's COPY in its binary format, made from columns without one Python object for each value.

The format: https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format". A field is its length in bytes as a
big-endian int32 (-1 for NULL), then the data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import orjson

BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.generic]
Entry = TypeVar("Entry")
MOST_JOINED = 256 * 1024  # bytes that are put in order at a time: each takes 24 bytes of indices
_HEADER = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_TRAILER = b"\xff\xff"
# The types of numbers by their NumPy type: PostgreSQL's OID of the type.
_OIDS = {">f8": 701, ">f4": 700, ">i4": 23}


@dataclass(frozen=True, slots=True)
class Fields:
    """One column of R rows: the bytes of all fields one after another, and the number of bytes of each row (R,)."""

    data: npt.NDArray[np.uint8]
    lengths: IntArray


def numbers(column: npt.ArrayLike, dtype: str, null: npt.ArrayLike = False) -> Fields:
    """Numbers of a big-endian NumPy type such as `>i8`; NULL in the rows of the mask `null`."""
    given = np.asarray(column)
    fields = _elements(given, dtype, np.broadcast_to(null, given.shape))
    return Fields(*fields)


def texts(column: Sequence[str | None]) -> Fields:
    """Texts; None is NULL."""
    return _each(column, str.encode)


def objects(column: Sequence[object]) -> Fields:
    """JSON values for `jsonb`; None is NULL."""
    return _each(column, lambda value: b"\x01" + orjson.dumps(value))


def constant(field: bytes, rows: int) -> Fields:
    """The same bytes in every row."""
    data = np.frombuffer(len(field).to_bytes(4) + field, np.uint8)
    return Fields(np.tile(data, rows), np.full(rows, len(data)))


def arrays(values: Numbers, offsets: IntArray, dtype: str, wanted: BoolArray, null: BoolArray) -> tuple[Fields, Fields]:
    """One-dimensional arrays: row i has `values[offsets[i]:offsets[i + 1]]`, and NULL unless `wanted[i]`.

    `null` is a mask of values. Returns two parts of the column, which belong side by side in `rows`.
    """
    counts = np.diff(offsets)
    taken = np.repeat(wanted, counts)
    data, lengths = _elements(values[taken], dtype, null[taken])
    ends = np.concatenate(([0], np.cumsum(lengths)))
    counted = np.where(wanted, counts, 0)
    stops = np.cumsum(counted)
    of_row = ends[stops] - ends[stops - counted]
    has_null = np.zeros(len(counts), dtype=np.int32)
    has_null[np.repeat(np.arange(len(counts)), counted)[null[taken]]] = 1
    head = np.zeros(
        (len(counts), 6), dtype=">i4"
    )  # bytes that follow, dimensions, has nulls, type, length, first index
    head[:, 0] = np.where(wanted, 20 + of_row, -1)
    head[:, 1], head[:, 2], head[:, 3], head[:, 4], head[:, 5] = 1, has_null, _OIDS[dtype], counts, 1
    sizes = np.where(wanted, 24, 4)
    kept = np.arange(24) < sizes[:, None]
    return Fields(head.view(np.uint8)[kept], sizes), Fields(data, of_row)


def rows(columns: Sequence[Fields | tuple[Fields, ...]]) -> bytes:
    """The whole text of a COPY with these columns."""
    parts = [part for column in columns for part in (column if isinstance(column, tuple) else (column,))]
    count = len(parts[0].lengths)
    head = np.frombuffer(len(columns).to_bytes(2), np.uint8)
    parts.insert(0, Fields(np.tile(head, count), np.full(count, 2)))
    ends = [np.concatenate(([0], np.cumsum(part.lengths))) for part in parts]
    ends_of_rows, body, first = np.sum(ends, axis=0), [_HEADER], 0
    while first < count:
        after = int(np.searchsorted(ends_of_rows, ends_of_rows[first] + MOST_JOINED, side="right")) - 1
        last = max(after, first + 1)
        body.append(
            _joined(
                Fields(part.data[end[first] : end[last]], part.lengths[first:last])
                for part, end in zip(parts, ends, strict=True)
            )
        )
        first = last
    return b"".join([*body, _TRAILER])


def _joined(fields: Iterable[Fields]) -> bytes:
    """Field after field of row after row."""
    parts = list(fields)
    lengths = np.stack([part.lengths for part in parts], axis=1)  # (rows, parts)
    begins = np.cumsum([0, *(len(part.data) for part in parts[:-1])])
    starts = begins + np.cumsum(lengths, axis=0) - lengths  # of each field in the joined data
    flat = lengths.ravel()
    targets = np.cumsum(flat) - flat
    gather = np.repeat(starts.ravel() - targets, flat) + np.arange(flat.sum())
    joined: bytes = np.concatenate([part.data for part in parts])[gather].tobytes()
    return joined


def _each(column: Sequence[Entry | None], encode: Callable[[Entry], bytes]) -> Fields:
    known: dict[int, bytes] = {}  # by identity: most entries of a column are the same few objects
    pieces = []
    for value in column:
        piece = known.get(id(value))
        if piece is None:
            data = b"" if value is None else encode(value)
            piece = known[id(value)] = (-1 if value is None else len(data)).to_bytes(4, signed=True) + data
        pieces.append(piece)
    lengths = np.fromiter(map(len, pieces), np.int64, len(pieces))
    return Fields(np.frombuffer(b"".join(pieces), np.uint8), lengths)


def _elements(values: Numbers, dtype: str, null: BoolArray) -> tuple[npt.NDArray[np.uint8], IntArray]:
    """Each value with its length in front; a null has only the length -1."""
    size = np.dtype(dtype).itemsize
    elements = np.zeros(len(values), dtype=[("length", ">i4"), ("value", dtype)])
    elements["length"] = np.where(null, -1, size)
    elements["value"] = np.where(null, 0, values)
    lengths = np.where(null, 4, 4 + size)
    data = elements.view(np.uint8).reshape(len(values), 4 + size)
    return data[np.arange(4 + size) < lengths[:, None]] if null.any() else data.ravel(), lengths
