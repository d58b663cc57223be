"""Base units as words, for formats that name a unit in an identifier."""

from __future__ import annotations

UNIT_NAMES = {
    "B/s": "bytes_per_second",
    "op/s": "operations_per_second",
    "s": "seconds",
    "B": "bytes",
    "ratio": "ratio",
}
