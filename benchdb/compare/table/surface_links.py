"""Links from a table to surfaces: for each run its own, and both with the baseline; for each cell its position."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Count, F
from django.urls import reverse

from benchdb.compare.surface.selection import SurfaceSelection
from benchdb.runs.cells.cell import Cell
from benchdb.runs.models import Result

TestMetric = tuple[str, str]  # test, metric
Surfaces = Mapping[str, Sequence[TestMetric]]  # by run id


def surface_links(
    content: Mapping[str, Any], surfaces: Surfaces, shown: Collection[object]
) -> dict[str, dict[str, Any]]:
    """By run id `{own, beside}`: addresses of its surface, and of both surfaces if the baseline has the same one.

    `beside` is `{href, label}` with the baseline's label, or None. `shown` are the metrics of the table.
    """
    lines = [line for line in content["run_list"] if line["id"] in surfaces]
    if not lines:
        return {}
    baseline = next((line for line in lines if line["label"] == content["baseline"]), lines[0])
    return {line["id"]: _links(line, baseline, surfaces, shown) for line in lines}


def _links(
    line: Mapping[str, Any], baseline: Mapping[str, Any], surfaces: Surfaces, shown: Collection[object]
) -> dict[str, Any]:
    run, baseline_run = line["id"], baseline["id"]
    common = [key for key in surfaces[run] if key in surfaces[baseline_run]]
    both = run != baseline_run and common
    return {
        "own": _address([run], _best(surfaces[run], shown)),
        "beside": {"href": _address([baseline_run, run], _best(common, shown)), "label": baseline["label"]}
        if both
        else None,
    }


def _best(keys: Sequence[TestMetric], shown: Collection[object]) -> TestMetric:
    """The first pair with a metric of the table, if possible, and preferably of throughput."""
    return min(keys, key=lambda key: (key[1] not in shown, key[1] != "throughput"))


def cell_surface(cell: Cell, baseline: str | None, surfaces: Surfaces) -> str | None:
    """The surface with this cell, beside that of the run `baseline`; None if there is none."""
    run, key = cell["runs"][0], (cell["test"], cell["metric"])
    if key not in surfaces.get(run, ()):
        return None
    both = baseline is not None and baseline != run and key in surfaces.get(baseline, ())
    fragment = f"#place={cell['file_size']},{cell['record_size']}" if cell["file_size"] and cell["record_size"] else ""
    return f"{_address([baseline, run] if baseline and both else [run], key)}{fragment}"


def _address(runs: Sequence[str], key: TestMetric) -> str:
    return f"{reverse('surface')}?{SurfaceSelection(tuple(map(UUID, runs)), *key).query()}"


def surfaces_of(runs: Sequence[str]) -> dict[str, list[TestMetric]]:
    """(test, metric) of all results in two file sizes and two record sizes or more, by run id. One query."""
    rows = (
        Result.objects.filter(
            run__in=map(UUID, runs), parse=F("run__runstate__current_parse"), record_size__isnull=False
        )
        .values_list("run_id", "test", "metric")
        .annotate(files=Count("file_size", distinct=True), records=Count("record_size", distinct=True))
        .filter(files__gt=1, records__gt=1)
    )
    pairs_of: dict[str, list[TestMetric]] = {}
    for run, test, metric, _, _ in rows.order_by("run_id", "test", "metric"):
        pairs_of.setdefault(str(run), []).append((test, metric))
    return pairs_of
