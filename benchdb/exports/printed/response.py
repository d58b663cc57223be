"""Response curves as grids and notes of a printed document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchdb.compare.guard.levels import unit_of_level
from benchdb.compare.kind import PageOptions
from benchdb.compare.response import present
from benchdb.compare.response.content import ResponseContent
from benchdb.wording.formulas import Figure

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


def places(content: ResponseContent) -> Mapping[str, Sequence[Figure]]:
    """The dimension of the levels, the level as a number with its unit, and a percentile of all rounds together."""
    unit, found = unit_of_level(content.over), dict[str, Sequence[Figure]]()
    for c, curve in enumerate(content.curves):
        for p, point in enumerate(curve.points):
            level, merged = (content.over, point.level, unit), point.together
            found[f"{c}-{p}-0"] = (*level, None, None, None)
            found[f"{c}-{p}-1"] = (
                (*level, merged.value, merged.low, merged.high) if merged else (*level, None, None, None)
            )
    return found


EXPORTED = ExportedKind(
    grids=grids,
    notes=notes,
    columns=columns,
    draw="benchdb.exports.drawing.response.draw_response",
    findings=present.knee_sentences,
    warnings=present.show_warnings,
    place_columns=("over", "over_level", "over_unit", "together", "together_low", "together_high"),
    places=places,
)
