"""The selection of a surface. It holds only the query string of its page; parse and print are inverse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self
from urllib.parse import urlencode
from uuid import UUID

from django.http import QueryDict

from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.query.parameters import SelectionReader

MOST_RUNS = 8
# The statistics that a surface can show of each cell, with their labels.
STATISTICS = {"mean": "mean", "sd": "standard deviation", "cv": "CV (sd ÷ mean)"}
COLOURS = ("all", "device")  # the cells that the scale of colours spans
PARAMETERS = ("run", "test", "metric", "unit", "statistic", "colours")


@dataclass(frozen=True)
class SurfaceSelection:
    """The parameters of a surface; BenchDB chooses an empty test, metric or unit from the results of the runs."""

    runs: tuple[UUID, ...]
    test: str = ""
    metric: str = ""
    unit: str = ""
    statistic: str = "mean"
    colours: str = "all"

    @classmethod
    def parse(cls, query: str) -> Self:
        """The selection of a query string. Raises ImpossibleSelection with every fault."""
        return cls.from_query(QueryDict(query))

    @classmethod
    def from_query(cls, query: QueryDict) -> Self:
        """The selection of Django's parsed query. Raises ImpossibleSelection with every fault."""
        reader = SelectionReader(query)
        runs = reader.uuids("run")
        metric = reader.metric()
        unit = reader.unit_of(metric)
        statistic = reader.choice("statistic", [*STATISTICS], "mean")
        colours = reader.choice("colours", COLOURS, "all")
        reader.refuse_unknown(PARAMETERS)
        if not runs and not any(reader.texts("run")):
            reader.faults.append("Name a run: run=ID, as in the addresses of runs; further run=ID compare with it.")
        if len(runs) > MOST_RUNS:
            reader.faults.append(f"{len(runs)} runs cannot be shown as surfaces; name {MOST_RUNS} at most.")
        if reader.faults:
            raise ImpossibleSelection(reader.faults)
        return cls(runs, reader.text("test"), metric, unit, statistic, colours)

    def query(self) -> str:
        """The query string, without open parameters and defaults."""
        pairs = [("test", self.test), ("metric", self.metric), ("unit", self.unit)]
        chosen = [("statistic", self.statistic)] if self.statistic != "mean" else []
        chosen += [("colours", self.colours)] if self.colours != "all" else []
        return urlencode([("run", str(run)) for run in self.runs] + [pair for pair in pairs if pair[1]] + chosen)
