"""Completes the selection of a trend: chooses the test, metric, sizes and threads that the reader left open."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from benchagent.formats.vocabulary import METRICS
from benchdb.compare.query.dimension_values import AvailableRow
from benchdb.compare.query.dimensions import DIMENSIONS
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.runs.listing.headlines import main_metric
from benchdb.wording.units import default_unit, possible
from benchdb.wording.words import metric_label, params_in_words

from .selection import TrendSelection

Menus = dict[str, list[Any]]

LABELS = {
    "metric": "metric",
    "params": "with",
    **{name: DIMENSIONS[name].label for name in ("test", "file_size", "record_size", "threads")},
}


def complete(selection: TrendSelection, available: Sequence[AvailableRow]) -> tuple[TrendSelection, Menus]:
    """The selection with nothing left open, and the possible values of each parameter.

    `available` is the result of `runs.queries.available`. An open parameter gets the value that most runs have:
    throughput or rate, the largest file and record, the fewest threads. Raises ImpossibleSelection with the possible
    values.
    """
    if not available:
        raise ImpossibleSelection(["These runs have no results yet."])
    rows, menus = list(available), {}
    chosen: AvailableRow = {}
    metric = selection.metric or None
    if metric is None:
        of_test = [row for row in rows if selection.test in ("", row["test"])]
        metric = main_metric((row["metric"], row["test"]) for row in of_test or rows)
    wanted = {"metric": metric, "test": selection.test or None, "file_size": selection.file_size}
    wanted |= {"record_size": selection.record_size, "threads": selection.threads}
    for name, value in wanted.items():
        menus[name] = _values(rows, name)
        chosen[name] = _chosen(rows, name, value)
        rows = [row for row in rows if row[name] == chosen[name]]
    units = possible(METRICS[chosen["metric"]].unit)
    if selection.unit and selection.unit not in units:
        raise ImpossibleSelection(
            [f"{chosen['metric']} cannot be shown in {selection.unit!r}; possible are {', '.join(units)}."]
        )
    unit = selection.unit or default_unit(chosen["metric"])
    return selection.replace(**chosen, unit=unit), {**menus, "unit": list(units)}


def _chosen(rows: Sequence[AvailableRow], name: str, value: Any) -> Any:
    """`value`, or if it is None the value that most runs have."""
    weights: Counter[Any] = Counter()
    for row in rows:
        weights[row[name]] = max(weights[row[name]], row["runs"])
    if value is None:
        order: Callable[[Any], float] = {
            "file_size": lambda size: size or 0,
            "record_size": lambda size: size or 0,
            "threads": lambda threads: -(threads or 0),
        }.get(name, lambda _: 0)
        return max(weights, key=lambda candidate: (weights[candidate], order(candidate)))
    if value not in weights:
        possible = ", ".join(say(name, candidate) for candidate in _values(rows, name))
        raise ImpossibleSelection([f"No result has {LABELS[name]} {say(name, value)}; possible are {possible}."])
    return value


def _values(rows: Sequence[AvailableRow], name: str) -> list[Any]:
    """The values: sizes and threads sorted, with None last; tests and metrics in the order of the documents."""
    values = list(dict.fromkeys(row[name] for row in rows))
    if name in ("test", "metric"):
        return values
    return [*sorted(value for value in values if value is not None), *(None for value in values if value is None)]


def say(name: str, value: Any) -> str:
    """The value for people; `params` as JSON, as the selection has them."""
    if name == "params":
        return ", ".join(params_in_words(json.loads(value))) or "nothing else"
    return metric_label(value) if name == "metric" else DIMENSIONS[name].print(value)
