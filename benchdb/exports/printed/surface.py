"""A surface as grids and notes of a printed document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from benchagent.verdicts import VERDICTS
from benchdb.compare.surface import present as surface_present
from benchdb.compare.surface.averages import ALL, Average, Extreme, RatioAverage
from benchdb.compare.surface.content import RunSurface, SurfaceContent
from benchdb.compare.surface.figures import quantity, say_figure, unit_of
from benchdb.compare.surface.present import say_ratio_average
from benchdb.compare.surface.shape import say_shape
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.cell_context import show_cell
from benchdb.runs.cells.verdict import CellVerdict
from benchdb.wording.clean import clean
from benchdb.wording.numbers import say_ratio
from benchdb.wording.words import direction

from .document import ColumnHead, PrintedCell, PrintedGrid, PrintedRow, printed_cell
from .kind import ExportedKind

KINDS = {"device": "device", "mixed": "partly cached", "cached": "cached"}


def grids(content: SurfaceContent) -> list[PrintedGrid]:
    """A grid a run, then the ratio of the two."""
    unit = unit_of(content).name
    if content.statistic == "mean":
        unit = f"{unit} {direction(content.higher_is_better)}"
    grids = [
        _grid(content, unit, _label(content, surface), _rounds(surface), _figures(content, surface.cells))
        for surface in content.surfaces
    ]
    if content.ratio:
        first, second = (surface.label for surface in content.surfaces)
        ratios = [[_ratio(verdict) for verdict in line] for line in content.ratio]
        grids.append(_grid(content, "", f"{second} ÷ {first}", better(content), ratios))
    return grids


def better(content: SurfaceContent) -> str:
    """Which ratios are good."""
    return f"{'above' if content.higher_is_better else 'below'} 1 is better"


def columns(content: SurfaceContent) -> list[str]:
    """The labels of the record sizes."""
    return content.record_labels


def baseline(content: SurfaceContent) -> str:
    """The label of the first surface."""
    return content.surfaces[0].label


def _label(content: SurfaceContent, surface: RunSurface) -> str:
    """`ext4`, `ext4, CV of throughput`."""
    return ", ".join([surface.label, *([] if content.statistic == "mean" else [quantity(content)])])


def _figures(content: SurfaceContent, lines: Sequence[Sequence[Cell | None]]) -> list[list[PrintedCell]]:
    """The chosen statistic, as on the page, but without verdicts, which belong to the grid of ratios."""
    bare = [[cell and replace(cell, verdict=None) for cell in line] for line in lines]
    return [
        [printed_cell(surface_present.in_statistic(show_cell(cell), cell, content)) for cell in line] for line in bare
    ]


def _ratio(verdict: CellVerdict | None) -> PrintedCell:
    if verdict is None or verdict.ratio is None:
        return PrintedCell(words=VERDICTS["none"].sign if verdict else "")
    return PrintedCell(mean=say_ratio(verdict.ratio), mark=VERDICTS[verdict.kind].sign)


def _grid(
    content: SurfaceContent, unit: str, label: str, note: str, figures: Sequence[Sequence[PrintedCell]]
) -> PrintedGrid:
    heads = [ColumnHead(clean(size), clean(unit)) for size in content.record_labels]
    lines = [PrintedRow(clean(size), "", line) for size, line in zip(content.file_labels, figures, strict=True)]
    return PrintedGrid(clean(label), clean(note), "File size ↓ record size →", heads, lines)


def _rounds(surface: RunSurface) -> str:
    counts = sorted({cell.n for line in surface.cells for cell in line if cell and cell.n})
    if not counts:
        return ""
    low, high = counts[0], counts[-1]
    return f"n = {low if low == high else f'{low} to {high}'} round{'' if high == 1 else 's'}"


def notes(content: SurfaceContent) -> list[str]:
    """The sentences and notes of the page, and averages, maxima and minima with their warnings."""
    several = len(content.surfaces) > 1
    texts = [*say_shape(content), *surface_present.notes(content)]
    for surface in content.surfaces:
        for average in surface.averages:
            prefix = f"{surface.label}: " if several else ""
            texts.append(prefix + _average(content, average))
            texts += [warning.text for warning in average.warnings]
    texts += [_ratio_average(content, average) for average in content.ratio_averages if average.ratio is not None]
    return [*texts, content.left_out] if content.left_out else texts


def _average(content: SurfaceContent, average: Average) -> str:
    unit = unit_of(content).name

    def in_unit(value: float) -> str:
        return f"{say_figure(value, content)} {unit}"

    def end(name: str, extreme: Extreme) -> str:
        i, j = extreme.place
        sizes = f"{content.file_labels[i]} file, {content.record_labels[j]} records"
        return f"{name} {in_unit(extreme.value)} ({sizes})"

    extremes = f"{end('highest', average.highest)}; {end('lowest', average.lowest)}"
    return f"Average of {_cells(average)}: {in_unit(average.average)}; {extremes}."


def _ratio_average(content: SurfaceContent, average: RatioAverage) -> str:
    first, second = (surface.label for surface in content.surfaces)
    change = say_ratio_average(content.metric, average)
    return f"Geometric mean of the ratios {second} ÷ {first} over {_cells(average)}: {change}."


def _cells(average: Average | RatioAverage) -> str:
    """`all 24 cells`, `12 device cells`, `1 partly cached cell`, `3 cells of unknown cache`."""
    of, count = average.of, average.cells
    before = f"{count} {KINDS[of]} cell" if of in KINDS else f"{'all ' if of == ALL else ''}{count} cell"
    return f"{before}{'' if count == 1 else 's'}{' of unknown cache' if of == 'unknown' else ''}"


EXPORTED = ExportedKind(
    grids=grids,
    notes=notes,
    columns=columns,
    draw="benchdb.exports.drawing.surface.draw_surface",
    warnings=surface_present.show_warnings,
    baseline=baseline,
    noun="surface",
)
