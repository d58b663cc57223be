"""The results on the page of a run: at first 200, the largest files first; the others by links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from urllib.parse import urlencode

import numpy as np

from benchagent.formats.vocabulary import METRICS
from benchdb.runs.quantities.columns import BoolArray, numbered
from benchdb.wording.numbers import say_number
from benchdb.wording.sizes import print_size, say_size
from benchdb.wording.words import metric_label

from .latencies import LATENCY, quantity_of
from .outline import Outline
from .results import TIMES

PLACE = ("file_size", "record_size", "threads", "params")  # what makes a row of a table, as `results.place_of`
MOST_FIRST = 200  # results
MOST_AT_ONCE = 1500  # results on a page of all
MOST_SIZES = 100  # offered


def part_of_results(
    outline: Outline, address: str, parameters: Mapping[str, str]
) -> tuple[BoolArray, dict[str, object] | None]:
    """The results to show, as a mask (R,), and which part they are unless nothing was chosen and these are all.

    `parameters` may have `results` (all), `size` (of a file), `metric`, `from` (a row, counted from 1) and `unit`.
    Impossible values count as missing. The times of whole steps are few and always included.
    """
    having, everything = outline.quantities.having, outline.quantities.everything()
    most = MOST_AT_ONCE if parameters.get("results") == "all" else MOST_FIRST
    of_steps = [("metric", TIMES), ("file_size", [None]), ("record_size", [None]), ("params", ["{}"])]
    steps = np.logical_and.reduce([having(name, values) for name, values in of_steps])
    if steps.sum() > MOST_FIRST:  # too many to be steps of a tool
        steps = ~everything
    sizes = {_name(size): size for size in outline.quantities.counts("file_size", ~steps)}
    size = parameters.get("size", "") if parameters.get("size") in sizes else ""
    of_size = ~steps & (having("file_size", [sizes[size]]) if size else everything)
    counts = _quantities(outline, of_size)
    metric = parameters.get("metric", "") if parameters.get("metric") in counts else ""
    kept = [metric] if metric else _fitting(counts, most)
    chosen = {"size": size, "metric": metric, "results": "all" if most == MOST_AT_ONCE else ""}
    link = partial(_href, address, chosen | {"unit": parameters.get("unit", "")})
    shown = of_size & having("metric", [each for each in METRICS if quantity_of(each) in kept])
    rows: dict[str, str | None] = {"rows": "", "earlier": None, "later": None}
    if shown.sum() > most:
        shown, rows = _some_rows(outline, shown, most, parameters.get("from", ""), link)
    count, total = int((shown | steps).sum()), len(outline.ordinals)
    if count == total and not any(chosen.values()):
        return everything, None
    parts = [size and _say(sizes[size]), metric and _label(metric), rows["rows"]]
    # The context of runs/part.html; `earlier` and `later` are None if there is no such page. `scope` names the part:
    # `512 MiB, throughput`. `others` are links to quantities that are left out, `fields` choices of runs/run.html,
    # `kept` parameters that these choices keep. `whole` is the address of all results, or of as many as fit on a page.
    return shown | steps, {
        **rows,
        "scope": ", ".join(filter(None, parts)),
        "here": f"{say_number(count, 0)} of {say_number(total, 0)} results",
        "others": [
            {"text": _label(name), "count": say_number(count, 0), "href": link(metric=name)}
            for name, count in counts.items()
            if name not in kept
        ],
        "at_once": "all" if total <= MOST_AT_ONCE else f"{say_number(MOST_AT_ONCE, 0)} at once",
        "whole": link(size="", metric="", results="all") if count < total and most == MOST_FIRST else None,
        "fields": [
            _field("size", "file size", [(name, _say(sizes[name])) for name in _largest_first(sizes)], size),
            _field("metric", "quantity", [(name, _label(name)) for name in _quantities(outline, ~steps)], metric),
        ],
        "kept": [("results", "all")] if most == MOST_AT_ONCE else [],
    }


def _quantities(outline: Outline, mask: BoolArray) -> dict[str, int]:
    """How many of these results each quantity has: throughput first, latencies last."""
    counts: Counter[str] = Counter()
    of_metrics = outline.quantities.counts("metric", mask)
    for metric in sorted(of_metrics, key=lambda metric: (quantity_of(metric) == LATENCY, [*METRICS].index(metric))):
        counts[quantity_of(metric)] += of_metrics[metric]
    return counts


def _fitting(counts: Mapping[str, int], most: int) -> list[str]:
    """The first quantity, and those after it that together have at most so many results."""
    kept: list[str] = []
    for name, count in counts.items():
        if not kept or sum(counts[each] for each in kept) + count <= most:
            kept.append(name)
    return kept


def _href(address: str, chosen: Mapping[str, str], **others: str) -> str:
    pairs = {name: value for name, value in {**chosen, **others}.items() if value}
    return f"{address}?{urlencode(pairs)}#results"


def _some_rows(
    outline: Outline, shown: BoolArray, most: int, start: str, link: Callable[..., str]
) -> tuple[BoolArray, dict[str, str | None]]:
    """These results in as many rows of a table as fit on a page, with the row `start` (from 1) among them; these rows
    in words, and the addresses of the pages before and after. The rows of the largest files are the first.
    """
    places = np.flatnonzero(shown)
    columns = [outline.column(name) for name in PLACE]
    number, first_of = numbered([column.codes[places] for column in columns])
    sizes = np.array([-1 if size is None else size for size in columns[0].values])[columns[0].codes[places[first_of]]]
    rank = np.empty(len(first_of), dtype=np.int64)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(first_of))
    count = len(first_of)
    height = max(1, most * count // len(places))
    first = _first(start, height, count)
    last = min(first + height, count)
    kept = np.zeros_like(shown)
    kept[places[(rank[number] >= first) & (rank[number] < last)]] = True
    return kept, {
        "rows": f"rows {say_number(first + 1, 0)} to {say_number(last, 0)} of {say_number(count, 0)}",
        "earlier": link(**{"from": str(first + 1 - height)}) if first else None,
        "later": link(**{"from": str(last + 1)}) if last < count else None,
    }


def _first(text: str, rows: int, places: int) -> int:
    """The first row, from 0, of the page with this row; of the first page if no number, of the last if too large."""
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 1
    return (min(max(number, 1), places) - 1) // rows * rows


def _field(name: str, label: str, values: Sequence[tuple[str, str]], chosen: str) -> dict[str, object]:
    """A menu of runs/run.html."""
    options = [{"value": value, "text": text, "selected": value == chosen} for value, text in [("", "all"), *values]]
    return {"name": name, "label": label, "options": options}


def _largest_first(sizes: Mapping[str, int | None]) -> list[str]:
    return sorted(sizes, key=lambda name: -1 if sizes[name] is None else sizes[name] or 0, reverse=True)[:MOST_SIZES]


def _name(size: int | None) -> str:
    """The value of the parameter `size`."""
    return "none" if size is None else print_size(size)


def _say(size: int | None) -> str:
    return "no file" if size is None else say_size(size)


def _label(quantity: str) -> str:
    return quantity if quantity == LATENCY else metric_label(quantity)
