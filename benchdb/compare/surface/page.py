"""The context of the page of a surface."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from django.urls import reverse

from benchagent.formats.vocabulary import METRICS, test_label
from benchdb.compare.kind import PageOptions
from benchdb.compare.page_parts.differences import show_differences
from benchdb.compare.page_parts.menus import EARLIER_CHOICES, menu
from benchdb.compare.page_parts.titles import page_of
from benchdb.runs.cells.links import run_href
from benchdb.wording.units import possible
from benchdb.wording.words import metric_label

from . import present
from .chart import show_chart
from .colours import CHOICES, colours_of
from .content import SurfaceContent
from .numbers import is_fine, show_numbers
from .selection import STATISTICS, SurfaceSelection
from .shape import say_shape


def live_surface(content: SurfaceContent) -> dict[str, object]:
    """The links of a live page."""
    # A link to the page with another statistic; `here` is the current one.
    # What compare/surface.html shows besides the surface: the links to its statistics and to a table of its
    # cells.
    return {
        "shown": [
            {"text": text, "href": _address(content, content.runs, name), "here": name == content.statistic}
            for name, text in STATISTICS.items()
        ],
        "as_table": _as_table(content),
    }


def surface_page(content: SurfaceContent, options: PageOptions) -> dict[str, object]:
    """The page of a surface, live or frozen."""
    fine = is_fine(content)
    return page_of(
        content,
        shape=say_shape(content),
        differences=show_differences(content),
        shared=content.shared,
        warnings=present.show_warnings(content),
        surface=show_chart(content),
        averages=present.show_averages(content),
        table=None if fine else present.show_table(content, options),
        numbers=show_numbers(content) if fine else None,
        notes=present.notes(content),
        surface_runs=_runs(content),
        exchanged=_address(content, content.runs[::-1]) if len(content.runs) == 2 else None,
    )


def _runs(content: SurfaceContent) -> list[dict[str, object]]:
    several = len(content.surfaces) > 1
    # A run of the surface; `alone` is the address of its surface if there are several.
    return [
        {
            "label": surface.label,
            "href": run_href(surface.run),
            "alone": _address(content, [surface.run]) if several else None,
        }
        for surface in content.surfaces
    ]


def _address(content: SurfaceContent, runs: Sequence[str], statistic: str = "") -> str:
    pairs = [("test", content.test), ("metric", content.metric), ("unit", content.unit)]
    chosen = [("statistic", statistic or content.statistic), ("colours", colours_of(content))]
    selection = SurfaceSelection.parse(urlencode([*(("run", run) for run in runs), *pairs, *chosen]))
    return f"{reverse('surface')}?{selection.query()}"


def _as_table(content: SurfaceContent) -> str | None:
    """The table of several runs with all cells of the test; None for a fine surface, which has too many."""
    if len(content.runs) == 1 or is_fine(content):
        return None
    sizes = [("rows", content.factor), ("columns", "record_size"), ("split", "file_size")]
    pairs = [*(("run", run) for run in content.runs), ("test", content.test), ("metric", content.metric)]
    return f"{reverse('compare')}?{urlencode([*pairs, *sizes])}"


def choices_form(
    content: SurfaceContent, others: Sequence[tuple[str, str]], beside: Sequence[tuple[str, str]]
) -> dict[str, object]:
    """The menus: tests with this metric, metrics of this test, the second run, and the cells that colours span.

    `others` are the (test, metric) that have a surface, `beside` the ids and labels of runs that can be added.
    """
    tests = [(test, test_label(test)) for test, metric in others if metric == content.metric]
    metrics = [(metric, metric_label(metric)) for test, metric in others if test == content.test]
    several = len(content.runs) > 2
    second = content.runs[1] if len(content.runs) == 2 else ""
    units = [(unit, unit) for unit in possible(METRICS[content.metric].unit)]
    return {
        "action": reverse("surface"),
        "label": "What the surface shows",
        "hidden": [
            *(("run", run) for run in (content.runs if several else content.runs[:1])),
            ("statistic", content.statistic),
            (EARLIER_CHOICES, urlencode({"metric": content.metric})),
        ],
        "fields": [
            menu("test", "test", tests, content.test),
            menu("metric", "metric", metrics, content.metric),
            menu("unit", "unit", units, content.unit),
            menu("colours", "colours", list(CHOICES.items()), colours_of(content)),
            *([menu("run", "second run", [("", "none"), *beside], second)] if beside and not several else []),
        ],
        "only_selects": True,
    }
