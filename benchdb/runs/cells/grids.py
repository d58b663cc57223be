"""The tests of a run that make a surface: at least two file sizes and two record sizes."""

from __future__ import annotations

from collections.abc import Sequence

from benchdb.runs.queries import Measured


def grids(results: Sequence[Measured]) -> dict[tuple[str, str], list[Measured]]:
    """The results of each (test, metric) that makes a surface.

    If a test was measured with different threads or params, only results with those of its first result are included.
    """
    by_test: dict[tuple[str, str], list[Measured]] = {}
    for result in results:
        if result.file_size is not None and result.record_size is not None:
            alike = by_test.setdefault((result.test, result.metric), [])
            if not alike or (alike[0].threads, alike[0].params) == (result.threads, result.params):
                alike.append(result)
    return {key: cells for key, cells in by_test.items() if _is_grid(cells)}


def _is_grid(cells: Sequence[Measured]) -> bool:
    return len({cell.file_size for cell in cells}) > 1 and len({cell.record_size for cell in cells}) > 1
