"""What pages of tables and of surfaces have in common: what can be done with them, and what is still computed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.urls import reverse

Context = dict[str, Any]

FORMATS = ("json", "csv")  # those of benchdb.exports, which knows this app


def addresses(kind: str, query: str) -> Context:
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


def progress(content: Mapping[str, Any]) -> Context | None:
    """Runs whose statistics are not there yet: the first of them is watched."""
    if not content["computing"]:
        return None
    return {"poll": reverse("api-1:get_state", args=[content["computing"][0]]), "number": len(content["computing"])}
