"""How each kind of comparison is exported: one row a kind. To add a kind, add its row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchdb.compare.content import Content
from benchdb.compare.kinds import name_of_kind
from benchdb.compare.surface import present as surface_present
from benchdb.compare.table import present as table_present

from . import surface, table, trend
from .document import PrintedGrid


def _no_warnings(content: Content) -> list[Mapping[str, Any]]:
    return []


@dataclass(frozen=True)
class ExportedKind:
    """The functions and texts of a kind that the formats need.

    `grids` and `notes` are for printed documents, `warnings` those of web/partials/warnings.html. `columns` are the
    labels of the columns in reading order. `baseline` is the label of the baseline of verdicts, `noun` the name of the
    whole over which they are corrected. `draw` is the dotted path of the function that draws a picture, because only
    workers may import Matplotlib. In CSV, lines have the place and the method of each cell unless
    `lines_of_figures_only`, and heads have no units if the content `has_measures_by_row`.
    """

    grids: Callable[[Content], list[PrintedGrid]]
    notes: Callable[[Content], list[str]]
    columns: Callable[[Content], Sequence[str]]
    draw: str
    warnings: Callable[[Content], Sequence[Mapping[str, Any]]] = _no_warnings
    baseline: Callable[[Content], str] = lambda content: str(content.get("baseline"))
    noun: str = "table"
    lines_of_figures_only: bool = False
    has_measures_by_row: Callable[[Content], bool] = lambda content: False


EXPORTED_KINDS: dict[str, ExportedKind] = {
    "table": ExportedKind(
        grids=table.grids,
        notes=table.notes,
        columns=lambda content: [head["label"] for head in content["heads"]],
        draw="benchdb.exports.drawing.table.draw_table",
        warnings=table_present.show_warnings,
        has_measures_by_row=lambda content: not all(head.get("metric") for head in content["heads"]),
    ),
    "surface": ExportedKind(
        grids=surface.grids,
        notes=surface.notes,
        columns=lambda content: content["record_labels"],
        draw="benchdb.exports.drawing.surface.draw_surface",
        warnings=surface_present.show_warnings,
        baseline=lambda content: str(content["surfaces"][0]["label"]),
        noun="surface",
    ),
    "trend": ExportedKind(
        grids=trend.grids,
        notes=trend.notes,
        columns=lambda content: [content["label"]],
        draw="benchdb.exports.drawing.trend.draw_trend",
        lines_of_figures_only=True,
    ),
}


def exported_kind(content: Content) -> ExportedKind:
    """How a content, live or frozen, is exported. Raises KeyError for an unknown kind."""
    return EXPORTED_KINDS[name_of_kind(content)]
