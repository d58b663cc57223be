"""Compose the printed document of a content."""

from __future__ import annotations

from benchdb.compare.content import ComparedContent
from benchdb.compare.page_parts.differences import show_differences
from benchdb.exports.contents import Content, cells, named
from benchdb.exports.origin import Origin
from benchdb.wording.clean import clean

from . import method
from .document import PrintedDocument, cell_notes, difference_notes
from .kinds import exported_kind


def print_document(content: Content, origin: Origin) -> PrintedDocument:
    """The document of a content of any kind and schema."""
    placed = list(cells(content))
    measured = [cell.cell for cell in placed]
    kind = exported_kind(content)
    return PrintedDocument(
        title=clean(content.title),
        subtitle=clean(content.subtitle),
        warnings=[clean(text) for text in [*origin.notices, *doubts(content)]],
        findings=[clean(text) for text in kind.findings(content)],
        differences=differing(content),
        grids=kind.grids(content),
        notes=[
            *_shared(content),
            *map(clean, kind.notes(content)),
            *cell_notes([(named(cell), cell.cell) for cell in placed]),
        ],
        legend=[clean(text) for text in method.legend(content, measured)],
        method=[clean(text) for text in method.method(content, measured, origin)],
    )


def differing(content: Content) -> list[str]:
    """The differences besides the factor, a line a difference."""
    return difference_notes(show_differences(content) if isinstance(content, ComparedContent) else [])


def _shared(content: Content) -> list[str]:
    """`In all runs: CPU AMD EPYC; memory 8 GiB.`, if anything is known to be the same."""
    facts = content.shared if isinstance(content, ComparedContent) else []
    return [clean(f"In all runs: {'; '.join(f'{fact.label} {fact.value}' for fact in facts)}.")] if facts else []


def doubts(content: Content) -> list[str]:
    """The reasons to doubt the whole table or the ratio of two surfaces."""
    return [warning.text for warning in exported_kind(content).warnings(content)]
