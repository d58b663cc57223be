"""The content of a surface (schema `benchdb.surface/2`), read by pages, exports and permalinks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from benchdb.compare.content import ComparedContent, Measure, Placed
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.verdict import CellVerdict

from .averages import Average, RatioAverage, averages, grouped, left_out, ratio_averages
from .cache_marks import SizeMark

SCHEMA = "benchdb.surface/2"


@dataclass(frozen=True, slots=True)
class RunSurface:
    """The surface of a run: `cells[i][j]` is file size i, record size j; None if nothing was measured."""

    run: str
    label: str
    command: str
    rounds: int
    cells: list[list[Cell | None]]
    averages: list[Average]


@dataclass(frozen=True, slots=True)
class ShapeFinding:
    """A sentence about the surfaces `of` (their indices), and what it rests on.

    `kind` is memory, step or outlier. `sizes` are in bytes: the largest file and memory; the sizes before and after a
    step of `axis`; or the outlying size and its two neighbours. The ratio is that of the later size, or of the outlying
    one, to the others; its interval holds for all ratios of the surface together (docs/statistics.md).
    """

    kind: str
    of: list[int]
    axis: str
    sizes: list[int]
    ratio: float | None
    low: float | None
    high: float | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SurfaceContent(ComparedContent):
    """The surfaces of runs; two have a `ratio`, and the cells of the second have verdicts against the first.

    Sizes are in bytes, ascending, with a label each. `factor` is the dimension that distinguishes the runs. `left_out`
    is a sentence about cells that are in no average. Contents of the first release have no `shape`.
    """

    test: str
    label: str
    metric: str
    unit: str
    base_unit: str
    per: float
    higher_is_better: bool
    file_sizes: list[int]
    file_labels: list[str]
    record_sizes: list[int]
    record_labels: list[str]
    surfaces: list[RunSurface]
    marks: list[SizeMark]
    factor: str
    left_out: str | None = None
    ratio: list[list[CellVerdict | None]] | None = None
    ratio_averages: list[RatioAverage]
    shape: list[ShapeFinding] = field(default_factory=list)

    @property
    def measure(self) -> Measure:
        """The measure of every cell."""
        return Measure(self.metric, self.unit, self.base_unit, self.per, self.higher_is_better)


def cells(content: SurfaceContent) -> Iterator[Placed]:
    """Every cell that was measured (or failed, or was deleted): run by run, a row a file size, a column a record size.

    `split` is the test, and the run if there are several; `key` is `RUN-FILE-RECORD`, counted from 0.
    """
    measure, several = content.measure, len(content.surfaces) > 1
    for s, surface in enumerate(content.surfaces):
        split = f"{content.label}, {surface.label}" if several else content.label
        for i, (row, line) in enumerate(zip(content.file_labels, surface.cells, strict=True)):
            for j, (column, cell) in enumerate(zip(content.record_labels, line, strict=True)):
                if cell is not None:
                    yield Placed(f"{s}-{i}-{j}", split, row, column, cell, measure)


def derived(content: SurfaceContent) -> SurfaceContent:
    """The content with the figures computed from its cells: averages, the cells left out of them, and the ratio."""
    grids = [surface.cells for surface in content.surfaces]
    groups = grouped(grids)
    return replace(
        content,
        surfaces=[
            replace(surface, averages=averages(surface.cells, groups, content.statistic))
            for surface in content.surfaces
        ],
        left_out=left_out(grids),
        ratio=[[cell.verdict if cell else None for cell in line] for line in grids[1]] if len(grids) == 2 else None,
        ratio_averages=ratio_averages(grids, groups),
    )
