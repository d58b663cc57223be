"""What pages of tables and of surfaces have in common: what can be done with them, and what is still computed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.urls import reverse

from .export_menu import export_links

Context = dict[str, Any]

PAGES = {"table": "compare", "surface": "surface", "trend": "trend"}  # where a selection of a kind is shown


def addresses(kind: str, query: str) -> Context:
    """What can be done with the page: share it, read it as data."""
    page = reverse(PAGES[kind])
    return {
        "kind": kind,
        "query": query,
        "here": f"{page}?{query}",
        "exports": export_links(lambda form: f"{reverse(f'{kind}-data', args=[form])}?{query}"),
    }


def progress(content: Mapping[str, Any]) -> Context | None:
    """Runs whose statistics are not there yet: the first of them is watched."""
    if not content["computing"]:
        return None
    return {"poll": reverse("api-1:get_state", args=[content["computing"][0]]), "number": len(content["computing"])}
