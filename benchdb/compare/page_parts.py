"""What pages of tables and of surfaces have in common: what can be done with them, and what is still computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.urls import reverse

Context = dict[str, Any]

# Those of benchdb.exports, which knows this app.
FORMATS = ("json", "csv", "tsv", "md", "html", "tex", "bb", "svg", "png", "pdf")
SHAPES = ("wide", "long")  # of CSV, beside a line a cell


def addresses(kind: str, query: str) -> Context:
    """What can be done with the page: share it, read it as data."""
    page = reverse("compare" if kind == "table" else "surface")
    return {
        "kind": kind,
        "query": query,
        "here": f"{page}?{query}",
        "exports": export_links(lambda form: f"{reverse(f'{kind}-data', args=[form])}?{query}"),
    }


def export_links(address: Callable[[str], str]) -> list[Context]:
    """Links to every format; `address` gives that of one."""
    found = []
    for form in FORMATS:
        href = address(form)
        found.append({"text": form.upper(), "href": href})
        if form == "csv":
            joint = "&" if "?" in href else "?"
            found += [{"text": f"CSV {shape}", "href": f"{href}{joint}shape={shape}"} for shape in SHAPES]
    return found


def progress(content: Mapping[str, Any]) -> Context | None:
    """Runs whose statistics are not there yet: the first of them is watched."""
    if not content["computing"]:
        return None
    return {"poll": reverse("api-1:get_state", args=[content["computing"][0]]), "number": len(content["computing"])}
