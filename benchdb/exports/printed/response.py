"""Response curves as grids and notes of a printed document."""

from __future__ import annotations

from benchdb.compare.kind import PageOptions
from benchdb.compare.response import present
from benchdb.compare.response.content import ResponseContent

from .document import PrintedGrid, grids_of
from .kind import ExportedKind


def grids(content: ResponseContent) -> list[PrintedGrid]:
    """A grid a curve, a row a level, as on the page."""
    return grids_of(present.show_table(content, PageOptions(with_panels=False)))


def columns(content: ResponseContent) -> list[str]:
    """The labels of both quantities."""
    return [content.throughput.label, content.latency.label]


def notes(content: ResponseContent) -> list[str]:
    """The notes of the page."""
    return content.notes


EXPORTED = ExportedKind(
    grids=grids,
    notes=notes,
    columns=columns,
    draw="benchdb.exports.drawing.response.draw_response",
    findings=present.knee_sentences,
    warnings=present.show_warnings,
)
