"""A surface as grids and notes of a printed document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchdb.runs.cells import Cell
from benchdb.runs.numbers import say_number
from benchdb.runs.present import show_cell
from benchdb.runs.units import Unit
from benchdb.runs.words import direction
from benchdb.stats import digits

from .contents import Content
from .printed import SIGNS, Figure, Grid, Head, Line, figure
from .text import clean


def grids(content: Content) -> list[Grid]:
    """A grid a run, then the ratio of the two."""
    unit = f"{content['unit']} {direction(content['higher_is_better'])}"
    found = [
        _grid(content, unit, surface["label"], _rounds(surface), [[_figure(cell) for cell in line] for line in lines])
        for surface in content["surfaces"]
        for lines in [surface["cells"]]
    ]
    if content["ratio"]:
        first, second = (surface["label"] for surface in content["surfaces"])
        ratios = [[_ratio(verdict) for verdict in line] for line in content["ratio"]]
        found.append(_grid(content, "", f"{second} ÷ {first}", "above 1 is better", ratios))
    return found


def _figure(cell: Cell | None) -> Figure:
    """Without the verdict, which stands in the grid of ratios."""
    return figure(show_cell(cell and {**cell, "verdict": None}))


def _ratio(verdict: Mapping[str, Any] | None) -> Figure:
    if verdict is None or verdict["ratio"] is None:
        return Figure(words=SIGNS["none"] if verdict else "")
    return Figure(mean=f"{verdict['ratio']:.3f}", mark=SIGNS.get(verdict["kind"], ""))


def _grid(content: Content, unit: str, label: str, note: str, figures: Sequence[Sequence[Figure]]) -> Grid:
    heads = [Head(clean(size), clean(unit)) for size in content["record_labels"]]
    lines = [Line(clean(size), "", line) for size, line in zip(content["file_labels"], figures, strict=True)]
    return Grid(clean(label), clean(note), "File size ↓ record size →", heads, lines)


def _rounds(surface: Mapping[str, Any]) -> str:
    counts = sorted({cell["n"] for line in surface["cells"] for cell in line if cell and cell["n"]})
    if not counts:
        return ""
    low, high = counts[0], counts[-1]
    return f"n = {low if low == high else f'{low} to {high}'} round{'' if high == 1 else 's'}"


def notes(content: Content) -> list[str]:
    """The content's own notes, and averages, maxima and minima with the warnings that belong to them."""
    several = len(content["surfaces"]) > 1
    said = list(content.get("notes", []))
    for surface in content["surfaces"]:
        for average in surface.get("averages", []):
            where = f"{surface['label']}: " if several else ""
            said.append(where + _average(content, average))
            said += [warning["text"] for warning in average["warnings"]]
    return [*said, content["left_out"]] if content.get("left_out") else said


def _average(content: Content, found: Mapping[str, Any]) -> str:
    unit = Unit(content["unit"], content["base_unit"], content["per"])
    cv = content["statistic"] == "cv"

    def said(value: float) -> str:
        shown = 100 * value if cv else value / unit.per
        return f"{say_number(shown, digits(shown, None, 1))} {'%' if cv else unit.name}"

    def end(name: str) -> str:
        i, j = found[name]["place"]
        place = f"{content['file_labels'][i]} file, {content['record_labels'][j]} records"
        return f"{name} {said(found[name]['value'])} ({place})"

    count = f"{found['cells']} {'cell' if found['cells'] == 1 else 'cells'}"
    of = "all cells" if found["of"] == "all" else f"{found['of']} cells"
    return f"Average of {of} ({count}): {said(found['average'])}; {end('highest')}; {end('lowest')}."
