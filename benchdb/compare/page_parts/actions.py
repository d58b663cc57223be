"""The actions of a live page, and the progress of runs whose statistics are being computed."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse

from benchdb.compare.content import Content

from .export_menu import ExportLink, export_links
from .menus import ChoicesForm


@dataclass(frozen=True, slots=True)
class ComputingRuns:
    """The number of runs whose statistics are not computed yet, and the address of the state of the first."""

    poll: str
    number: int


@dataclass(frozen=True, slots=True)
class LiveParts:
    """What live pages show besides the content: menus, progress, and compare/actions.html.

    `kind` is the name of the kind of comparison, `query` its selection, `here` the address of the page.
    """

    choices: ChoicesForm
    progress: ComputingRuns | None
    kind: str
    query: str
    here: str
    exports: list[ExportLink]


def live_parts(kind: str, path: str, content: Content, choices: ChoicesForm) -> LiveParts:
    """The parts of the live page of a content; `kind` and `path` are those of its kind (benchdb/compare/kind.py)."""
    query = content.query
    return LiveParts(
        choices=choices,
        progress=_progress(content),
        kind=kind,
        query=query,
        here=f"{reverse(path)}?{query}",
        exports=export_links(lambda form: f"{reverse(f'{kind}-data', args=[form])}?{query}"),
    )


def _progress(content: Content) -> ComputingRuns | None:
    if not content.computing:
        return None
    return ComputingRuns(reverse("api-1:get_state", args=[content.computing[0]]), len(content.computing))
