"""`zip(…, strict=True)` for tests that also run under Python 3.9, which lacks it."""

from collections.abc import Sequence
from typing import Any


def in_step(*columns: Sequence[Any]) -> list[tuple[Any, ...]]:
    """The rows of columns, which must be equally long."""
    lists = [list(column) for column in columns]
    assert len({len(column) for column in lists}) <= 1, [len(column) for column in lists]
    return list(zip(*lists))  # noqa: B905
