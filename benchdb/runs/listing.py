"""The list of runs as its page shows it: filters, rows, and what to do where there is nothing to list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from .browse import Facet, Page, RunFilter
from .headlines import Overview
from .models import Run
from .stack import storage_line

Context = dict[str, Any]

LONGEST_COMMAND = 60
INPUTS = {
    "q": ("search", "search", "kernel, CPU, disk, …"),
    "since": ("from", "date", None),
    "until": ("to", "date", None),
}


def runs_table(page: Page, overviews: Mapping[Any, Overview], query: QueryDict) -> Context:
    """The context of web/partials/runs_table.html."""
    here = reverse("runs")
    first = urlencode([pair for pair in _pairs(query) if pair[0] != "after"])
    return {
        "rows": [run_row(run, overviews.get(run.id)) for run in page.runs],
        "next": f"{here}?{page.next_query}" if page.next_query else None,
        "first": (f"{here}?{first}" if first else here) if query.get("after") else None,
        "compare": reverse("compare"),
    }


def run_row(run: Run, overview: Overview | None) -> Context:
    """One row of the table."""
    target = run.target.file_system or "unknown"
    arguments = " ".join(run.command[1:])
    return {
        "id": run.id,
        "href": run.get_absolute_url(),
        "label": f"{run.tool} on {target}",
        "title": run.tool,
        "subtitle": arguments if len(arguments) <= LONGEST_COMMAND else arguments[: LONGEST_COMMAND - 1] + "…",
        "machine": run.machine.name,
        "target": target,
        "storage": storage_line(run.target.facts),
        "kernel": run.environment.kernel_release or "kernel unknown",
        "rounds": run.round_count,
        "results": overview.results if overview else 0,
        "headline": [{"text": each.text} for each in overview.chosen] if overview else [],
        "started_at": run.started_at,
        "state": run.runstate.state,
        "reason": run.runstate.failure or None,
    }


def filter_form(form: RunFilter, facets: Sequence[Facet], query: QueryDict) -> Context:
    """The context of web/partials/choices.html; what was entered stays, right or wrong."""
    here = reverse("runs")
    menus = [
        {"name": facet.name, "label": facet.label, "options": _options(facet, query.get(facet.name, ""))}
        for facet in facets
    ]
    inputs = [
        {"name": name, "label": label, "type": kind, "placeholder": placeholder, "value": query.get(name, "")}
        for name, (label, kind, placeholder) in INPUTS.items()
    ]
    return {
        "action": here,
        "label": "Filter runs",
        "submit": "Show",
        "reset": here if _pairs(query) else None,
        "hidden": [("campaign", query["campaign"])] if query.get("campaign") else [],
        "fields": [*inputs[:1], *menus, *inputs[1:]],
        "chips": _chips(form, query),
    }


def _options(facet: Facet, chosen: str) -> list[Context]:
    values = facet.options if chosen in (*facet.options, "") else [*facet.options, chosen]
    any_value = {"value": "", "text": "any", "selected": not chosen}
    return [any_value, *({"value": value, "text": value, "selected": value == chosen} for value in values)]


def _chips(form: RunFilter, query: QueryDict) -> list[Context]:
    """The filters in force; each link takes one away."""
    pairs = [pair for pair in _pairs(query) if pair[0] in form.fields and pair[0] != "after"]
    chips = []
    for name, value in pairs:
        rest = urlencode([pair for pair in pairs if pair[0] != name])
        label = {"q": "", "since": "from ", "until": "to ", "campaign": "campaign "}.get(name, "")
        chips.append({"text": f"{label}{value}", "href": f"{reverse('runs')}?{rest}" if rest else reverse("runs")})
    return chips


def _pairs(query: QueryDict) -> list[tuple[str, str]]:
    return [(name, str(value)) for name, value in query.items() if value]


def faults(form: RunFilter) -> list[str]:
    """What is wrong with the filters, each with its value."""
    labels = {name: label for name, (label, _, _) in INPUTS.items() if name != "q"}
    found = [*form.non_field_errors()]
    for name in form.errors.keys() & form.fields.keys():
        label = labels.get(name, name.replace("_", " "))
        found.append(f"The filter “{label}” cannot be “{form.data.get(name)}”. {' '.join(map(str, form.errors[name]))}")
    return found


def nothing(*, filtering: bool, paging: bool, anonymous: bool) -> Context:
    """The context of web/partials/message.html where no run is listed."""
    if paging:
        return _message(
            "No older runs", "The list ends before this page.", next=[_link("Newest runs", reverse("runs"))]
        )
    if filtering:
        text = "Take a filter away, or clear all of them."
        return _message("No run matches", text, next=[_link("Show all runs", reverse("runs"))])
    text = "The agent measures on a test machine and sends its runs here. Two lines fetch and start it."
    links = [_link("Measure a machine", reverse("agent"))]
    if anonymous:
        links.append(_link("Sign in to see your own runs", reverse("login")))
    return _message("No runs yet", text, next=links)


def _message(title: str, text: str, **fields: Any) -> Context:
    return {"title": title, "text": text, "command": None, "next": [], **fields}


def _link(text: str, href: str) -> dict[str, str]:
    return {"text": text, "href": href}
