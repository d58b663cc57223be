"""The results on the page of a run: all of them, or of very many only one metric, in pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from benchdb.wording.numbers import say_number
from benchdb.wording.words import metric_label

from .results import ResultCell, place_of, steps_and_rest

ByMetric = dict[str, list[ResultCell]]

MOST_CELLS = 800  # of all tables of a page: a grid of iozone's thirteen tests with 60 rows


@dataclass(frozen=True, slots=True)
class MetricLink:
    """A metric with its number of results."""

    text: str
    count: str
    href: str
    current: bool


@dataclass(frozen=True, slots=True)
class PartOfResults:
    """The context of runs/part.html; `earlier` and `later` are None if there is no such page."""

    metrics: Sequence[MetricLink]
    rows: str
    whole: str
    earlier: str | None
    later: str | None
    metric: str


def part_of_results(
    by_metric: Mapping[str, Sequence[ResultCell]], address: str, parameters: Mapping[str, str]
) -> tuple[ByMetric, PartOfResults | None]:
    """The results to show, and which part they are unless these are all results.

    `parameters` may have `metric`, `from` (a row, counted from 1) and `unit`. Impossible values count as missing, and
    the default is the beginning. The times of whole steps are few and always included.
    """
    if sum(map(len, by_metric.values())) <= MOST_CELLS:
        return {metric: list(items) for metric, items in by_metric.items()}, None
    shown, rest = steps_and_rest(by_metric)
    if sum(map(len, shown.values())) > MOST_CELLS:  # too many to be steps of a tool
        shown, rest = {}, {metric: list(items) for metric, items in by_metric.items()}
    chosen = parameters.get("metric", "")
    chosen = chosen if chosen in rest else _main(rest)
    of_metric = rest[chosen]
    places = list(dict.fromkeys(place_of(item.result) for item in of_metric))
    rows = max(1, MOST_CELLS // len({item.result.test for item in of_metric}))
    first = _first(parameters.get("from", ""), rows, len(places))
    kept = set(places[first : first + rows])
    shown[chosen] = [*shown.get(chosen, []), *(item for item in of_metric if place_of(item.result) in kept)]

    def href(metric: str, row: int = 1) -> str:
        pairs = {"metric": metric, "from": str(row) if row > 1 else "", "unit": parameters.get("unit", "")}
        return f"{address}?{urlencode({name: value for name, value in pairs.items() if value})}#results"

    last = min(first + rows, len(places))
    return shown, PartOfResults(
        metrics=[
            MetricLink(metric_label(name), say_number(len(items), 0), href(name), current=name == chosen)
            for name, items in rest.items()
        ],
        rows=f"rows {say_number(first + 1, 0)} to {say_number(last, 0)} of {say_number(len(places), 0)}",
        whole=f"{say_number(sum(map(len, by_metric.values())), 0)} results",
        earlier=href(chosen, first + 1 - rows) if first else None,
        later=href(chosen, last + 1) if last < len(places) else None,
        metric=chosen,
    )


def _first(text: str, rows: int, places: int) -> int:
    """The first row, from 0, of the page with this row; of the first page if no number, of the last if too large."""
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 1
    return (min(max(number, 1), places) - 1) // rows * rows


def _main(by_metric: Mapping[str, Sequence[ResultCell]]) -> str:
    """The default metric: throughput, or the first in the document."""
    return "throughput" if "throughput" in by_metric else next(iter(by_metric))
