"""The tests of a run that make a surface: at least two file sizes and two record sizes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from benchdb.wording.words import ResultSettings


class GridResult(ResultSettings, Protocol):
    """A result as far as its place on a surface."""

    @property
    def test(self) -> str: ...

    @property
    def metric(self) -> str: ...


T = TypeVar("T", bound=GridResult)


def grids(results: Sequence[T]) -> dict[tuple[str, str], list[T]]:
    """The results of each (test, metric) that makes a surface.

    If a test was measured with different threads or params, only results with those of its first result are included.
    """
    by_test: dict[tuple[str, str], list[T]] = {}
    for result in results:
        if result.file_size is not None and result.record_size is not None:
            alike = by_test.setdefault((result.test, result.metric), [])
            if not alike or (alike[0].threads, alike[0].params) == (result.threads, result.params):
                alike.append(result)
    return {
        key: cells
        for key, cells in by_test.items()
        if len({cell.file_size for cell in cells}) > 1 and len({cell.record_size for cell in cells}) > 1
    }
