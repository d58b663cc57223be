"""Quantities of runs for tests of what is chosen from them, without stored runs."""

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np

from benchdb.runs.quantities.columns import NAMES, Column, Quantities, QuantityPlaces
from tests.support.documents import GIB, MIB


class QuantityRow(NamedTuple):
    """One quantity, and the number of runs that have it; params as their dimension has them."""

    test: str
    metric: str
    unit: str
    file_size: int | None
    record_size: int | None
    threads: int | None
    params: str | None
    tool: str
    runs: int


def row(**changes: Any) -> QuantityRow:
    """iozone's throughput of write."""
    throughput = QuantityRow("write", "throughput", "B/s", GIB, MIB, threads=None, params=None, tool="iozone", runs=1)
    return throughput._replace(**changes)


def quantities(rows: Sequence[QuantityRow], runs: Sequence[UUID] = ()) -> Quantities:
    """The quantities of these rows, in their order; each of the `runs` has all of them."""
    columns = {name: Column.of(getattr(one, name) for one in rows) for name in NAMES}
    every = np.arange(len(rows))
    return Quantities(columns, np.array([one.runs for one in rows]), [QuantityPlaces(runs, every, every)])
