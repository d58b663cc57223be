"""The figures of a surface for web/partials/surface.html and its script. Pure functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.cell_context import headline
from benchdb.runs.cells.verdict import CellVerdict
from benchdb.wording.colours import colours

from .averages import statistic_of
from .colours import colour_scale
from .content import RunSurface, SurfaceContent
from .figures import quantity, say_figure, unit_of
from .heat import show_heats
from .numbers import is_fine

Item = TypeVar("Item")
Shown = TypeVar("Shown")
Numbers = list[list[float | None]]


def show_chart(content: SurfaceContent) -> dict[str, object]:
    """The figures; a cell without a number is null in the matrices."""
    sizes, surfaces = content.record_sizes, content.surfaces
    # The initial slice: the record size with the most file sizes, the largest one of several.
    filled = [sum(line[j] is not None for surface in surfaces for line in surface.cells) for j in range(len(sizes))]
    chosen = max(range(len(sizes)), key=lambda j: (filled[j], j))
    labels = [surface.label for surface in surfaces]
    what = f"{quantity(content)}, {unit_of(content).name}"
    compared = f"{labels[-1]} ÷ {labels[0]}"
    named = [*((label, what) for label in labels), *([(compared, "ratio")] if content.ratio else [])]
    # The data of the script (docs/frontend.md, "Surface"): matrices in the shown unit, `[file size][record
    # size]`.
    # A record size at which the surface can be cut.
    return {
        "data": {
            "test": content.test,
            "statistic": content.statistic,
            "record_sizes": sizes,
            "file_sizes": content.file_sizes,
            "marks": content.marks,
            "title": content.label,
            "quantity": quantity(content),
            "unit": unit_of(content).name,
            "surfaces": [
                _surface(content, surface, colour) for surface, colour in zip(surfaces, colours(labels), strict=True)
            ],
            "ratio": content.ratio and _ratio(content, content.ratio, compared),
            "colours": _colours(content),
        },
        "panels": [
            {"label": label, "what": shown, "heat": heat}
            for (label, shown), heat in zip(named, show_heats(content), strict=True)
        ],
        "runs": labels,
        "ratio": compared if content.ratio else None,
        "test": content.label,
        "record_sizes": [
            {"bytes": size, "text": label, "selected": j == chosen}
            for j, (size, label) in enumerate(zip(sizes, content.record_labels, strict=True))
        ],
    }


def _colours(content: SurfaceContent) -> dict[str, object] | None:
    scale, per = colour_scale(content), unit_of(content).per
    if scale is None:
        return None
    # The scale of colours in the shown unit.
    return {"low": scale.low / per, "high": scale.high / per, "logarithmic": scale.logarithmic}


def _surface(content: SurfaceContent, surface: RunSurface, colour: int) -> dict[str, object]:
    statistic, unit = content.statistic, unit_of(content)
    digits = _digits(content)

    def shown(cell: Cell) -> float | None:
        value = None if cell.mean is None else statistic_of(cell, statistic)
        return None if value is None else digits(value / unit.per)

    def spread(cell: Cell) -> float | None:
        return None if statistic != "mean" or cell.sd is None else digits(cell.sd / unit.per)

    # The matrices of a run, and the colour of its line in slices (1 to 7). Without any spread, or texts of a
    # fine surface, these are None.
    return {
        "label": surface.label,
        "colour": colour,
        "value": _matrix(surface.cells, shown),
        "spread": _unless_empty(_matrix(surface.cells, spread)),
        "text": None if is_fine(content) else _matrix(surface.cells, lambda cell: _text(cell, content)),
    }


def _digits(content: SurfaceContent) -> Callable[[float | None], float | None]:
    """A function that rounds figures of a fine surface to four significant digits, or the page would be megabytes."""
    if not is_fine(content):
        return lambda value: value
    return lambda value: None if value is None else float(f"{value:.4g}")


def _matrix(
    lines: Sequence[Sequence[Item | None]], of_cell: Callable[[Item], Shown | None]
) -> list[list[Shown | None]]:
    return [[None if cell is None else of_cell(cell) for cell in line] for line in lines]


def _unless_empty(matrix: Numbers) -> Numbers | None:
    return matrix if any(value is not None for line in matrix for value in line) else None


def _text(cell: Cell, content: SurfaceContent) -> str:
    """The text at the pointer: `109.3 ± 0.4 MiB/s, n = 5`, `CV 0.37 % of 109.3 ± 0.4 MiB/s, n = 5`, or the error."""
    words = headline(cell, content.measure.shown)
    if cell.mean is None:
        return f"failed: {cell.error}" if cell.status == "failed" and cell.error else words
    value = None if content.statistic == "mean" else statistic_of(cell, content.statistic)
    name = {"sd": "sd", "cv": "CV"}.get(content.statistic, "")
    prefix = "" if value is None else f"{name} {say_figure(value, content)} {unit_of(content).name} of "
    return f"{prefix}{words}" + ("" if cell.n is None else f", n = {cell.n}")


def _ratio(content: SurfaceContent, ratio: Sequence[Sequence[CellVerdict | None]], label: str) -> dict[str, object]:
    digits = _digits(content)
    # The ratio of two surfaces and the ends of its intervals.
    return {
        "label": label,
        "margin": content.margin,
        "higher_is_better": content.higher_is_better,
        "value": _matrix(ratio, lambda verdict: digits(verdict.ratio)),
        "low": _matrix(ratio, lambda verdict: digits(verdict.low)),
        "high": _matrix(ratio, lambda verdict: digits(verdict.high)),
        "verdict": _matrix(ratio, lambda verdict: verdict.kind),
        "text": None if is_fine(content) else _matrix(ratio, lambda verdict: verdict.why),
    }
