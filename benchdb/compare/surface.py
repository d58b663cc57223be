"""Record size × file size of one test in one run, as a grid with holes where nothing was measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchagent.formats.vocabulary import METRICS, test_label
from benchdb.runs.cells import cells_of_run
from benchdb.runs.grids import grids
from benchdb.runs.models import Run
from benchdb.runs.queries import Measured
from benchdb.runs.sizes import say_size
from benchdb.runs.units import UNITS

SCHEMA = "benchdb.surface/1"


class NoSurface(ValueError):
    """These results make no surface; the message says why and what would."""


def build_surface(run: Run, results: Sequence[Measured], test: str, metric: str, unit: str) -> dict[str, Any]:
    """The surface as JSON: `cells[i][j]` is file size i, record size j; null is a hole.

    Raises NoSurface where the run has no grid of this test and metric.
    """
    possible = grids(results)
    if (test, metric) not in possible:
        names = ", ".join(f"{t} ({m})" for t, m in possible) or "none; it takes two record sizes and two file sizes"
        raise NoSurface(f"This run has no surface of {test} {metric}. Possible are {names}.")
    measured = possible[test, metric]
    shown = UNITS[unit]
    sizes = [(result.file_size, result.record_size) for result in measured]
    place = dict(zip(sizes, cells_of_run(measured, shown, run), strict=True))
    file_sizes = sorted({size for size, _ in place if size})
    record_sizes = sorted({size for _, size in place if size})
    cells = [[place.get((file_size, record_size)) for record_size in record_sizes] for file_size in file_sizes]
    return {
        "schema": SCHEMA,
        "title": f"{test_label(test)}: record size × file size",
        "subtitle": f"{run.tool} · {run.target.file_system or 'unknown file system'} · {run.machine.name}",
        "test": test,
        "label": test_label(test),
        "metric": metric,
        "higher_is_better": METRICS[metric].higher_is_better,
        "unit": unit,
        "per": shown.per,
        "runs": [str(run.id)],
        "rounds": run.round_count,
        "file_sizes": file_sizes,
        "file_labels": [say_size(size) for size in file_sizes],
        "record_sizes": record_sizes,
        "record_labels": [say_size(size) for size in record_sizes],
        "cells": cells,
        "marks": marks(run),
    }


def marks(run: Run) -> list[dict[str, Any]]:
    """Where the caches of the CPU and the memory end: lines on the axes of a surface, sizes in bytes."""
    facts = run.environment.facts
    found = {
        f"L{cache['level']}": cache["size"]
        for cache in facts["cpu"].get("caches", [])
        if cache.get("size") and cache.get("type") != "instruction"
    }
    memory = facts["memory"].get("usable") or facts["memory"].get("total")
    if memory:
        found["memory"] = memory
    return [{"label": label, "bytes": size, "axis": "file_size"} for label, size in found.items()]


def chart_data(surface: dict[str, Any]) -> dict[str, Any]:
    """What the chart in the browser reads: plain grids of numbers in the shown unit, null where there is none."""

    def grid(field: str, per: float) -> list[list[float | None]]:
        return [
            [None if cell is None or cell[field] is None else cell[field] / per for cell in row]
            for row in surface["cells"]
        ]

    keys = ("test", "label", "metric", "unit", "record_sizes", "file_sizes", "marks", "higher_is_better")
    return {
        **{key: surface[key] for key in keys},
        "mean": grid("mean", surface["per"]),
        "sd": grid("sd", surface["per"]),
        "n": grid("n", 1),
        "status": [[cell and cell["status"] for cell in row] for row in surface["cells"]],
    }
