"""The contexts of the pages: what the templates of this app are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.urls import reverse

from benchdb.runs.campaigns import recent_campaigns
from benchdb.runs.models import Run, RunQuerySet

from . import present, surface_page
from .choices import Choices
from .form import choices_form
from .models import Permalink
from .page_parts import FORMATS, Context, addresses, progress


def empty(listed: RunQuerySet) -> Context:
    """`compare/empty.html`."""
    return {"section": "compare", "campaigns": recent_campaigns(listed)}


def table(content: Mapping[str, Any], choices: Choices) -> Context:
    """`compare/table.html`."""
    labels = [row["label"] for row in content["groups"][0]["rows"]]
    return {
        **frozen_table(content),
        "choices": choices_form(choices, labels, content["baseline"]),
        "progress": progress(content),
        **addresses("table", content["query"]),
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


def permalink(link: Permalink, address: str) -> Context:
    """`compare/permalink.html`, from the frozen copy alone."""
    page = reverse("compare" if link.kind == "table" else "surface")
    shown = frozen_table(link.content) if link.kind == "table" else surface_page.frozen_surface(link.content)
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
