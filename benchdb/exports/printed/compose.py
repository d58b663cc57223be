"""Compose the printed document of a content."""

from __future__ import annotations

from collections.abc import Callable

from benchdb.compare.page_parts.differences import show_differences
from benchdb.compare.surface import present as surface_present
from benchdb.compare.table import present
from benchdb.exports.contents import Content, cells, kind_of, named
from benchdb.exports.origin import Origin
from benchdb.exports.text.clean import clean

from . import method
from . import surface as printed_surface
from . import table as printed_table
from . import trend as printed_trend
from .document import PrintedDocument, PrintedGrid, cell_notes, difference_notes

Grids = Callable[[Content], list[PrintedGrid]]
Notes = Callable[[Content], list[str]]

KINDS: dict[str, tuple[Grids, Notes]] = {
    "table": (printed_table.grids, printed_table.notes),
    "surface": (printed_surface.grids, printed_surface.notes),
    "trend": (printed_trend.grids, printed_trend.notes),
}

WARNINGS = {"table": present.show_warnings, "surface": surface_present.show_warnings}


def print_document(content: Content, origin: Origin) -> PrintedDocument:
    """The document of a content of any kind and schema."""
    placed = list(cells(content))
    measured = [cell.cell for cell in placed]
    grids, notes = KINDS[kind_of(content)]
    return PrintedDocument(
        title=clean(content["title"]),
        subtitle=clean(content["subtitle"]),
        warnings=[clean(text) for text in [*origin.notices, *doubts(content)]],
        findings=[clean(finding["text"]) for finding in content.get("findings", [])],
        differences=differing(content),
        grids=grids(content),
        notes=[*map(clean, notes(content)), *cell_notes([(named(cell), cell.cell) for cell in placed])],
        legend=[clean(text) for text in method.legend(content, measured)],
        method=[clean(text) for text in method.method(content, measured, origin)],
    )


def differing(content: Content) -> list[str]:
    """The differences besides the factor, a line a difference."""
    return difference_notes(show_differences(content) if "differences" in content else [])


def doubts(content: Content) -> list[str]:
    """The reasons to doubt the whole table or the ratio of two surfaces."""
    show = WARNINGS.get(kind_of(content))
    return [warning["text"] for warning in show(content)] if show else []
