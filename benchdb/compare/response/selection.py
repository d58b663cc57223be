"""The selection of response curves. It holds only the query string of its page; parse and print are inverse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self
from uuid import UUID

from django.http import QueryDict

from benchagent.formats.vocabulary import METRICS
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.query.parameters import SelectionReader, print_names
from benchdb.compare.query.selection import MOST_RUNS, NO_SPLIT, Selection, encode
from benchdb.runs.quantities.loads import THROUGHPUTS

LATENCIES = tuple(name for name in METRICS if name.startswith("latency_") and name != "latency_percentile")
NO_SERIES = "none"  # one curve, although BenchDB would distinguish several
PARAMETERS = ("run", "campaign", "over", "series", "metric", "latency", "unit")


@dataclass(frozen=True)
class ResponseSelection:
    """The parameters of response curves; BenchDB chooses empty ones from the results of the runs.

    `over` is the dimension of the levels of load, `series` those that distinguish the curves, NO_SERIES for none.
    `metric` is throughput or rate, `latency` the metric of the other axis. `filters` are selected values of further
    dimensions, as in tables.
    """

    runs: tuple[UUID, ...] = ()
    campaigns: tuple[UUID, ...] = ()
    over: str = ""
    series: tuple[str, ...] = ()
    metric: str = ""
    latency: str = ""
    units: tuple[str, ...] = ()
    filters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def parse(cls, query: str) -> Self:
        """The selection of a query string. Raises ImpossibleSelection with every fault."""
        return cls.from_query(QueryDict(query))

    @classmethod
    def from_query(cls, query: QueryDict) -> Self:
        """The selection of Django's parsed query. Raises ImpossibleSelection with every fault."""
        reader = SelectionReader(query)
        over = reader.names("over", ())
        series = reader.names("series", (), NO_SERIES)
        selection = cls(
            runs=reader.uuids("run"),
            campaigns=reader.uuids("campaign"),
            over="".join(over[:1]),
            series=series,
            metric=reader.choice("metric", ["", *THROUGHPUTS], ""),
            latency=reader.choice("latency", ["", *LATENCIES], ""),
            units=reader.units(),
            filters=reader.filters(PARAMETERS),
        )
        if len(over) > 1:
            reader.faults.append(f"over is one dimension, not {', '.join(over)}.")
        if twice := sorted({*over} & {*series} | ({"metric", "test"} & {*over, *series})):
            reader.faults.append(f"{', '.join(twice)} cannot be over or series as well.")
        if len(selection.runs) > MOST_RUNS:
            reader.faults.append(f"{len(selection.runs)} runs are too many; choose {MOST_RUNS} at most.")
        if reader.faults:
            raise ImpossibleSelection(reader.faults)
        return selection

    def query(self) -> str:
        """The query string."""
        return encode(self.pairs())

    def pairs(self) -> list[tuple[str, str]]:
        """The pairs of the query string, without open parameters."""
        pairs = [("run", str(run)) for run in self.runs] + [("campaign", str(each)) for each in self.campaigns]
        pairs += [("over", print_names((self.over,)))] if self.over else []
        pairs += [("series", print_names(self.series))] if self.series else []
        pairs += [(name, value) for name in ("metric", "latency") if (value := getattr(self, name))]
        pairs += [("unit", unit) for unit in self.units]
        return pairs + [(name, value) for name, values in self.filters.items() for value in values]

    @property
    def series_names(self) -> tuple[str, ...]:
        """The dimensions that distinguish the curves; empty if they are not chosen yet."""
        return () if self.series == (NO_SERIES,) else self.series

    @property
    def table(self) -> Selection:
        """The table with the same cells: a row a level of each series, a column a metric.

        While the series are open, so are the rows; what distinguishes the runs is then added to the levels.
        """
        metrics = tuple(filter(None, (self.metric, self.latency)))
        return Selection(
            runs=self.runs,
            campaigns=self.campaigns,
            rows=(self.over, *self.series_names) if self.over and self.series else (),
            columns=("metric",),
            split=(NO_SPLIT,),
            factor=(self.over,) if self.over else (),
            units=self.units,
            filters={**self.filters, **({"metric": metrics} if metrics else {})},
        )
