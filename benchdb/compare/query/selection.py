"""The selection of a table: its runs and axes. It holds only the URL's query string; parse and print are inverse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self
from urllib.parse import urlencode
from uuid import UUID

from django.http import QueryDict

from benchdb.runs.listing.search import MOST_CHOSEN
from benchdb.stats import Correction

from .errors import ImpossibleSelection
from .parameters import SelectionReader, print_names

MOST_RUNS = MOST_CHOSEN
NO_SPLIT = "none"  # one table, although BenchDB would split by record size
AXES = ("rows", "columns", "split")
STATISTICS = ("mean", "median", "minimum", "maximum")
CORRECTIONS = (Correction.BENJAMINI_HOCHBERG.value, Correction.HOLM.value)
MARGIN = 0.05
# The parameters that are no dimensions, and run and campaign, which choose the runs but can also be an axis.
PARAMETERS = ("run", "campaign", *AXES, "factor", "unit", "baseline", "statistic", "margin", "correction", "sort")


@dataclass(frozen=True)
class Selection:
    """The parameters of a table; BenchDB chooses empty ones from the values of the runs (`table.complete`).

    `rows`, `columns`, `split` and `factor` are names of dimensions; a split of NO_SPLIT is none. `filters` are the
    selected values of dimensions, as the query string has them and in its order. `margin` is a share: 0.05 is 5 %.
    `sort` is the label of a column, with a minus before it if the worst row is the first (`table.sorting`).
    """

    runs: tuple[UUID, ...] = ()
    campaigns: tuple[UUID, ...] = ()
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ("test",)
    split: tuple[str, ...] = ()
    factor: tuple[str, ...] = ()
    baseline: str = ""
    units: tuple[str, ...] = ()
    statistic: str = STATISTICS[0]
    margin: float = MARGIN
    correction: str = CORRECTIONS[0]
    sort: str = ""
    filters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def split_names(self) -> tuple[str, ...]:
        """The dimensions of the split; empty if it is not chosen yet."""
        return () if self.split == (NO_SPLIT,) else self.split

    @property
    def axes(self) -> frozenset[str]:
        """The dimensions on the axes of the table, which do not count as differences between its cells."""
        return frozenset((*self.rows, *self.columns, *self.split_names))

    @property
    def factor_names(self) -> tuple[str, ...]:
        """The dimensions compared on purpose: `factor`, or the rows; never the metric, which is not better or worse."""
        chosen = self.factor or self.rows
        axes = (chosen, self.columns, self.split_names)
        return next((rest for names in axes if (rest := tuple(name for name in names if name != "metric"))), ())

    def filter(self, name: str) -> tuple[str, ...]:
        """The selected values of this dimension; empty for all."""
        return self.filters.get(name, ())

    def query(self) -> str:
        """The query string without defaults."""
        return encode(self.pairs())

    def pairs(self) -> list[tuple[str, str]]:
        """The pairs of the query string without defaults."""
        pairs = [("run", str(run)) for run in self.runs] + [("campaign", str(campaign)) for campaign in self.campaigns]
        for name in (*AXES, "factor"):
            if (value := getattr(self, name)) != getattr(_DEFAULT, name):
                pairs.append((name, print_names(value)))
        pairs += [("unit", unit) for unit in self.units]
        for name in ("baseline", "statistic", "margin", "correction", "sort"):
            if (value := getattr(self, name)) != getattr(_DEFAULT, name):
                pairs.append((name, str(value)))
        return pairs + [(name, value) for name, values in self.filters.items() for value in values]

    @classmethod
    def parse(cls, query: str) -> Selection:
        """The selection of a query string. Raises ImpossibleSelection with every fault."""
        return cls.from_query(QueryDict(query))

    @classmethod
    def from_query(cls, query: QueryDict) -> Selection:
        """The selection of Django's parsed query. Raises ImpossibleSelection with every fault."""
        reader = SelectionReader(query)
        selection = cls(
            runs=reader.uuids("run"),
            campaigns=reader.uuids("campaign"),
            rows=reader.names("rows", _DEFAULT.rows),
            columns=reader.names("columns", _DEFAULT.columns),
            split=reader.names("split", _DEFAULT.split, NO_SPLIT),
            factor=reader.names("factor", _DEFAULT.factor),
            baseline=reader.text("baseline"),
            units=reader.units(),
            statistic=reader.choice("statistic", STATISTICS, _DEFAULT.statistic),
            margin=reader.share("margin", MARGIN),
            correction=reader.choice("correction", CORRECTIONS, _DEFAULT.correction),
            sort=reader.text("sort"),
            filters=reader.filters(PARAMETERS),
        )
        if faults := [*reader.faults, *_contradictions(selection)]:
            raise ImpossibleSelection(faults)
        return selection

    def replace(self, **changes: Any) -> Self:
        """The selection with other values in these fields."""
        return replace(self, **changes)


_DEFAULT = Selection()


def _contradictions(selection: Selection) -> list[str]:
    """The faults of combinations of parameters that are possible separately."""
    faults = []
    names = [*selection.rows, *selection.columns, *selection.split_names]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        text = "rows, columns and split must be three different dimensions or groups of dimensions"
        faults.append(f"{text}; {', '.join(twice)} is given twice.")
    # A split that is not chosen yet may become the record size.
    possible_factors = {*names, *(() if selection.split else ("record_size",))} - {"metric"}
    # Open rows are chosen so that the factor is among them.
    possible_factors |= {*selection.factor} - {"metric"} if not selection.rows else set()
    if elsewhere := [name for name in selection.factor if name not in possible_factors]:
        possible = ", ".join(name for name in names if name != "metric")
        faults.append(f"factor cannot be {', '.join(elsewhere)}; with these rows and columns possible are {possible}.")
    if len(selection.runs) > MOST_RUNS:
        faults.append(f"{len(selection.runs)} runs are more than a table can hold; choose {MOST_RUNS} at most.")
    return faults


def encode(pairs: list[tuple[str, str]]) -> str:
    """The pairs as a query string that a person can read: commas, colons and slashes stay as they are."""
    return urlencode(pairs, safe=",:/")
