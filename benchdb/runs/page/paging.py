"""The results on the page of a run: all of them, or of many results those of the largest files, in pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlencode

import numpy as np

from benchdb.runs.quantities.columns import BoolArray, numbered
from benchdb.wording.numbers import say_number
from benchdb.wording.sizes import print_size, say_size
from benchdb.wording.words import metric_label

from .latencies import LATENCY, quantity_of
from .outline import Outline
from .results import TIMES

PLACE = ("file_size", "record_size", "threads", "params")  # what makes a row of a table, as `results.place_of`
MOST_WHOLE = 150  # results of a run that has a single page whatever its file sizes
MOST_ROWS = 24  # of several file sizes on one page
MOST_CELLS = 800  # of a page: a grid of iozone's thirteen tests with 60 rows


@dataclass(frozen=True, slots=True)
class _SizePage:
    """Consecutive file sizes, the largest first, that share a page."""

    sizes: Sequence[int | None]
    results: int

    @property
    def name(self) -> str:
        """The value of the parameter `size`."""
        return "none" if self.sizes[0] is None else print_size(self.sizes[0])

    @property
    def text(self) -> str:
        texts = ["no file" if size is None else say_size(size) for size in self.sizes]
        return texts[0] if len(texts) == 1 else f"{texts[0]} to {texts[-1]}"


def part_of_results(
    outline: Outline, address: str, parameters: Mapping[str, str]
) -> tuple[BoolArray, dict[str, object] | None]:
    """The results to show, as a mask (R,), and which part they are unless these are all results.

    `parameters` may have `size` (of a file), `metric`, `from` (a row, counted from 1) and `unit`. Impossible values
    count as missing, and the default is the beginning. The times of whole steps are few and always included.
    """
    having, everything = outline.quantities.having, outline.quantities.everything()
    of_steps = [("metric", TIMES), ("file_size", [None]), ("record_size", [None]), ("params", ["{}"])]
    steps = np.logical_and.reduce([having(name, values) for name, values in of_steps])
    if steps.sum() > MOST_CELLS:  # too many to be steps of a tool
        steps = ~everything
    pages = _size_pages(outline, ~steps)
    if len(outline.ordinals) <= MOST_WHOLE or not pages or (len(pages) == 1 and len(outline.ordinals) <= MOST_CELLS):
        return everything, None
    page = next((page for page in pages if parameters.get("size") == page.name), pages[0])
    shown, chosen = having("file_size", page.sizes) & ~steps, ""
    rows: dict[str, str | None] = {"rows": "", "earlier": None, "later": None}
    link = partial(_href, address, page.name, parameters.get("unit", ""))
    metrics: list[dict[str, object]] = []
    if shown.sum() > MOST_CELLS:
        counts: Counter[str] = Counter()
        for metric, count in outline.quantities.counts("metric", shown).items():
            counts[quantity_of(str(metric))] += count
        chosen = parameters["metric"] if parameters.get("metric") in counts else _main(counts)
        shown, rows = _some_rows(outline, shown, chosen, parameters.get("from", ""), link)
        metrics = [
            {"text": _label(name), "count": say_number(count, 0), "href": link(name), "current": name == chosen}
            for name, count in counts.items()
        ]
    scope = [page.text if len(pages) > 1 else "", _label(chosen), rows["rows"]]
    # The context of runs/part.html; `earlier` and `later` are None if there is no such page. `sizes` and
    # `metrics` are empty if the page has all of them. `scope` names the page: `512 MiB`. `left_out` is a
    # sentence. `kept` are parameters that other choices keep.
    return shown | steps, {
        **rows,
        "sizes": _size_links(pages, page, address, parameters.get("unit", "")) if len(pages) > 1 else [],
        "metrics": metrics,
        "scope": ", ".join(filter(None, scope)),
        "here": f"{say_number(int((shown | steps).sum()), 0)} of {say_number(len(outline.ordinals), 0)} results",
        "left_out": _left_out(pages, page, len(metrics)),
        "kept": [(name, value) for name, value in (("size", page.name), ("metric", chosen)) if value],
    }


def _href(address: str, size: str, unit: str, metric: str = "", row: int = 1) -> str:
    pairs = {"size": size, "metric": metric, "from": str(row) if row > 1 else "", "unit": unit}
    return f"{address}?{urlencode({name: value for name, value in pairs.items() if value})}#results"


def _size_links(pages: Sequence[_SizePage], page: _SizePage, address: str, unit: str) -> list[dict[str, object]]:
    return [
        {
            "text": each.text,
            "count": say_number(each.results, 0),
            "href": _href(address, each.name, unit),
            "current": each is page,
        }
        for each in pages
    ]


def _some_rows(
    outline: Outline, shown: BoolArray, metric: str, start: str, link: Callable[[str, int], str]
) -> tuple[BoolArray, dict[str, str | None]]:
    """The results of a metric in as many rows of a table as fit on a page, with the row `start` (from 1) among them;
    these rows in words, and the addresses of the pages before and after.
    """
    metrics = [each for each in outline.column("metric").values if quantity_of(str(each)) == metric]
    of_metric = np.flatnonzero(shown & outline.quantities.having("metric", metrics))
    number, first_of = numbered([outline.column(name).codes[of_metric] for name in PLACE])
    count = len(first_of)
    most = max(1, MOST_CELLS * count // len(of_metric))
    first = _first(start, most, count)
    last = min(first + most, count)
    kept = np.zeros(len(outline.ordinals), dtype=bool)
    kept[of_metric[(number >= first) & (number < last)]] = True
    return kept, {
        "rows": f"rows {say_number(first + 1, 0)} to {say_number(last, 0)} of {say_number(count, 0)}",
        "earlier": link(metric, first + 1 - most) if first else None,
        "later": link(metric, last + 1) if last < count else None,
    }


def _size_pages(outline: Outline, mask: BoolArray) -> list[_SizePage]:
    """The pages: each has one file size, or as many as have few rows together."""
    counts = outline.quantities.counts("file_size", mask)
    own = np.flatnonzero(mask)
    _, first = numbered([outline.column(name).codes[own] for name in PLACE[:-1]])
    places = outline.quantities.counts("file_size", own[first])
    pages: list[_SizePage] = []
    height = 0
    for size in sorted(counts, key=lambda size: -1 if size is None else size, reverse=True):
        height += places[size]
        if pages and height <= MOST_ROWS and size is not None:
            pages[-1] = _SizePage([*pages[-1].sizes, size], pages[-1].results + counts[size])
        else:
            pages.append(_SizePage([size], counts[size]))
            height = places[size]
    return pages


def _left_out(pages: Sequence[_SizePage], page: _SizePage, metrics: int) -> str:
    """`Left out: 10 other file sizes, 2 other quantities`."""
    others = sum(len(each.sizes) for each in pages if each is not page)
    parts = [(others, "other file size"), (max(0, metrics - 1), "other quantity")]
    texts = [
        f"{count} {noun if count == 1 else noun.replace('quantity', 'quantitie') + 's'}"
        for count, noun in parts
        if count
    ]
    return f"Left out: {', '.join(texts)}." if texts else ""


def _label(metric: str) -> str:
    return metric if metric == LATENCY else metric_label(metric)


def _first(text: str, rows: int, places: int) -> int:
    """The first row, from 0, of the page with this row; of the first page if no number, of the last if too large."""
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 1
    return (min(max(number, 1), places) - 1) // rows * rows


def _main(metrics: Mapping[str, int]) -> str:
    """The default metric: throughput, or the first in the document."""
    return "throughput" if "throughput" in metrics else next(iter(metrics))
