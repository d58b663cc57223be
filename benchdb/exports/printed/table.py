"""A table as grids and notes of a printed document."""

from __future__ import annotations

from benchdb.compare.kind import PageOptions
from benchdb.compare.table import present
from benchdb.compare.table.content import TableContent
from benchdb.compare.table.grid import grid_of

from .document import PrintedGrid, grids_of
from .kind import ExportedKind


def grids(content: TableContent) -> list[PrintedGrid]:
    """A grid for each split, as on the page."""
    return grids_of(present.show_table(grid_of(content), PageOptions()))


def columns(content: TableContent) -> list[str]:
    """The labels of the heads."""
    return [head.label for head in content.heads]


def findings(content: TableContent) -> list[str]:
    """The sentences of the findings."""
    return [finding.text for finding in content.findings]


def baseline(content: TableContent) -> str:
    """The label of the baseline: a value of the factor."""
    return content.baseline


def best_of(content: TableContent) -> str:
    """`Best of its column` if only rows are compared, otherwise the factor."""
    if content.factor.names == content.rows.names:
        return "Best of its column"
    return f"The best {content.factor.label} of those that differ in nothing else"


def has_measures_by_row(content: TableContent) -> bool:
    """Whether rows or groups have the metrics instead of heads."""
    return not all(head.metric for head in content.heads)


def notes(content: TableContent) -> list[str]:
    """The notes of the page, and the geometric means."""
    return [*present.notes(grid_of(content)), *_geometric_means(content)]


def _geometric_means(content: TableContent) -> list[str]:
    """`Geometric mean of the ratios to ext4, on the device: xfs 19 % faster (15 % to 24 %, 5 cells).`"""
    means = present.show_geometric_means(content)
    if means is None:
        return []
    sentences = []
    for i, kind in enumerate(means.kinds):
        texts = [f"{row.label} {_mean_ratio(mean)}" for row in means.rows if (mean := row.means[i]) is not None]
        sentences.append(f"Geometric mean of the ratios to {means.baseline}, {kind}: {', '.join(texts)}.")
    return [*sentences, *means.machines]


def _mean_ratio(mean: present.ShownMean) -> str:
    warnings = [warning.removesuffix(".") for warning in mean.warnings]
    return f"{mean.change} ({', '.join(filter(None, [mean.interval, mean.cells, *warnings]))})"


EXPORTED = ExportedKind(
    grids=grids,
    notes=notes,
    columns=columns,
    draw="benchdb.exports.drawing.table.draw_table",
    findings=findings,
    warnings=present.show_warnings,
    baseline=baseline,
    best_of=best_of,
    has_measures_by_row=has_measures_by_row,
)
