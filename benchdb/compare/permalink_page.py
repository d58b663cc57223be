"""The contexts of the pages of permalinks: the frozen table or surface, and what is asked before one is made."""

from __future__ import annotations

from collections.abc import Sequence

from django.urls import reverse

from benchdb.runs.models import Run

from . import pages, surface_page
from .models import Permalink
from .page_parts import FORMATS, Context


def permalink(link: Permalink, address: str) -> Context:
    """`compare/permalink.html`, from the frozen copy alone."""
    page = reverse("compare" if link.kind == "table" else "surface")
    shown = pages.frozen_table(link.content) if link.kind == "table" else surface_page.frozen_surface(link.content)
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
