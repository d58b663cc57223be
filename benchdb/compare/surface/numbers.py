"""The numbers of a surface too fine for cells with panels and links: only one figure a cell. Pure functions."""

from __future__ import annotations

from benchdb.runs.cells.cell import Cell
from benchdb.wording.sizes import unbroken
from benchdb.wording.units import Unit
from benchdb.wording.words import direction

from .averages import statistic_of
from .content import SurfaceContent
from .figures import say_in, unit_of

MOST_ANSWERING = 2_000  # cells with their sd, panel and link: about 150 kB compressed
WORDS = {"failed": "failed", "unmeasurable": "too fast", "computing": "…", "deleted": "deleted"}


def is_fine(content: SurfaceContent) -> bool:
    """Whether the surfaces have too many cells for a page with panels and links."""
    return len(content.file_sizes) * len(content.record_sizes) * len(content.surfaces) > MOST_ANSWERING


def show_numbers(content: SurfaceContent) -> dict[str, object]:
    """The numbers: a group a run, a row a file size, the largest first as in the heat map."""
    several, unit = len(content.surfaces) > 1, unit_of(content)
    # The figures of a file size, or words in their place.
    # The rows of a run; the label is None if there is one.
    return {
        "label": content.title,
        "unit": unit.name,
        "direction": direction(content.higher_is_better) if content.statistic == "mean" else "",
        "columns": [unbroken(label) for label in content.record_labels],
        "groups": [
            {
                "label": surface.label if several else None,
                "rows": [
                    {
                        "label": unbroken(label),
                        "cells": [_figure_or_word(cell, content.statistic, unit) for cell in line],
                    }
                    for label, line in reversed(list(zip(content.file_labels, surface.cells, strict=True)))
                ],
            }
            for surface in content.surfaces
        ],
    }


def _figure_or_word(cell: Cell | None, statistic: str, unit: Unit) -> str:
    """The chosen statistic, or a word if the cell has none, or "" if nothing was measured."""
    if cell is None:
        return ""
    value = None if cell.mean is None else statistic_of(cell, statistic)
    return say_in(value, statistic, unit) if value is not None else WORDS.get(cell.status, "–")
