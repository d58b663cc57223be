"""The actions of a live page, and the progress of runs whose statistics are being computed."""

from __future__ import annotations

from django.urls import reverse

from benchdb.compare.content import Content, Context

from .export_menu import export_links


def addresses(kind: str, path: str, query: str) -> Context:
    """The context of compare/actions.html: share a live page, or download its data.

    `kind` and `path` are the name and the path of a kind of comparison (benchdb/compare/kind.py).
    """
    page = reverse(path)
    return {
        "kind": kind,
        "query": query,
        "here": f"{page}?{query}",
        "exports": export_links(lambda form: f"{reverse(f'{kind}-data', args=[form])}?{query}"),
    }


def progress(content: Content) -> Context | None:
    """The number of runs whose statistics are not computed yet, with the address of the first state; or None."""
    if not content["computing"]:
        return None
    return {"poll": reverse("api-1:get_state", args=[content["computing"][0]]), "number": len(content["computing"])}
