"""A table as grids and notes of a printed document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchdb.compare import present
from benchdb.runs.numbers import say_change

from .contents import Content
from .printed import Grid, grids_of


def grids(content: Content) -> list[Grid]:
    """A grid a split, as on the page."""
    return grids_of(present.show_table(content))


def notes(content: Content) -> list[str]:
    """What the page says beneath, and the geometric means."""
    return [*present.notes(content), *_geometric_means(content)]


def _geometric_means(content: Content) -> list[str]:
    """`Geometric mean of ratios to ext4 (throughput, device cells): xfs +19 % (+15 % to +24 %, 5 cells).`"""
    said = []
    for kind in ("device", "cached", "unknown"):
        rows = [(row, found) for row in content.get("geometric_means", []) if (found := row.get(kind))]
        if rows:
            texts = [f"{row['row']} {_mean_ratio(found)}" for row, found in rows]
            said.append(f"Geometric mean of ratios to {content['baseline']}, {kind} cells: {', '.join(texts)}.")
    return said


def _mean_ratio(found: Mapping[str, Any]) -> str:
    low, high, count = found.get("low"), found.get("high"), found["cells"]
    between = f"{say_change(low)} to {say_change(high)}, " if low is not None else ""
    return f"{say_change(found['ratio'])} ({between}{count} cell{'' if count == 1 else 's'})"
