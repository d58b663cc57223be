"""The context of the page of a surface."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from django.urls import reverse

from benchagent.formats.vocabulary import METRICS, test_label
from benchdb.compare.content import Content, Context
from benchdb.compare.page_parts.actions import addresses, progress
from benchdb.compare.page_parts.differences import show_differences
from benchdb.compare.page_parts.menus import EARLIER_CHOICES, menu
from benchdb.compare.page_parts.titles import title_line
from benchdb.runs.cells.links import run_href
from benchdb.wording.units import possible
from benchdb.wording.words import metric_label

from . import present as surface_present
from .chart import show_chart
from .numbers import is_fine, show_numbers
from .present import show_averages
from .selection import STATISTICS, SurfaceSelection


def surface(content: Content, others: Sequence[tuple[str, str]]) -> Context:
    """`compare/surface.html`; `others` are the (test, metric) pairs that have a surface."""
    return {
        **frozen_surface(content),
        "choices": _form(content, others),
        "shown": [
            {"text": text, "href": _address(content, content["runs"], name), "here": name == content["statistic"]}
            for name, text in STATISTICS.items()
        ],
        "as_table": _as_table(content),
        "progress": progress(content),
        **addresses("surface", "surface", content["query"]),
    }


def frozen_surface(content: Content) -> Context:
    """The common context of `compare/surface.html` and a permalink to a surface."""
    return {
        "section": "compare",
        "title": title_line(content),
        "findings": [],
        "differences": show_differences(content),
        "warnings": surface_present.show_warnings(content),
        "surface": show_chart(content),
        "averages": show_averages(content),
        "table": None if is_fine(content) else surface_present.show_table(content),
        "numbers": show_numbers(content) if is_fine(content) else None,
        "notes": surface_present.notes(content),
        "surface_runs": _runs(content),
        "exchanged": _exchanged(content),
        "statistics": f"statistics {content['statistics_version']}",
    }


def _runs(content: Content) -> list[Context]:
    """The pages of the runs; if there are two, also the surface of each."""
    several = len(content["surfaces"]) > 1
    return [
        {
            "label": surface["label"],
            "href": run_href(surface["run"]),
            "alone": _address(content, [surface["run"]]) if several else None,
        }
        for surface in content["surfaces"]
    ]


def _exchanged(content: Content) -> str | None:
    """The same page with the other run as the baseline."""
    return _address(content, content["runs"][::-1]) if len(content["runs"]) > 1 else None


def _address(content: Content, runs: Sequence[str], statistic: str = "") -> str:
    pairs = [(name, content[name]) for name in ("test", "metric", "unit")]
    chosen = ("statistic", statistic or content["statistic"])
    selection = SurfaceSelection.parse(urlencode([*(("run", run) for run in runs), *pairs, chosen]))
    return f"{reverse('surface')}?{selection.query()}"


def _as_table(content: Content) -> str | None:
    """The table of two runs with all cells of the test; None for a fine surface, which has too many."""
    if len(content["runs"]) == 1 or is_fine(content):
        return None
    sizes = [("rows", content["factor"]), ("columns", "record_size"), ("split", "file_size")]
    pairs = [*(("run", run) for run in content["runs"]), ("test", content["test"]), ("metric", content["metric"])]
    return f"{reverse('compare')}?{urlencode([*pairs, *sizes])}"


def _form(content: Content, others: Sequence[tuple[str, str]]) -> Context:
    """The context of web/partials/choices.html: tests with this metric, metrics of this test."""
    tests = [(test, test_label(test)) for test, metric in others if metric == content["metric"]]
    metrics = [(metric, metric_label(metric)) for test, metric in others if test == content["test"]]
    units = [(unit, unit) for unit in possible(METRICS[content["metric"]].unit)]
    return {
        "action": reverse("surface"),
        "label": "What the surface shows",
        "submit": "Show",
        "only_selects": True,
        "hidden": [
            *(("run", run) for run in content["runs"]),
            ("statistic", content["statistic"]),
            (EARLIER_CHOICES, urlencode({"metric": content["metric"]})),
        ],
        "fields": [
            menu("test", "test", tests, content["test"]),
            menu("metric", "metric", metrics, content["metric"]),
            menu("unit", "unit", units, content["unit"]),
        ],
    }
