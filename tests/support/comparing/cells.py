"""Cells for code that only shows them: three rounds of 1 MiB/s, with changes."""

from dataclasses import replace
from typing import Any

from benchdb.runs.cells.cell import Cell, CellText
from benchdb.runs.cells.clock_and_cache import CellCache, CellClock
from benchdb.runs.cells.verdict import CellVerdict

DEVICE = CellCache("device", "direct", {}, "Bypassed.")
FINE = CellClock("fine", 1e6, "Fine.")


def text(mean: str, sd: str) -> CellText:
    """The text of a cell that displays its mean."""
    return CellText(mean, sd, mean, sd)


def a_cell(**changes: Any) -> Cell:
    """A cell of three rounds."""
    cell = Cell(
        status="ok",
        error=None,
        n=3,
        mean=2.0**20,
        sd=2.0**10,
        median=2.0**20,
        minimum=None,
        maximum=None,
        low=2.0**19,
        high=2.0**21,
        median_low=None,
        median_high=None,
        text=text("1.00000", "0.00098"),
        values=[2.0**20] * 3,
        outliers=[],
        warnings=[],
        runs=["01a1face-1892-7000-8000-00003ded1f24"],
        ordinals=[4],
        places=[],
        test="write",
        metric="throughput",
        file_size=None,
        record_size=None,
        threads=None,
        params={},
        clock=FINE,
        cache=DEVICE,
    )
    return replace(cell, **changes)


def a_verdict(kind: str, change: str = "", ratio: float | None = None, **changes: Any) -> CellVerdict:
    """A verdict of this kind, without figures besides its ratio."""
    names = (
        "reason",
        "low",
        "high",
        "ratio_of_means",
        "p",
        "p_of_claims",
        "p_adjusted",
        "rounds_for_precision",
        "method",
    )
    none = dict.fromkeys(names)
    return CellVerdict(kind=kind, ratio=ratio, change=change, why="because", **{**none, "warnings": [], **changes})
