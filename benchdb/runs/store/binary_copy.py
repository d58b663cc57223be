"""Rows for PostgreSQL's COPY in its binary format, made from columns without one Python object for each value.

The format: https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format". A field is its length in bytes as a
big-endian int32 (-1 for NULL), then the data.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
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
HEADER = b"PGCOPY\n\xff\r\n\0" + bytes(8)
TRAILER = b"\xff\xff"
_NULL = b"\xff\xff\xff\xff"
# The types of numbers by their NumPy type: PostgreSQL's OID of the type.
_OIDS = {">f8": 701, ">f4": 700, ">i4": 23}


@dataclass(frozen=True, slots=True)
class Fields:
    """One column of R rows: bytes of fields, the number of bytes of each row (R,), and where they start in `data` (R,).

    Rows with the same field share its bytes.
    """

    data: npt.NDArray[np.uint8]
    lengths: IntArray
    starts: IntArray

    @classmethod
    def in_order(cls, data: npt.NDArray[np.uint8], lengths: IntArray) -> Fields:
        """The column whose fields follow each other in `data`."""
        return cls(data, lengths, np.cumsum(lengths) - lengths)


def field(data: bytes) -> bytes:
    """One field."""
    return len(data).to_bytes(4) + data


def numbers(column: npt.ArrayLike, dtype: str, null: npt.ArrayLike = False) -> Fields:
    """Numbers of a big-endian NumPy type such as `>i8`; NULL in the rows of the mask `null`."""
    given = np.asarray(column)
    return Fields.in_order(*_elements(given, dtype, np.broadcast_to(null, given.shape)))


def texts(column: Sequence[str | None]) -> Fields:
    """Texts; None is NULL."""
    return _each(column, column, str.encode)


def objects(column: Sequence[object]) -> Fields:
    """JSON values for `jsonb`; None is NULL."""
    return _each(map(id, column), column, lambda value: b"\x01" + orjson.dumps(value))


def constant(value: bytes, rows: int) -> Fields:
    """The same bytes in every row."""
    data = np.frombuffer(field(value), np.uint8)
    return Fields(data, np.full(rows, len(data)), np.zeros(rows, dtype=np.int64))


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
    return Fields.in_order(head.view(np.uint8)[kept], sizes), Fields.in_order(data, of_row)


def rows(columns: Sequence[Fields | tuple[Fields, ...]]) -> bytes:
    """The whole text of a COPY with these columns."""
    parts = [part for column in columns for part in (column if isinstance(column, tuple) else (column,))]
    count = len(parts[0].lengths)
    head = np.frombuffer(len(columns).to_bytes(2), np.uint8)
    parts.insert(0, Fields(head, np.full(count, 2), np.zeros(count, dtype=np.int64)))
    lengths = np.stack([part.lengths for part in parts], axis=1)  # (rows, parts)
    begins = np.cumsum([0, *(len(part.data) for part in parts[:-1])])
    starts = begins + np.stack([part.starts for part in parts], axis=1)  # of each field in the joined data
    data = np.concatenate([part.data for part in parts])
    totals = np.concatenate(([0], np.cumsum(lengths.sum(axis=1))))
    body, first = [HEADER], 0
    while first < count:
        last = max(first + 1, int(np.searchsorted(totals, totals[first] + MOST_JOINED, side="right")) - 1)
        body.append(_joined(data, starts[first:last].ravel(), lengths[first:last].ravel()))
        first = last
    return b"".join([*body, TRAILER])


def _joined(data: npt.NDArray[np.uint8], starts: IntArray, lengths: IntArray) -> bytes:
    """Field after field, each from its place in the data."""
    targets = np.cumsum(lengths) - lengths
    gather = np.repeat(starts - targets, lengths) + np.arange(lengths.sum())
    joined: bytes = data[gather].tobytes()
    return joined


def _each(keys: Iterable[Hashable], column: Sequence[Entry | None], encode: Callable[[Entry], bytes]) -> Fields:
    """The fields of a column; entries with equal keys are encoded once, because most columns have few values."""
    keys = list(keys)
    distinct = dict(zip(keys, column, strict=True))
    places_of = {key: place for place, key in enumerate(distinct)}
    places = list(map(places_of.__getitem__, keys))
    encoded = [None if value is None else encode(value) for value in distinct.values()]
    pieces = [_NULL if data is None else field(data) for data in encoded]
    sizes = np.array([len(piece) for piece in pieces], dtype=np.int64)
    starts = np.cumsum(sizes) - sizes
    return Fields(np.frombuffer(b"".join(pieces), np.uint8), sizes[places], starts[places])


def _elements(values: Numbers, dtype: str, null: BoolArray) -> tuple[npt.NDArray[np.uint8], IntArray]:
    """Each value with its length in front; a null has only the length -1."""
    size = np.dtype(dtype).itemsize
    elements = np.zeros(len(values), dtype=[("length", ">i4"), ("value", dtype)])
    elements["length"] = np.where(null, -1, size)
    elements["value"] = np.where(null, 0, values)
    lengths = np.where(null, 4, 4 + size)
    data = elements.view(np.uint8).reshape(len(values), 4 + size)
    return data[np.arange(4 + size) < lengths[:, None]] if null.any() else data.ravel(), lengths
