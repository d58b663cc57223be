"""Links from a table to surfaces: for each run its own, and both with the baseline; for each cell its position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from django.urls import reverse

from benchdb.compare.content import RunLine
from benchdb.compare.surface.selection import SurfaceSelection
from benchdb.compare.table.content import TableContent
from benchdb.runs.cells.cell import Cell
from benchdb.runs.quantities.columns import BoolArray, Quantities

TestMetric = tuple[str, str]  # test, metric
Surfaces = Mapping[str, Sequence[TestMetric]]  # by run id


def surface_links(content: TableContent, surfaces: Surfaces, shown: Collection[object]) -> dict[str, dict[str, object]]:
    """The links by run id, for the runs that have surfaces; `shown` are the metrics of the table."""
    lines = [line for line in content.run_list if line.id in surfaces]
    if not lines:
        return {}
    baseline = next((line for line in lines if line.label == content.baseline), lines[0])
    return {line.id: _links(line, baseline, surfaces, shown) for line in lines}


def _links(line: RunLine, baseline: RunLine, surfaces: Surfaces, shown: Collection[object]) -> dict[str, object]:
    common = [key for key in surfaces[line.id] if key in surfaces[baseline.id]]
    both = _address([baseline.id, line.id], _best(common, shown)) if line.id != baseline.id and common else None
    # The address of a run's surface, and of both surfaces if the baseline has the same one.
    return {
        "own": _address([line.id], _best(surfaces[line.id], shown)),
        "beside": {"href": both, "label": baseline.label} if both else None,
    }


def _best(keys: Sequence[TestMetric], shown: Collection[object]) -> TestMetric:
    """The first pair with a metric of the table, if possible, and preferably of throughput."""
    return min(keys, key=lambda key: (key[1] not in shown, key[1] != "throughput"))


def has_surface(cell: Cell, surfaces: Surfaces) -> bool:
    """Whether the cell's first run has a surface of its test."""
    return (cell.test or "", cell.metric) in surfaces.get(cell.runs[0], ())


def cell_surface(cell: Cell, baseline: str | None, surfaces: Surfaces) -> str | None:
    """The surface with this cell, beside that of the run `baseline`; None if there is none."""
    if not has_surface(cell, surfaces):
        return None
    run, key = cell.runs[0], (cell.test or "", cell.metric)
    both = baseline is not None and baseline != run and key in surfaces.get(baseline, ())
    fragment = f"#place={cell.file_size},{cell.record_size}" if cell.file_size and cell.record_size else ""
    return f"{_address([baseline, run] if baseline and both else [run], key)}{fragment}"


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
