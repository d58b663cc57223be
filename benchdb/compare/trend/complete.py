"""Completes the selection of a trend: chooses the test, metric, sizes and threads that the reader left open."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from benchagent.formats.vocabulary import METRICS
from benchdb.compare.query.dimension_values import in_order
from benchdb.compare.query.dimensions import DIMENSIONS
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.facts.dimension import DimensionValue
from benchdb.runs.listing.headlines import main_metric
from benchdb.runs.quantities.columns import BoolArray, Quantities
from benchdb.wording.units import default_unit, possible
from benchdb.wording.words import metric_label, params_in_words

from .selection import TrendSelection

Menus = dict[str, Sequence[DimensionValue]]  # the possible values by parameter

LABELS = {
    "metric": "metric",
    "params": "with",
    **{name: DIMENSIONS[name].label for name in ("test", "file_size", "record_size", "threads")},
}


def complete(selection: TrendSelection, quantities: Quantities) -> tuple[TrendSelection, Menus, BoolArray]:
    """The selection with nothing left open, the possible values of each parameter, and the mask of what is chosen.

    An open parameter gets the value that most runs have: throughput or rate, the largest file and record, the fewest
    threads. Raises ImpossibleSelection with the possible values.
    """
    if not len(quantities):
        raise ImpossibleSelection(["These runs have no results yet."])
    left = quantities.everything()
    wanted: dict[str, DimensionValue] = {
        "metric": selection.metric or _main_metric(selection, quantities),
        "test": selection.test or None,
        **{name: getattr(selection, name) for name in ("file_size", "record_size", "threads")},
    }
    menus: Menus = {}
    chosen: dict[str, DimensionValue] = {}
    for name, value in wanted.items():
        weights = quantities.weights(name, left)
        menus[name] = _values(name, weights)
        chosen[name] = _chosen(name, value, weights)
        left = left & quantities.having(name, [chosen[name]])
    metric = str(chosen["metric"])
    units = possible(METRICS[metric].unit)
    if selection.unit and selection.unit not in units:
        raise ImpossibleSelection([f"{metric} cannot be shown in {selection.unit!r}; possible are {', '.join(units)}."])
    completed = selection.replace(**chosen, unit=selection.unit or default_unit(metric))
    return completed, {**menus, "unit": units}, left


def _main_metric(selection: TrendSelection, quantities: Quantities) -> str | None:
    of_test = quantities.having("test", [selection.test]) if selection.test else quantities.everything()
    pairs = quantities.combinations(("metric", "test"), of_test if of_test.any() else quantities.everything())
    return main_metric((str(metric), str(test)) for metric, test in pairs)


def _chosen(name: str, value: DimensionValue, weights: Mapping[DimensionValue, int]) -> DimensionValue:
    """`value`, or if it is None the value that most runs have; `weights` are the numbers of runs by value."""
    if value is None:
        sign = {"file_size": 1, "record_size": 1, "threads": -1}.get(name, 0)
        return max(weights, key=lambda one: (weights[one], sign * one if isinstance(one, int) else 0))
    if value not in weights:
        possible = ", ".join(say(name, candidate) for candidate in _values(name, weights))
        raise ImpossibleSelection([f"No result has {LABELS[name]} {say(name, value)}; possible are {possible}."])
    return value


def most_frequent(texts: Iterable[str]) -> str:
    """The text that most of them are, of equally many the first. Takes time in proportion to their number."""
    return Counter(texts).most_common(1)[0][0]


def _values(name: str, values: Iterable[DimensionValue]) -> list[DimensionValue]:
    """The values: sizes and threads sorted, with None last; tests and metrics in the order of the documents."""
    return list(values) if name in ("test", "metric") else in_order(values)


def say(name: str, value: DimensionValue) -> str:
    """The value for people; `params` as JSON, as the selection has them."""
    if name == "params":
        return ", ".join(params_in_words(json.loads(str(value)))) or "nothing else"
    return metric_label(str(value)) if name == "metric" else DIMENSIONS[name].print(value)
