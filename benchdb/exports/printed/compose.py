"""A content becomes a printed document (`printed.py`)."""

from __future__ import annotations

from collections.abc import Callable

from benchdb.compare.page_parts.differences import show_differences
from benchdb.compare.surface import present as surface_present
from benchdb.compare.table import present
from benchdb.exports.contents import Content, cells, kind_of, named
from benchdb.exports.origin import Origin

from . import method
from . import surface as printed_surface
from . import table as printed_table
from . import trend as printed_trend
from .document import Grid, Printed, said_of_cells, said_of_differences
from .text import clean

Grids = Callable[[Content], list[Grid]]
Notes = Callable[[Content], list[str]]

KINDS: dict[str, tuple[Grids, Notes]] = {
    "table": (printed_table.grids, printed_table.notes),
    "surface": (printed_surface.grids, printed_surface.notes),
    "trend": (printed_trend.grids, printed_trend.notes),
}

WARNINGS = {"table": present.show_warnings, "surface": surface_present.show_warnings}


def printed(content: Content, origin: Origin) -> Printed:
    """The document of a content of any kind and schema."""
    placed = list(cells(content))
    measured = [each.cell for each in placed]
    grids, notes = KINDS[kind_of(content)]
    return Printed(
        title=clean(content["title"]),
        subtitle=clean(content["subtitle"]),
        warnings=[clean(text) for text in [*origin.notices, *doubts(content)]],
        findings=[clean(finding["text"]) for finding in content.get("findings", [])],
        differences=differing(content),
        grids=grids(content),
        notes=[*map(clean, notes(content)), *said_of_cells([(named(each), each.cell) for each in placed])],
        legend=[clean(text) for text in method.legend(content, measured)],
        method=[clean(text) for text in method.method(content, measured, origin)],
    )


def differing(content: Content) -> list[str]:
    """What differs besides what is compared, a line a difference."""
    return said_of_differences(show_differences(content) if "differences" in content else [])


def doubts(content: Content) -> list[str]:
    """What makes the whole table, or the ratio of two surfaces, doubtful."""
    show = WARNINGS.get(kind_of(content))
    return [warning["text"] for warning in show(content)] if show else []
