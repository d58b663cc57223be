"""Links from a table to surfaces: for each run its own; for each cell those of all runs, and its place in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from django.urls import reverse

from benchdb.compare.surface.selection import MOST_RUNS, SurfaceSelection
from benchdb.compare.table.content import TableContent
from benchdb.runs.cells.cell import Cell
from benchdb.runs.quantities.columns import BoolArray, Quantities

TestMetric = tuple[str, str]  # test, metric
Surfaces = Mapping[str, Sequence[TestMetric]]  # by run id


def surface_links(content: TableContent, surfaces: Surfaces, shown: Collection[object]) -> dict[str, str]:
    """The address of the surface of each run that has one; `shown` are the metrics of the table."""
    own = {line.id: surfaces[line.id] for line in content.run_list if line.id in surfaces}
    return {run: _address([run], _best(keys, shown)) for run, keys in own.items()}


def _best(keys: Sequence[TestMetric], shown: Collection[object]) -> TestMetric:
    """The first pair with a metric of the table, if possible, and preferably of throughput."""
    return min(keys, key=lambda key: (key[1] not in shown, key[1] != "throughput"))


def has_surface(cell: Cell, surfaces: Surfaces) -> bool:
    """Whether the cell's first run has a surface of its test."""
    return (cell.test or "", cell.metric) in surfaces.get(cell.runs[0], ())


def cell_surface(content: TableContent, cell: Cell, surfaces: Surfaces) -> str | None:
    """The surface with this cell, beside those of all runs of the table, the baseline first; None if there is none."""
    if not has_surface(cell, surfaces):
        return None
    run, key = cell.runs[0], (cell.test or "", cell.metric)
    lines = sorted(content.run_list, key=lambda line: line.label != content.baseline)
    others = [line.id for line in lines if line.id != run and key in surfaces.get(line.id, ())][: MOST_RUNS - 1]
    runs = [line.id for line in lines if line.id == run or line.id in others]
    fragment = f"#place={cell.file_size},{cell.record_size}" if cell.file_size and cell.record_size else ""
    return f"{_address(runs, key)}{fragment}"


def _address(runs: Sequence[str], key: TestMetric) -> str:
    return f"{reverse('surface')}?{SurfaceSelection(tuple(map(UUID, runs)), *key).query()}"


def surfaces_of(quantities: Quantities) -> dict[str, list[TestMetric]]:
    """(test, metric) of all results in two file sizes and two record sizes or more, by run id."""
    sized = ~quantities.having("record_size", [None])
    with_file = sized & ~quantities.having("file_size", [None])
    pairs_of: dict[str, list[TestMetric]] = {}
    for places in quantities.places:
        own = places.mask(len(quantities))
        swept = _several(quantities, "file_size", own & with_file) & _several(quantities, "record_size", own & sized)
        pairs_of |= {str(run): sorted(swept) for run in places.runs if swept}
    return pairs_of


def _several(quantities: Quantities, size: str, mask: BoolArray) -> set[TestMetric]:
    """The tests and metrics with several values of a size among these quantities."""
    found = quantities.combinations(("test", "metric", size), mask)
    counts = Counter((str(test), str(metric)) for test, metric, _ in found)
    return {place for place, count in counts.items() if count > 1}
