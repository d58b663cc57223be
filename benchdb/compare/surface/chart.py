"""The figures of a surface for web/partials/surface.html and its script. Pure functions of plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from benchdb.compare.content import Content, Context
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.cell_context import headline
from benchdb.wording.numbers import say_number

from .averages import statistic_of
from .content import measure
from .figures import quantity, say_figure, unit_of
from .heat import show_heats
from .numbers import is_fine


def show_chart(content: Content) -> Context:
    """The context of web/partials/surface.html: matrices in the shown unit, null for a cell without a number.

    The matrix of spreads is null if it is empty; the matrix of texts is null for a fine surface.
    """
    sizes, surfaces = content["record_sizes"], content["surfaces"]
    # The initial slice: the record size with the most file sizes, the largest one of several.
    filled = [sum(line[j] is not None for surface in surfaces for line in surface["cells"]) for j in range(len(sizes))]
    chosen = max(range(len(sizes)), key=lambda j: (filled[j], j))
    keys = ("test", "statistic", "record_sizes", "file_sizes", "marks")
    labels = [surface["label"] for surface in surfaces]
    name = f"{labels[-1]} ÷ {labels[0]}"
    ratio = content["ratio"] and {"label": name, "margin": content["margin"], **_ratio(content)}
    what = f"{quantity(content)}, {unit_of(content).name}"
    panels = [
        *({"label": label, "what": what, "ratio": False} for label in labels),
        *([{"label": name, "what": "ratio of means", "ratio": True}] if ratio else []),
    ]
    return {
        "data": {
            **{key: content[key] for key in keys},
            "title": content["label"],
            "quantity": quantity(content),
            "unit": unit_of(content).name,
            "surfaces": [_surface(content, surface) for surface in surfaces],
            "ratio": ratio,
        },
        "panels": [{**panel, "heat": heat} for panel, heat in zip(panels, show_heats(content), strict=True)],
        "test": content["label"],
        "record_sizes": [
            {"bytes": size, "text": label, "selected": j == chosen}
            for j, (size, label) in enumerate(zip(sizes, content["record_labels"], strict=True))
        ],
    }


def _surface(content: Content, surface: Mapping[str, Any]) -> Context:
    statistic, unit = content["statistic"], unit_of(content)
    digits = _digits(content)

    def shown(cell: Cell) -> float | None:
        value = None if cell.get("mean") is None else statistic_of(cell, statistic)
        return None if value is None else digits(value / unit.per)

    def spread(cell: Cell) -> float | None:
        return None if statistic != "mean" or cell.get("sd") is None else digits(cell["sd"] / unit.per)

    return {
        "label": surface["label"],
        "value": _matrix(surface["cells"], shown),
        "spread": _unless_empty(_matrix(surface["cells"], spread)),
        "text": None if is_fine(content) else _matrix(surface["cells"], lambda cell: _text(cell, content)),
    }


def _digits(content: Content) -> Callable[[float | None], float | None]:
    """A function that rounds figures of a fine surface to four significant digits, or the page would be megabytes."""
    if not is_fine(content):
        return lambda value: value
    return lambda value: None if value is None else float(f"{value:.4g}")


def _matrix(lines: Sequence[Sequence[Any]], of_cell: Any) -> list[list[Any]]:
    return [[None if cell is None else of_cell(cell) for cell in line] for line in lines]


def _unless_empty(matrix: list[list[Any]]) -> list[list[Any]] | None:
    return matrix if any(value is not None for line in matrix for value in line) else None


def _text(cell: Cell, content: Content) -> str:
    """The text at the pointer: `109.3 ± 0.4 MiB/s, n = 5`, `CV 0.37 % of 109.3 ± 0.4 MiB/s, n = 5`, or the error."""
    if cell.get("mean") is None:
        error = cell.get("error")
        return f"failed: {error}" if cell["status"] == "failed" and error else headline(cell, measure(content).shown)
    value = None if content["statistic"] == "mean" else statistic_of(cell, content["statistic"])
    name = {"sd": "sd", "cv": "CV"}.get(content["statistic"], "")
    prefix = "" if value is None else f"{name} {say_figure(value, content)} {unit_of(content).name} of "
    n = "" if cell["n"] is None else f", n = {cell['n']}"
    return f"{prefix}{headline(cell, measure(content).shown)}{n}"


def _ratio(content: Content) -> Context:
    ratio, digits = content["ratio"], _digits(content)
    return {
        "value": _matrix(ratio, lambda verdict: digits(verdict["ratio"])),
        "low": _matrix(ratio, lambda verdict: digits(verdict["low"])),
        "high": _matrix(ratio, lambda verdict: digits(verdict["high"])),
        "verdict": _matrix(ratio, lambda verdict: verdict["kind"]),
        "text": None if is_fine(content) else _matrix(ratio, _ratio_text),
    }


def _ratio_text(verdict: Mapping[str, Any]) -> str:
    ratio = verdict["ratio"]
    return verdict["why"] if ratio is None else f"{say_number(ratio, 3)} ×. {verdict['why']}"
