"""`zip(…, strict=True)` for tests that also run under Python 3.9, which does not have it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def in_step(*columns: Sequence[Any]) -> list[tuple[Any, ...]]:
    """The columns' rows; all columns are equally long."""
    lists = [list(column) for column in columns]
    assert len({len(each) for each in lists}) <= 1, [len(each) for each in lists]
    return list(zip(*lists))  # noqa: B905
