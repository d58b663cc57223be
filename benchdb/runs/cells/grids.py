"""Which tests of a run make a surface: at least two file sizes and two record sizes."""

from __future__ import annotations

from collections.abc import Sequence

from benchdb.runs.queries import Measured


def grids(results: Sequence[Measured]) -> dict[tuple[str, str], list[Measured]]:
    """Results by (test, metric), for those that make a surface.

    Where the same place was measured with different threads or params, those of the first result of the test are taken.
    """
    found: dict[tuple[str, str], list[Measured]] = {}
    for result in results:
        if result.file_size is not None and result.record_size is not None:
            place = found.setdefault((result.test, result.metric), [])
            if not place or (place[0].threads, place[0].params) == (result.threads, result.params):
                place.append(result)
    return {key: cells for key, cells in found.items() if _is_grid(cells)}


def _is_grid(cells: Sequence[Measured]) -> bool:
    return len({cell.file_size for cell in cells}) > 1 and len({cell.record_size for cell in cells}) > 1
