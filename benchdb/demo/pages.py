"""The pages that the demo prints at its end, with a check that they show the measured numbers."""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypedDict
from urllib.parse import urlencode

from benchdb.wording.numbers import say_mean_and_sd
from benchdb.wording.units import UNITS, default_unit

from .http import Unexpected, get, get_json, post_json

TOOL = "fsload"
TEST, METRIC = "read", "throughput"
PUBLISHED = "109\u202f339.90"  # KiB/s: ext4 in table 2 of the iozone article


class DemoResult(TypedDict):
    """A result as the API returns it, in its metric's base unit; `mean` and `sd` are None for too few values."""

    test: str
    metric: str
    mean: float | None
    sd: float | None
    n: int | None


class _FileSystem(TypedDict):
    type: str | None


class _Target(TypedDict):
    file_system: _FileSystem


class DemoRun(TypedDict):
    """A run as the API returns it."""

    run_id: str
    tool: str
    target: _Target
    results: list[DemoResult]


@dataclass(frozen=True)
class DemoPage:
    """An address and the numbers (as text) that its page, or one of the pages in `suffixes`, must show."""

    title: str
    url: str
    numbers: frozenset[str]
    suffixes: tuple[str, ...] = ()


def make_pages(address: str, token: str, runs: Iterable[DemoRun]) -> list[DemoPage]:
    """Pages for these runs (as the API returns them): a run, a table, a surface, a permalink to the table, an article.

    Raises Unexpected.
    """
    compared = [run for run in runs if run["tool"] == TOOL and any(result["test"] == TEST for result in run["results"])]
    if not compared:
        raise Unexpected(f"No run of {TOOL} with the test {TEST} was stored, so there is nothing to show.")
    run = next((run for run in compared if run["target"]["file_system"]["type"] == "ext4"), compared[0])
    query = urlencode([("run", compared_run["run_id"]) for compared_run in compared])
    link = post_json(f"{address}/api/v1/permalinks", token, {"query": query})
    frozen = get_json(link["url"].rstrip("/") + ".json")
    cells = {
        cell["text"]["mean"]
        for group in frozen["groups"]
        for row in group["rows"]
        for cell in row["cells"]
        if cell and cell["mean"] is not None
    }
    of_run = frozenset(_means(run["results"]))
    of_test = frozenset(
        _means(result for result in run["results"] if (result["test"], result["metric"]) == (TEST, METRIC))
    )
    surface = urlencode({"run": run["run_id"], "test": TEST})
    return [
        DemoPage("a run", f"{address}/runs/{run['run_id']}/", of_run, ("?results=all",)),
        DemoPage("a comparison table", f"{address}/compare/?{query}", frozenset(cells)),
        DemoPage("a surface", f"{address}/surface/?{surface}", of_test),
        DemoPage("a permalink to that table", link["url"], frozenset(cells)),
        DemoPage("a published article", f"{address}/articles/iozone-2009/", frozenset({PUBLISHED})),
    ]


def check(page: DemoPage) -> None:
    """Raise Unexpected unless the page answers 200 and shows all its numbers."""
    if not page.numbers:
        raise Unexpected(f"There are no numbers to look for on {page.url}.")
    text = "".join(html.unescape(get(page.url + suffix)) for suffix in ("", *page.suffixes))
    missing = sorted(number for number in page.numbers if number not in text)
    if missing:
        raise Unexpected(f"{page.url} does not show {', '.join(missing[:5])} ({len(missing)} numbers missing).")


def _means(results: Iterable[DemoResult]) -> list[str]:
    """The means in the format and unit of the pages."""
    return [
        say_mean_and_sd(result["mean"], result["sd"], result["n"], UNITS[default_unit(result["metric"])])["mean"]
        for result in results
        if result["mean"] is not None
    ]
