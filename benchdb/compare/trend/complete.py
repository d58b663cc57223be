"""Completes the selection of a trend: chooses the test, metric, sizes and threads that the reader left open."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

from benchagent.formats.vocabulary import METRICS
from benchdb.compare.query.dimension_values import in_order
from benchdb.compare.query.dimensions import DIMENSIONS, DimensionValue
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.runs.listing.headlines import main_metric
from benchdb.runs.queries import Available
from benchdb.wording.units import default_unit, possible
from benchdb.wording.words import metric_label, params_in_words

from .selection import TrendSelection

Menus = dict[str, Sequence[DimensionValue]]  # the possible values by parameter

LABELS = {
    "metric": "metric",
    "params": "with",
    **{name: DIMENSIONS[name].label for name in ("test", "file_size", "record_size", "threads")},
}


def complete(selection: TrendSelection, available: Sequence[Available]) -> tuple[TrendSelection, Menus]:
    """The selection with nothing left open, and the possible values of each parameter.

    An open parameter gets the value that most runs have: throughput or rate, the largest file and record, the fewest
    threads. Raises ImpossibleSelection with the possible values.
    """
    if not available:
        raise ImpossibleSelection(["These runs have no results yet."])
    rows = list(available)
    menus: Menus = {}
    metric = selection.metric or None
    if metric is None:
        of_test = [row for row in rows if selection.test in ("", row.test)]
        metric = main_metric((row.metric, row.test) for row in of_test or rows)
    wanted = {"metric": metric, "test": selection.test or None, "file_size": selection.file_size}
    wanted |= {"record_size": selection.record_size, "threads": selection.threads}
    for name, value in wanted.items():
        menus[name] = _values(rows, name)
        chosen = _chosen(rows, name, value)
        rows = [row for row in rows if getattr(row, name) == chosen]
    of_result = rows[0]  # all rows that are left agree in everything that was chosen
    units = possible(METRICS[of_result.metric].unit)
    if selection.unit and selection.unit not in units:
        raise ImpossibleSelection(
            [f"{of_result.metric} cannot be shown in {selection.unit!r}; possible are {', '.join(units)}."]
        )
    completed = selection.replace(
        metric=of_result.metric,
        test=of_result.test,
        file_size=of_result.file_size,
        record_size=of_result.record_size,
        threads=of_result.threads,
        unit=selection.unit or default_unit(of_result.metric),
    )
    return completed, {**menus, "unit": units}


def _chosen(rows: Sequence[Available], name: str, value: DimensionValue) -> DimensionValue:
    """`value`, or if it is None the value that most runs have."""
    weights: Counter[DimensionValue] = Counter()
    for row in rows:
        weights[getattr(row, name)] = max(weights[getattr(row, name)], row.runs)
    if value is None:
        sign = {"file_size": 1, "record_size": 1, "threads": -1}.get(name, 0)
        return max(weights, key=lambda one: (weights[one], sign * one if isinstance(one, int) else 0))
    if value not in weights:
        possible = ", ".join(say(name, candidate) for candidate in _values(rows, name))
        raise ImpossibleSelection([f"No result has {LABELS[name]} {say(name, value)}; possible are {possible}."])
    return value


def _values(rows: Sequence[Available], name: str) -> list[DimensionValue]:
    """The values: sizes and threads sorted, with None last; tests and metrics in the order of the documents."""
    values: list[DimensionValue] = list(dict.fromkeys(getattr(row, name) for row in rows))
    return values if name in ("test", "metric") else in_order(values)


def say(name: str, value: DimensionValue) -> str:
    """The value for people; `params` as JSON, as the selection has them."""
    if name == "params":
        return ", ".join(params_in_words(json.loads(str(value)))) or "nothing else"
    return metric_label(str(value)) if name == "metric" else DIMENSIONS[name].print(value)
