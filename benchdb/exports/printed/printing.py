"""A content becomes a printed document (`printed.py`)."""

from __future__ import annotations

from benchdb.compare.page_parts.differences import show_differences
from benchdb.exports.contents import Content, cells, named
from benchdb.exports.origin import Origin

from . import method
from .document import Printed, said_of_cells, said_of_differences
from .kinds import exported_kind
from .text import clean


def printed(content: Content, origin: Origin) -> Printed:
    """The document of a content of any kind and schema."""
    placed = list(cells(content))
    measured = [each.cell for each in placed]
    kind = exported_kind(content)
    return Printed(
        title=clean(content["title"]),
        subtitle=clean(content["subtitle"]),
        warnings=[clean(text) for text in [*origin.notices, *doubts(content)]],
        findings=[clean(finding["text"]) for finding in content.get("findings", [])],
        differences=differing(content),
        grids=kind.grids(content),
        notes=[*map(clean, kind.notes(content)), *said_of_cells([(named(each), each.cell) for each in placed])],
        legend=[clean(text) for text in method.legend(content, measured)],
        method=[clean(text) for text in method.method(content, measured, origin)],
    )


def differing(content: Content) -> list[str]:
    """What differs besides what is compared, a line a difference."""
    return said_of_differences(show_differences(content) if "differences" in content else [])


def doubts(content: Content) -> list[str]:
    """What makes the whole table, or the ratio of two surfaces, doubtful."""
    return [warning["text"] for warning in exported_kind(content).warnings(content)]
