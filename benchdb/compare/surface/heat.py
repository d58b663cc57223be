"""Heat maps as tables of coloured cells, which need no scripts or WebGL and can be printed. Pure functions.

A cell is its classes (styles/_heat.scss): `m0` to `m31` for the scale of magnitudes, `r0` to `r20` for that of ratios,
and one letter for a sign. File sizes grow upwards, record sizes to the right. The map of a fine surface is drawn as
areas (`.heat_areas`), because a table of ten thousand cells takes the browser longer than the rest of the page.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence, Set
from math import ceil, log2

from benchagent.verdicts import VERDICTS
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.verdict import CellVerdict
from benchdb.wording.numbers import say_factor
from benchdb.wording.sizes import unbroken

from .averages import SurfaceCells
from .colours import ColourScale, colour_scale, figure_of, say_ends
from .content import SurfaceContent
from .figures import say_figure
from .heat_areas import ROOMS, HeatMap, heat_areas, heat_cells

MAGNITUDES, RATIOS = 32, 21  # colours of a scale
SMALLEST_REACH = log2(1.05)  # of the scale of ratios, so that a few per cent get no deep colour
MOST_ROW_LABELS, MOST_COLUMN_LABELS, MOST_BESIDE = 20, 6, 4  # the last for maps beside each other
SIGNS = {"better": "b", "worse": "w", "equivalent": "e", "inconclusive": "q", "none": "n"}
HOLES = {"failed": "x", "unmeasurable": "f"}
MOST_SIGNED = 20  # rows or columns; smaller cells have no room for signs
LEGEND = {
    **{sign: VERDICTS[kind] for kind, sign in SIGNS.items()},
    "x": ("✕", "failed"),
    "f": ("»", "too fast for the tool's clock"),
}
FINE_LEGEND = {"b": ("blue", "better"), "w": ("orange", "worse"), "g": ("grey", "no difference is established")}


def show_heats(content: SurfaceContent) -> list[dict[str, object]]:
    """The maps: one a surface, on a common scale, and one for the ratio."""
    values = [_values(content, surface.cells) for surface in content.surfaces]
    scale = colour_scale(content)
    ticks = say_ends(scale, content) if scale else []
    heats = [
        _heat(
            content, {s}, _magnitudes(surface.cells, values[s], scale), {"kind": "magnitude", "ticks": ticks}, values[s]
        )
        for s, surface in enumerate(content.surfaces)
    ]
    return [*heats, _ratio(content, content.ratio)] if content.ratio else heats


def _heat(
    content: SurfaceContent,
    of: Set[int],
    classes: Sequence[Sequence[str]],
    scale: dict[str, object],
    values: Sequence[Sequence[float | None]] = (),
) -> dict[str, object]:
    """One heat map; `of` are the indices of the runs whose marks it shows, `values` are printed if there is room."""
    files, records = content.file_labels, content.record_labels
    file_ends = _ends(content, "file_size", content.file_sizes, of)
    record_ends = _ends(content, "record_size", content.record_sizes, of)
    fine = max(len(files), len(records)) > MOST_SIGNED
    signs_shown = {sign for line in classes for cell_classes in line for sign in cell_classes.split()}
    tall = ceil(len(files) / MOST_ROW_LABELS)
    wide = ceil(len(records) / (MOST_COLUMN_LABELS if len(content.surfaces) == 1 else MOST_BESIDE))
    file_labels = [unbroken(file) if i % tall == 0 else "" for i, file in enumerate(files[::-1])][::-1]
    record_labels = [unbroken(record) if j % wide == 0 else "" for j, record in enumerate(records)]
    if fine or len(records) > max(ROOMS):
        values = ()
    figures = [["" if value is None else say_figure(value, content) for value in line] for line in values]
    heat_map = HeatMap(classes, figures, file_labels, record_labels, file_ends, record_ends)
    legend = FINE_LEGEND if fine else LEGEND
    signs = [{"sign": sign, "text": text} for key, (sign, text) in legend.items() if key in signs_shown]
    return {"map": heat_areas(heat_map) if fine else heat_cells(heat_map), "fine": fine, "scale": scale, "signs": signs}


def _ends(content: SurfaceContent, axis: str, sizes: Sequence[int], of: Set[int]) -> dict[int, str]:
    """The caches that end just before a size, by the index of the size: `{3: "L1 L2"}`."""
    ends = dict[int, str]()
    for mark in content.marks:
        at = bisect_right(sizes, mark.bytes)
        if mark.axis == axis and 0 < at < len(sizes) and of & set(mark.of):
            ends[at] = " ".join(filter(None, [ends.get(at), mark.label]))
    return ends


def _values(content: SurfaceContent, cells: SurfaceCells) -> list[list[float | None]]:
    """The chosen statistic of each cell in base units."""
    return [[None if cell is None else figure_of(cell, content) for cell in line] for line in cells]


def _magnitudes(
    cells: SurfaceCells, values: Sequence[Sequence[float | None]], scale: ColourScale | None
) -> list[list[str]]:
    def classes(cell: Cell | None, value: float | None) -> str:
        if value is None or scale is None:
            return "" if cell is None else HOLES.get(cell.status, "")
        return f"m{min(MAGNITUDES - 1, int(scale.share(value) * MAGNITUDES))}"

    return [list(map(classes, *line)) for line in zip(cells, values, strict=True)]


def _ratio(content: SurfaceContent, ratio: Sequence[Sequence[CellVerdict | None]]) -> dict[str, object]:
    established = [
        abs(log2(verdict.ratio))
        for line in ratio
        for verdict in line
        if verdict and verdict.ratio and verdict.kind in ("better", "worse")
    ]
    reach = max([SMALLEST_REACH, *established])
    better = 1 if content.higher_is_better else -1
    ends = [say_factor(2.0**power) for power in (-better * reach, 0, better * reach)]
    classes = [[_verdict(verdict, better * reach) for verdict in line] for line in ratio]
    return _heat(content, set(range(len(content.surfaces))), classes, {"kind": "ratio", "ticks": ends})


def _verdict(verdict: CellVerdict | None, reach: float) -> str:
    """The classes of a cell; `reach` is log₂ of the ratio at the better end of the scale."""
    if verdict is None:
        return ""
    sign = SIGNS[verdict.kind]
    if sign not in "bw" or not verdict.ratio:
        return f"g {sign}"
    share = 0.5 + log2(verdict.ratio) / reach / 2
    return f"r{min(RATIOS - 1, int(share * RATIOS))} {sign}"
