"""What pages of tables and of surfaces have in common: what can be done with them, and what is still computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.urls import reverse

Context = dict[str, Any]

# Those of benchdb.exports, which knows this app.
FORMATS = ("json", "csv", "tsv", "md", "html", "tex", "bb", "svg", "png", "pdf")
NAMES = {"tex": "TeX", "bb": "BBCode"}  # the others are called as they end
QUICK = ("csv", "md", "tex", "png")  # that stand beside the title; the others are in a menu
SHAPES = {"wide": "a line a row of the table", "long": "a line a value"}  # of CSV, beside a line a cell
HINTS = {
    "json": "everything, for programs",
    "csv": "a line a cell, for spreadsheets and R",
    "tsv": "as CSV, with tabs",
    "md": "for issues, wikis and READMEs",
    "html": "for web pages",
    "tex": "for papers, with booktabs",
    "bb": "for forums",
    "svg": "a picture",
    "png": "a picture",
    "pdf": "a picture",
}


def addresses(kind: str, path: str, query: str) -> Context:
    """What can be done with a live page, for compare/actions.html: share it, read it as data.

    `kind` and `path` are the name and the path of a kind of comparison (benchdb/compare/kind.py).
    """
    page = reverse(path)
    return {
        "kind": kind,
        "query": query,
        "here": f"{page}?{query}",
        "exports": export_links(lambda form: f"{reverse(f'{kind}-data', args=[form])}?{query}"),
    }


def export_links(address: Callable[[str], str]) -> list[Context]:
    """Links to every format, each with what it is good for; `address` gives that of one."""
    found = []
    for form in FORMATS:
        href = address(form)
        found.append({"text": name_of(form), "href": href, "hint": HINTS[form], "quick": form in QUICK})
        if form == "csv":
            joint = "&" if "?" in href else "?"
            found += [
                {"text": f"CSV {shape}", "href": f"{href}{joint}shape={shape}", "hint": hint, "quick": False}
                for shape, hint in SHAPES.items()
            ]
    return found


def name_of(form: str) -> str:
    """`CSV`, `TeX`: what a format is called on pages."""
    return NAMES.get(form, form.upper())


def progress(content: Mapping[str, Any]) -> Context | None:
    """Runs whose statistics are not there yet: the first of them is watched."""
    if not content["computing"]:
        return None
    return {"poll": reverse("api-1:get_state", args=[content["computing"][0]]), "number": len(content["computing"])}
