"""The context of the page of a surface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from benchagent.formats.vocabulary import METRICS, test_label
from benchdb.runs.units import possible
from benchdb.runs.words import metric_label

from . import surface_present
from .form import WAS
from .page_parts import Context, addresses, progress


def surface(content: Mapping[str, Any], others: Sequence[tuple[str, str]]) -> Context:
    """`compare/surface.html`."""
    return {
        **frozen_surface(content),
        "choices": _form(content, others),
        "progress": progress(content),
        **addresses("surface", content["query"]),
    }


def frozen_surface(content: Mapping[str, Any]) -> Context:
    """What `compare/surface.html` and a permalink to a surface share."""
    return {
        "section": "compare",
        "title": {"parts": [content["title"], content["subtitle"]], "time": None, "state": None},
        "surface": surface_present.show_chart(content),
        "table": surface_present.show_table(content),
        "run": reverse("run", args=[content["runs"][0]]),
        "statistics": f"statistics {content['statistics_version']}",
    }


def _form(content: Mapping[str, Any], others: Sequence[tuple[str, str]]) -> Context:
    """The context of web/partials/choices.html: tests with this metric, metrics of this test."""
    tests = [(test, test_label(test)) for test, metric in others if metric == content["metric"]]
    metrics = [(metric, metric_label(metric)) for test, metric in others if test == content["test"]]
    units = [(unit, unit) for unit in possible(METRICS[content["metric"]].unit)]
    fields = [
        _menu("test", tests, content["test"]),
        _menu("metric", metrics, content["metric"]),
        _menu("unit", units, content["unit"]),
    ]
    return {
        "action": reverse("surface"),
        "label": "What the surface shows",
        "submit": "Show",
        "only_selects": True,
        "hidden": [("run", content["runs"][0]), (WAS, urlencode({"metric": content["metric"]}))],
        "fields": fields,
    }


def _menu(name: str, options: Sequence[tuple[str, str]], chosen: str) -> Context:
    listed = [{"value": value, "text": text, "selected": value == chosen} for value, text in options]
    return {"name": name, "label": name, "options": listed}
