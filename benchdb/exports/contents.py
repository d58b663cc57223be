"""Tables, surfaces and trends as exports read them."""

from __future__ import annotations

from collections.abc import Iterator

from benchdb.compare.content import Content, Placed
from benchdb.compare.kinds import kind_of

__all__ = ["Content", "cells", "named"]


def cells(content: Content) -> Iterator[Placed]:
    """The measured cells of a content, in the order in which people read them."""
    placed: Iterator[Placed] = kind_of(content).cells(content)
    return placed


def named(placed: Placed) -> str:
    """`xfs · Write · 1 MiB`: the name of a cell outside its table."""
    return " · ".join(filter(None, [placed.row, placed.column, placed.split]))
