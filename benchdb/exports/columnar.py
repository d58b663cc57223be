"""Writes Parquet: typed columns, one row group after another, so that only one is in memory at a time."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import IO, NamedTuple, cast

import numpy as np
from arro3.core import Array, DataType, Field, RecordBatch, RecordBatchReader, Schema, list_array
from arro3.io import write_parquet

from benchdb import __version__

AT_ONCE = 20_000  # lines of a row group
COMPRESSION = "zstd(6)"
EPOCH, MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)
TYPES = {
    "text": DataType.utf8(),
    "integer": DataType.int64(),
    "number": DataType.float64(),
    "time": DataType.timestamp("us", tz="UTC"),
    "numbers": DataType.list(Field("item", DataType.float64(), nullable=True)),
}
Line = Sequence[object]


class TypedColumn(NamedTuple):
    """A column; `type` is a key of TYPES. Every column may lack values."""

    name: str
    type: str


def write(file: IO[bytes], columns: Sequence[TypedColumn], lines: Iterable[Line], facts: Mapping[str, str]) -> None:
    """Write the lines, each with a value for each column; None and "" are no value.

    `facts` are the file's metadata, as JSON under the key `benchdb`. Equal lines give equal bytes. Raises OSError, and
    what `lines` raises.
    """
    schema = Schema([Field(column.name, TYPES[column.type], nullable=True) for column in columns])
    failures: list[Exception] = []
    reader = RecordBatchReader.from_batches(schema, _batches(schema, columns, iter(lines), failures))
    try:
        write_parquet(
            reader,
            file,
            compression=COMPRESSION,
            max_row_group_size=AT_ONCE,
            # One entry, because the library writes several in any order.
            key_value_metadata={"benchdb": json.dumps(facts, ensure_ascii=False)},
            created_by=f"BenchDB {__version__}",
        )
    except Exception:
        if failures:  # the library raises another exception with its text
            raise failures[0] from None
        raise


def _batches(
    schema: Schema, columns: Sequence[TypedColumn], lines: Iterator[Line], failures: list[Exception]
) -> Iterator[RecordBatch]:
    """The row groups, as the library takes them one by one; `failures` gets what ends them early."""
    try:
        while chunk := list(islice(lines, AT_ONCE)):
            arrays = [
                _array(column.type, values) for column, values in zip(columns, zip(*chunk, strict=True), strict=True)
            ]
            yield RecordBatch.from_arrays(arrays, schema=schema)
    except Exception as error:
        failures.append(error)
        raise


def _array(kind: str, values: Sequence[object]) -> Array:
    known = [None if value == "" else value for value in values]
    if kind == "time":
        return _times(cast("list[datetime | None]", known))
    if kind == "numbers":
        return _lists(cast("list[Sequence[float | None] | None]", known))
    return Array(known, type=TYPES[kind])


def _times(times: Sequence[datetime | None]) -> Array:
    since = [None if at is None else (at - EPOCH) // MICROSECOND for at in times]
    return Array(since, type=TYPES["integer"]).cast(TYPES["time"])


def _lists(lists: Sequence[Sequence[float | None] | None]) -> Array:
    offsets = np.cumsum([0, *(len(values or ()) for values in lists)], dtype=np.int32)
    values = Array([value for values in lists for value in values or ()], type=TYPES["number"])
    missing = Array([values is None for values in lists], type=DataType.bool())
    return list_array(Array.from_numpy(offsets), values, type=TYPES["numbers"], mask=missing)


# The columns of `text/lines.py` that are no text; those of the shape `wide` end with one of these words.
_INTEGER = re.compile(r"(.* n|n|file_size|record_size|threads|ordinal|round|statistics_version)")
_NUMBER = re.compile(
    r"(.* )?(mean|sd|ratio)( \(.*\))?|interval_(low|high)|median|ratio_(low|high)|p|p_adjusted|level|margin|value"
    r"|over_level|together(_low|_high)?"
)


def column_of(name: str) -> TypedColumn:
    """The column of a CSV file with this head."""
    integer, number = _INTEGER.fullmatch(name), _NUMBER.fullmatch(name)
    return TypedColumn(name, "integer" if integer else "number" if number else "text")
