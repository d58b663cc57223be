"""A table as grids and notes of a printed document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchdb.compare.table import present
from benchdb.exports.contents import Content

from .document import PrintedGrid, grids_of


def grids(content: Content) -> list[PrintedGrid]:
    """A grid for each split, as on the page."""
    return grids_of(present.show_table(content))


def notes(content: Content) -> list[str]:
    """The notes of the page, and the geometric means."""
    return [*present.notes(content), *_geometric_means(content)]


def _geometric_means(content: Content) -> list[str]:
    """`Geometric mean of the ratios to ext4, on the device: xfs +19 % (+15 % to +24 %, 5 cells).`, as on the page."""
    means = present.show_geometric_means(content)
    if means is None:
        return []
    sentences = []
    for i, kind in enumerate(means["kinds"]):
        texts = [f"{row['label']} {_mean_ratio(row['means'][i])}" for row in means["rows"] if row["means"][i]]
        sentences.append(f"Geometric mean of the ratios to {means['baseline']}, {kind}: {', '.join(texts)}.")
    return sentences


def _mean_ratio(mean: Mapping[str, Any]) -> str:
    return f"{mean['change']} ({', '.join(filter(None, [mean['interval'], mean['cells']]))})"
