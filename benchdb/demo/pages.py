"""The pages that the demo prints at its end, with a check that they show the measured numbers."""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypedDict
from urllib.parse import urlencode

from benchdb.wording.numbers import say_mean_and_sd
from benchdb.wording.units import UNITS, default_unit

from .http import Unexpected, get, get_json, post_json
from .recordings import CACHE, OPTION, TAILS, campaign_of, ids_of, runs_of

TOOL = "fsload"
TEST, METRIC = "read", "throughput"
THREADS = 8  # of the runs whose latencies are compared
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
    """Pages for these runs (as the API returns them): a table, a permalink to it, a run, an article.

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
    return [
        DemoPage("a comparison", f"{address}/compare/?{query}", frozenset(cells)),
        DemoPage("a permalink to it", link["url"], frozenset(cells)),
        DemoPage("a run", f"{address}/runs/{run['run_id']}/", of_run, ("?results=all",)),
        DemoPage("a published article", f"{address}/articles/iozone-2009/", frozenset({PUBLISHED})),
    ]


def make_recorded_pages(address: str) -> list[DemoPage]:
    """Pages for the recorded runs, which the server has. Raises Unexpected."""
    swept, last = ids_of(CACHE, "iozone"), ids_of(OPTION, TOOL)[-1]
    compared = [run["run_id"] for run in runs_of(TAILS) if run["workload"]["parameters"].get("threads") == THREADS]
    surface = urlencode({"run": swept, "test": TEST}, doseq=True)
    trend = urlencode({"run": last, "vary": "mount_options", "test": "write"})
    response = urlencode({"campaign": campaign_of(TAILS)})
    table = urlencode({"run": compared, "test": "random_write", "metric": "latency_p99"}, doseq=True)
    points = [point for each in _json(address, "trend/trend", trend)["series"] for point in each["change_points"]]
    groups, curves = (
        _json(address, "compare/table", table)["groups"],
        _json(address, "response/response", response)["curves"],
    )
    tails = [cell["tail"]["why"] for row in groups[0]["rows"] for cell in row["cells"] if cell["tail"]]
    return [
        DemoPage("the end of the page cache", f"{address}/surface/?{surface}", frozenset(_means_of(address, swept[0]))),
        DemoPage("a trend with a change", f"{address}/trend/?{trend}", frozenset(point["text"] for point in points)),
        DemoPage("latencies", f"{address}/compare/latencies/?{table}&cell=0-0-0", frozenset(tails)),
        DemoPage(
            "response curves", f"{address}/response/?{response}", frozenset(each["knee"]["text"] for each in curves)
        ),
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


def _means_of(address: str, run: str) -> list[str]:
    """The means of the test in a run."""
    results = get_json(f"{address}/api/v1/runs/{run}")["results"]
    return _means(result for result in results if (result["test"], result["metric"]) == (TEST, METRIC))


def _json(address: str, page: str, query: str) -> Any:
    return get_json(f"{address}/{page}.json?{query}")
