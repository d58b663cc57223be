"""The facets by which runs can be filtered: facts, and what may change of a run. The name is the parameter of a query.

The names are those of the dimensions of a comparison (docs/comparisons.md), so that filters are the same in both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from benchdb.facts.dimension import Dimension, DimensionValue
from benchdb.facts.fact import Fact, Filter
from benchdb.facts.registry import FACTS

NO_MACHINES: Mapping[str, str] = {}


@dataclass(frozen=True)
class Facet(Dimension):
    """A dimension of lists; `column` is SQL over the tables of `facet_rows`, for a value or with `many` for an array.

    `at_run`: the value may differ between runs that share a row of `Facets`, and `counting` reads it from their states.
    """

    column: str = ""
    group: str = "Run"
    many: bool = False
    at_run: bool = False

    def on_page(self, value: DimensionValue, machines: Mapping[str, str] = NO_MACHINES) -> str:
        """The text of a value on pages; `machines` are the names of machines by id."""
        if self.name == "machine" and isinstance(value, str):
            return machines.get(value, f"machine {value}")
        return self.print(value)


def _facet(fact: Fact, of: Filter) -> Facet:
    """The facet of a fact."""
    name, label, absent = of.name or fact.name, of.label or fact.label, of.absent or fact.absent
    return Facet(name, label, None, fact.kind, fact.say, absent, column=fact.sql, group=of.group, many=of.many)


_ALL = (
    *(_facet(fact, fact.filter) for fact in FACTS if fact.filter is not None),
    Facet("label", "label", absent="no label", many=True, at_run=True),
    Facet("state", "state", at_run=True),
    Facet("visibility", "visibility", at_run=True),
    Facet("owner", "owner", at_run=True, say=lambda owner: "mine" if owner == "me" else owner),
)
FACETS = {facet.name: facet for facet in _ALL}
# Facets that also take a range: `memory_min`, `memory_max`.
RANGES = ("memory", "raid_chunk")
