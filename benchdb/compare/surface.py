"""Record size × file size of one test in one run, as a grid with holes where nothing was measured."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import urlencode
from uuid import UUID

from django.http import QueryDict

from benchagent.formats.vocabulary import METRICS, test_label
from benchdb.runs.cells import cells_of_run
from benchdb.runs.grids import grids
from benchdb.runs.models import Run
from benchdb.runs.queries import Measured, results_of
from benchdb.runs.sizes import say_size
from benchdb.runs.units import UNITS, Unit, default_unit, possible
from benchdb.stats import STATISTICS_VERSION

from .selection import ImpossibleSelection, NothingThere

SCHEMA = "benchdb.surface/1"


@dataclass(frozen=True)
class SurfaceSelection:
    """Which surface: the query string of its page. An empty test is the first one that the run has a surface of."""

    run: UUID
    test: str = ""
    metric: str = "throughput"
    unit: str = ""

    @classmethod
    def parse(cls, query: str) -> Self:
        """The selection of a query string. Raises ImpossibleSelection."""
        return cls.from_query(QueryDict(query))

    @classmethod
    def from_query(cls, query: QueryDict) -> Self:
        """The selection of Django's parsed query. Raises ImpossibleSelection with every fault."""
        faults = []
        run_id, metric = UUID(int=0), query.get("metric") or "throughput"
        try:
            run_id = UUID(query.get("run", ""))
        except ValueError:
            faults.append("Name a run: run=ID, as in the addresses of runs.")
        if metric not in METRICS:
            faults.append(f"metric cannot be {metric!r}; possible are {', '.join(METRICS)}.")
        elif (unit := query.get("unit")) and unit not in possible(METRICS[metric].unit):
            units = ", ".join(possible(METRICS[metric].unit))
            faults.append(f"{metric} cannot be shown in {unit!r}; possible are {units}.")
        if unknown := sorted(set(query) - {"run", "test", "metric", "unit"}):
            faults.append(f"There is no parameter {', '.join(unknown)}; possible are run, test, metric, unit.")
        if faults:
            raise ImpossibleSelection(faults)
        return cls(run_id, query.get("test") or "", metric, query.get("unit") or "")

    def query(self) -> str:
        """The query string."""
        pairs = [("run", str(self.run)), ("test", self.test), ("metric", self.metric), ("unit", self.unit)]
        return urlencode([pair for pair in pairs if pair[1]])


def evaluate_surface(selection: SurfaceSelection, reader: Any) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """The surface as JSON, and the (test, metric) pairs of all surfaces of the run. Two queries.

    Raises NothingThere where there is no such run for this reader, ImpossibleSelection where it has no such surface.
    """
    run = Run.objects.visible_to(reader).with_context().filter(pk=selection.run).first()
    if run is None:
        raise NothingThere([f"There is no run {selection.run} that you may see."])
    found = grids(results_of(run))
    test = selection.test or next((test for test, metric in found if metric == selection.metric), "")
    if (test, selection.metric) not in found:
        names = ", ".join(f"{t} ({m})" for t, m in found) or "none; it takes two record sizes and two file sizes"
        raise ImpossibleSelection(
            [f"This run has no surface of {test or 'any test'} ({selection.metric}). Possible are {names}."]
        )
    unit = selection.unit or default_unit(selection.metric)
    return build_surface(run, found[test, selection.metric], UNITS[unit]), list(found)


def build_surface(run: Run, measured: Sequence[Measured], shown: Unit) -> dict[str, Any]:
    """The surface of these results of one test: `cells[i][j]` is file size i, record size j; null is a hole."""
    test, metric = measured[0].test, measured[0].metric
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
        "unit": shown.name,
        "base_unit": shown.base,
        "per": shown.per,
        "runs": [str(run.id)],
        "rounds": run.round_count,
        "command": shlex.join(run.command),
        "query": SurfaceSelection(run.id, test, metric, shown.name).query(),
        "computing": [str(run.id)] if run.runstate.state in ("received", "computing") else [],
        "statistics_version": STATISTICS_VERSION,
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
