"""The quantities of a parse in two columns of its row, so that a table can be chosen without reading any result."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence

import numpy as np
import orjson

from .result_arrays import IntArray, ResultArrays

DIMENSIONS = ("test", "metric", "unit", "file_size", "record_size", "threads", "params")
_PACKED = np.dtype("<i4")
_FASTEST = 1  # 42 kB of a grid of 1,300 results become 2.3; higher levels save a tenth of that
Entry = str | int | None


def packed(ordinals: IntArray, results: ResultArrays) -> tuple[dict[str, list[Entry]], bytes]:
    """The distinct values of each dimension, and the codes: int32 of the shape (1 + dimensions, R), compressed.

    The first row are the ordinals (R,) in ascending order, the others the indices of the values of each result. Params
    are canonical JSON. PostgreSQL would not compress them: its compressor gives up at the ordinals, which never repeat.
    """
    order = np.argsort(ordinals, kind="stable")
    values, rows = {}, [ordinals]
    for name in DIMENSIONS:
        entries = _entries(name, results)
        codes = {entry: code for code, entry in enumerate(dict.fromkeys(entries))}
        values[name] = list(codes)
        rows.append(np.fromiter(map(codes.__getitem__, entries), np.int64, len(entries)))
    return values, zlib.compress(np.stack(rows)[:, order].astype(_PACKED).tobytes(), _FASTEST)


def unpacked(
    values: Mapping[str, Sequence[Entry]], codes: bytes
) -> tuple[IntArray, Mapping[str, Sequence[Entry]], IntArray]:
    """The ordinals (R,), the values and the codes (dimensions, R) of a packed parse."""
    packed_table = np.frombuffer(zlib.decompress(codes) if codes else b"", _PACKED)
    table = packed_table.reshape(1 + len(DIMENSIONS), -1).astype(np.int64)
    return table[0], values or {name: [] for name in DIMENSIONS}, table[1:]


def _entries(name: str, results: ResultArrays) -> Sequence[Entry]:
    if name == "params":
        known: dict[int, str] = {}  # by identity: most results of a document share their params
        return [known.get(id(params)) or known.setdefault(id(params), canonical(params)) for params in results.params]
    column = getattr(results, name)
    return [size or None for size in column.tolist()] if isinstance(column, np.ndarray) else column


def canonical(params: Mapping[str, object]) -> str:
    """Params as JSON with sorted keys."""
    return orjson.dumps(params, option=orjson.OPT_SORT_KEYS).decode()
