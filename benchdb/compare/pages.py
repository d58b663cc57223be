"""The contexts of the pages: what the templates of this app are given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchdb.runs.campaigns import recent_campaigns
from benchdb.runs.models import RunQuerySet

from . import present
from .choices import Choices
from .findings_page import show_findings
from .form import choices_form
from .page_parts import Context, addresses, progress
from .surface_links import surface_links


def empty(listed: RunQuerySet) -> Context:
    """`compare/empty.html`."""
    return {"section": "compare", "campaigns": recent_campaigns(listed)}


def table(content: Mapping[str, Any], choices: Choices) -> Context:
    """`compare/table.html`. One query, for the surfaces of its runs."""
    shown = frozen_table(content)
    surfaces = surface_links(content, choices.places["metric"])
    return {
        **shown,
        "runs": [{**run, "surface": surfaces.get(run["id"])} for run in shown["runs"]],
        "surfaces": bool(surfaces),
        "choices": choices_form(choices, content),
        "progress": progress(content),
        **addresses("table", content["query"]),
    }


def frozen_table(content: Mapping[str, Any]) -> Context:
    """What `compare/table.html` and a permalink to a table share: everything that is in the content."""
    return {
        "section": "compare",
        "title": {"parts": [content["title"], content["subtitle"]], "time": None, "state": None},
        "table": present.show_table(content),
        "findings": show_findings(content),
        "differences": present.show_differences(content),
        "warnings": present.show_warnings(content),
        "notes": present.notes(content),
        "legend": present.show_legend(content),
        "geometric_means": present.show_geometric_means(content),
        "recomputing": len(content["recomputing"]),
        "runs": present.show_runs(content),
        "runs_head": present.runs_head(content),
        "statistics": f"statistics {content['statistics_version']}",
    }
