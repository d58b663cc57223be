"""How each kind of comparison is exported: one row a kind. To add a kind, add its row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from benchdb.compare.content import Content
from benchdb.compare.kinds import name_of_schema
from benchdb.compare.page_parts.warning_box import PageWarning
from benchdb.compare.surface import present as surface_present
from benchdb.compare.table import present as table_present

from . import surface, table, trend
from .document import PrintedGrid

Kind = TypeVar("Kind", bound=Content)


@dataclass(frozen=True)
class ExportedKind(Generic[Kind]):
    """The functions and texts of a kind that the formats need.

    `grids`, `findings` and `notes` are for printed documents, `warnings` those of web/partials/warnings.html. `columns`
    are the labels of the columns in reading order. `baseline` is the label of the baseline of verdicts, `noun` the name
    of the whole over which they are corrected, `best_of` the words for the best cells. `draw` is the dotted path of the
    function that draws a picture, because only workers may import Matplotlib. In CSV, lines have the place and the
    method of each cell unless `lines_of_figures_only`, and heads have no units if the content `has_measures_by_row`.
    """

    grids: Callable[[Kind], list[PrintedGrid]]
    notes: Callable[[Kind], list[str]]
    columns: Callable[[Kind], Sequence[str]]
    draw: str
    findings: Callable[[Kind], Sequence[str]] = lambda content: ()
    warnings: Callable[[Kind], Sequence[PageWarning]] = lambda content: ()
    baseline: Callable[[Kind], str] = lambda content: ""
    best_of: Callable[[Kind], str] = lambda content: "Best of its column"
    noun: str = "table"
    lines_of_figures_only: bool = False
    has_measures_by_row: Callable[[Kind], bool] = lambda content: False


# A function that takes a content of any kind gets the functions of this kind from here.
AnyExportedKind = ExportedKind[Any]

EXPORTED_KINDS: dict[str, AnyExportedKind] = {
    "table": ExportedKind(
        grids=table.grids,
        notes=table.notes,
        columns=table.columns,
        draw="benchdb.exports.drawing.table.draw_table",
        warnings=table_present.show_warnings,
        findings=table.findings,
        baseline=table.baseline,
        best_of=table.best_of,
        has_measures_by_row=table.has_measures_by_row,
    ),
    "surface": ExportedKind(
        grids=surface.grids,
        notes=surface.notes,
        columns=surface.columns,
        draw="benchdb.exports.drawing.surface.draw_surface",
        warnings=surface_present.show_warnings,
        baseline=surface.baseline,
        noun="surface",
    ),
    "trend": ExportedKind(
        grids=trend.grids,
        notes=trend.notes,
        columns=trend.columns,
        draw="benchdb.exports.drawing.trend.draw_trend",
        lines_of_figures_only=True,
    ),
}


def exported_kind(content: Content) -> AnyExportedKind:
    """How a content, live or frozen, is exported. Raises KeyError for an unknown kind."""
    return EXPORTED_KINDS[name_of_schema(content.schema)]
