"""Tables, surfaces and trends as exports read them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from benchdb.compare.content import Placed
from benchdb.compare.surface import content as surfaces
from benchdb.compare.table import content as tables
from benchdb.compare.trend import content as trends

Content = Mapping[str, Any]


# The walk over the cells of each kind.
_CELLS = {"table": tables.cells, "surface": surfaces.cells, "trend": trends.cells}


def kind_of(content: Content) -> str:
    """`table`, `surface` or `trend`: the schema's name between dot and slash."""
    return str(content["schema"]).partition("/")[0].removeprefix("benchdb.")


def cells(content: Content) -> Iterator[Placed]:
    """The measured cells of a content, in the order in which people read them."""
    return _CELLS[kind_of(content)](content)


def named(placed: Placed) -> str:
    """`xfs · Write · 1 MiB`: the name of a cell outside its table."""
    return " · ".join(filter(None, [placed.row, placed.column, placed.split]))
