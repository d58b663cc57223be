"""The contexts of the pages: what the templates of this app are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from benchagent.formats.vocabulary import METRICS, test_label
from benchdb.runs.campaigns import recent_campaigns
from benchdb.runs.models import Run, RunQuerySet
from benchdb.runs.units import possible
from benchdb.runs.words import metric_label

from . import present
from .choices import Choices
from .form import WAS, choices_form
from .models import Permalink

Context = dict[str, Any]

FORMATS = ("json", "csv")  # those of benchdb.exports, which knows this app


def empty(listed: RunQuerySet) -> Context:
    """`compare/empty.html`."""
    return {"section": "compare", "campaigns": recent_campaigns(listed)}


def table(content: Mapping[str, Any], choices: Choices) -> Context:
    """`compare/table.html`."""
    labels = [row["label"] for row in content["groups"][0]["rows"]]
    return {
        **frozen_table(content),
        "choices": choices_form(choices, labels, content["baseline"]),
        "progress": _progress(content),
        **_addresses("table", content["query"]),
    }


def frozen_table(content: Mapping[str, Any]) -> Context:
    """What `compare/table.html` and a permalink to a table share: everything that is in the content."""
    return {
        "section": "compare",
        "title": {"parts": [content["title"], content["subtitle"]], "time": None, "state": None},
        "table": present.show_table(content),
        "findings": [],  # none are made yet
        "differences": present.show_differences(content),
        "warnings": present.show_warnings(content),
        "notes": present.notes(content),
        "legend": present.has_verdicts(content),
        "runs": present.show_runs(content),
        "statistics": f"statistics {content['statistics_version']}",
    }


def surface(content: Mapping[str, Any], others: Sequence[tuple[str, str]]) -> Context:
    """`compare/surface.html`."""
    return {
        **frozen_surface(content),
        "choices": _surface_form(content, others),
        "progress": _progress(content),
        **_addresses("surface", content["query"]),
    }


def frozen_surface(content: Mapping[str, Any]) -> Context:
    """What `compare/surface.html` and a permalink to a surface share."""
    return {
        "section": "compare",
        "title": {"parts": [content["title"], content["subtitle"]], "time": None, "state": None},
        "surface": present.show_chart(content),
        "table": present.show_surface_table(content),
        "run": reverse("run", args=[content["runs"][0]]),
        "statistics": f"statistics {content['statistics_version']}",
    }


def _surface_form(content: Mapping[str, Any], others: Sequence[tuple[str, str]]) -> Context:
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


def _addresses(kind: str, query: str) -> Context:
    """What can be done with the page: share it, read it as data."""
    page = reverse("compare" if kind == "table" else "surface")
    return {
        "kind": kind,
        "query": query,
        "here": f"{page}?{query}",
        "exports": [
            {"text": form.upper(), "href": f"{reverse(f'{kind}-data', args=[form])}?{query}"} for form in FORMATS
        ],
    }


def _progress(content: Mapping[str, Any]) -> Context | None:
    """Runs whose statistics are not there yet: the first of them is watched."""
    if not content["computing"]:
        return None
    return {"poll": reverse("api-1:get_state", args=[content["computing"][0]]), "number": len(content["computing"])}


def permalink(link: Permalink, address: str) -> Context:
    """`compare/permalink.html`, from the frozen copy alone."""
    page = reverse("compare" if link.kind == "table" else "surface")
    shown = frozen_table(link.content) if link.kind == "table" else frozen_surface(link.content)
    return {
        **shown,
        "kind": link.kind,
        "frozen": {
            "kind": link.kind,
            "address": address,
            "at": link.created_at,
            "by": link.owner.get_username(),
            "statistics": f"statistics {link.content['statistics_version']}",
            "runs": len(link.runs),
            "live": f"{page}?{link.query}",
        },
        "exports": [
            {"text": form.upper(), "href": reverse("permalink-data", args=[link.id, form])} for form in FORMATS
        ],
    }


def ask_to_share(kind: str, query: str, hidden: Sequence[Run]) -> Context:
    """`compare/share.html`: the private runs whose figures everybody with the address would see."""
    page = reverse("compare" if kind == "table" else "surface")
    return {"section": "compare", "kind": kind, "query": query, "runs": hidden, "back": f"{page}?{query}"}
