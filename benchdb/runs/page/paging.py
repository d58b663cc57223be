"""Which part of a run's results its page shows: all; or, where they are many, those of one metric, by pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from benchdb.runs.cells.cell_context import Context
from benchdb.wording.numbers import say_number
from benchdb.wording.words import metric_label

from .results import ResultCell, place_of, steps_and_rest

ByMetric = dict[str, list[ResultCell]]

MOST_CELLS = 800  # of all tables of a page: a grid of iozone's thirteen tests with 60 rows


def part_of_results(
    by_metric: Mapping[str, Sequence[ResultCell]], address: str, asked: Mapping[str, str]
) -> tuple[ByMetric, Context | None]:
    """The results to show, and the context of runs/part.html where that is not all of them.

    `asked` has `metric`, `from` (a row, from 1) and `unit`, each missing or empty where it was left open; what
    cannot be falls back to the beginning. The times of whole steps are few, and always there.
    """
    if sum(map(len, by_metric.values())) <= MOST_CELLS:
        return {metric: list(own) for metric, own in by_metric.items()}, None
    shown, rest = steps_and_rest(by_metric)
    if sum(map(len, shown.values())) > MOST_CELLS:  # no steps that a tool has, whatever the document calls them
        shown, rest = {}, {metric: list(own) for metric, own in by_metric.items()}
    chosen = asked.get("metric", "")
    chosen = chosen if chosen in rest else _main(rest)
    own = rest[chosen]
    places = list(dict.fromkeys(place_of(each.result) for each in own))
    rows = max(1, MOST_CELLS // len({each.result.test for each in own}))
    first = _first(asked.get("from", ""), rows, len(places))
    kept = set(places[first : first + rows])
    shown[chosen] = [*shown.get(chosen, []), *(each for each in own if place_of(each.result) in kept)]

    def href(metric: str, row: int = 1) -> str:
        pairs = {"metric": metric, "from": str(row) if row > 1 else "", "unit": asked.get("unit", "")}
        return f"{address}?{urlencode({name: value for name, value in pairs.items() if value})}#results"

    last = min(first + rows, len(places))
    return shown, {
        "metrics": [
            {
                "text": metric_label(name),
                "count": say_number(len(each), 0),
                "href": href(name),
                "current": name == chosen,
            }
            for name, each in rest.items()
        ],
        "rows": f"rows {say_number(first + 1, 0)} to {say_number(last, 0)} of {say_number(len(places), 0)}",
        "whole": f"{say_number(sum(map(len, by_metric.values())), 0)} results",
        "earlier": href(chosen, first + 1 - rows) if first else None,
        "later": href(chosen, last + 1) if last < len(places) else None,
        "metric": chosen,
    }


def _first(asked: str, rows: int, places: int) -> int:
    """The first row, from 0, of the page with this row; of the first page where it is no number, the last beyond."""
    number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 10 else 1
    return (min(max(number, 1), places) - 1) // rows * rows


def _main(by_metric: Mapping[str, Sequence[ResultCell]]) -> str:
    """The metric that is shown first: throughput, or what comes first in the document."""
    return "throughput" if "throughput" in by_metric else next(iter(by_metric))
