"""The contexts of the pages of tables."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from django.urls import reverse

from benchdb.compare.content import Content, Context
from benchdb.compare.page_parts.actions import addresses, progress
from benchdb.compare.page_parts.differences import show_differences
from benchdb.compare.page_parts.titles import title_line
from benchdb.runs.listing.recent_campaigns import recent_campaigns
from benchdb.runs.models import RunQuerySet

from . import present
from .bars import show_bars
from .chosen_cell import add_views, show_chosen
from .comparable_sets import comparable_sets
from .complete import Choices
from .form import choices_form
from .present import show_findings
from .surface_links import Surfaces, surface_links, surfaces_of

Pairs = Sequence[tuple[str, str]]


def empty(listed: RunQuerySet) -> Context:
    """`compare/empty.html`."""
    return {"section": "compare", "campaigns": recent_campaigns(listed), "sets": comparable_sets(listed)}


def table(content: Content, choices: Choices, asked: str, pairs: Pairs) -> Context:
    """`compare/table.html`; `pairs` are the address, `asked` the chosen cell. One query at most, for surfaces."""
    surfaces = surfaces_of(content["runs"]) if choices.swept else {}
    links = surface_links(content, surfaces, choices.places["metric"])
    context = frozen_table(content, asked, reverse("compare"), pairs, surfaces)
    return {
        **context,
        "runs": [{**run, "surface": links.get(run["id"])} for run in context["runs"]],
        "surfaces": bool(links),
        "choices": choices_form(choices, content),
        "progress": progress(content),
        **addresses("table", "compare", content["query"]),
    }


def frozen_table(
    content: Content, asked: str = "", address: str = "", pairs: Pairs = (), surfaces: Surfaces | None = None
) -> Context:
    """The common context of `compare/table.html` and a permalink to a table: everything in the content.

    The page is at `address` with `pairs`; `asked` is the cell in its address. A permalink has no `surfaces`.
    """
    table_context = present.show_table(content)
    add_views(content, table_context["details"], surfaces or {})
    return {
        "section": "compare",
        "title": title_line(content),
        "chosen": show_chosen(asked, table_context, f"{address}?{urlencode(pairs)}" if pairs else address),
        "choose": {"action": address, "hidden": pairs},
        "table": table_context,
        "bars": show_bars(content),
        "findings": show_findings(content),
        "differences": show_differences(content),
        "warnings": present.show_warnings(content),
        "notes": present.notes(content),
        "legend": present.show_legend(content),
        "geometric_means": present.show_geometric_means(content),
        "recomputing": len(content["recomputing"]),
        "runs": present.show_runs(content),
        "runs_head": present.runs_head(content),
        "statistics": f"statistics {content['statistics_version']}",
    }
