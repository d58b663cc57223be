"""How a kind of comparison is exported. Each kind has a module here, named like the kind, with its `EXPORTED`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from benchdb.compare.content import Content
from benchdb.compare.page_parts.warning_box import PageWarning
from benchdb.wording.formulas import Figure

from .document import PrintedGrid

Kind = TypeVar("Kind", bound=Content)


@dataclass(frozen=True)
class ExportedKind(Generic[Kind]):
    """The functions and texts of a kind that the formats need.

    `grids`, `findings` and `notes` are for printed documents, `warnings` those of web/partials/warnings.html. `columns`
    are the labels of the columns in reading order. `baseline` is the label of the baseline of verdicts, `noun` the name
    of the whole over which they are corrected, `best_of` the words for the best cells. `draw` is the dotted path of the
    function that draws a picture, because only workers load what draws it. In CSV, lines have the place and the
    method of each cell unless `lines_of_figures_only`, and heads have no units if the content `has_measures_by_row`.
    `place_columns` are further columns of a cell's place there, and `places` their figures by the key of the cell.
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
    place_columns: Sequence[str] = ()
    places: Callable[[Kind], Mapping[str, Sequence[Figure]]] = lambda content: {}
