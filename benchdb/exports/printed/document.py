"""A content as people read it: grids of printed figures with what must be said beside them.

Every format that is read rather than computed with (Markdown, HTML, TeX, BBCode) writes this, so that all of them say
the same with the same digits and marks as the page. All text is clean (`text.clean`); escaping is each format's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.cell_context import QUIET, warnings_of

from .text import clean

SIGNS = {"better": "▲", "worse": "▼", "equivalent": "≈", "inconclusive": "?", "none": "–"}
WORDS = {"unmeasurable": "too fast", "missing": "", "deleted": "deleted"}
MOST_WARNINGS = 20
BEST = "{best}"  # in the legend: how this format sets off the best


@dataclass(frozen=True)
class Figure:
    """A printed cell. `mean` is "" where there is no number and `words` say why (or nothing was measured)."""

    mean: str = ""
    sd: str = ""
    words: str = ""
    mark: str = ""  # ▲ +8.2 %
    tags: tuple[str, ...] = ()  # RAM, CLK, !
    best: bool = False

    @property
    def marks(self) -> str:
        """What stands behind the number: `▲ +8.2 % RAM`."""
        return " ".join(filter(None, [self.mark, *self.tags]))


@dataclass(frozen=True)
class Head:
    """The head of a column; `unit` is `MiB/s ↑`, or "" where the lines have it."""

    label: str
    unit: str = ""

    @property
    def text(self) -> str:
        """On one line."""
        return f"{self.label} ({self.unit})" if self.unit else self.label


@dataclass(frozen=True)
class Line:
    """A row with its label and what is said beside it (`baseline`, a unit)."""

    label: str
    note: str
    figures: Sequence[Figure]


@dataclass(frozen=True)
class Grid:
    """One table of figures; `label` and `note` ("1 MiB records", "n = 10 rounds") may be empty."""

    label: str
    note: str
    corner: str
    heads: Sequence[Head]
    lines: Sequence[Line]

    @property
    def caption(self) -> str:
        """`1 MiB records, n = 10 rounds`."""
        return ", ".join(filter(None, [self.label, self.note]))


@dataclass(frozen=True)
class Printed:
    """The whole document, in the order in which it is read; only `grids` is never empty."""

    title: str
    subtitle: str
    warnings: Sequence[str]
    findings: Sequence[str]
    differences: Sequence[str]
    grids: Sequence[Grid]
    notes: Sequence[str]
    legend: Sequence[str]
    method: Sequence[str]


def grids_of(table: Mapping[str, Any]) -> list[Grid]:
    """The grids of a context of web/partials/table.html: one a group."""
    heads = [
        Head(clean(column["label"]), clean(" ".join(filter(None, [column["unit"], column["direction"]]))))
        for column in table["columns"]
    ]
    return [
        Grid(
            clean(group["label"] or ""),
            clean(group["note"] or ""),
            clean(table["row_head"]),
            heads,
            [_line(row) for row in group["rows"]],
        )
        for group in table["groups"]
    ]


def _line(row: Mapping[str, Any]) -> Line:
    return Line(clean(row["label"]), clean(row["note"] or ""), [figure(cell) for cell in row["cells"]])


def figure(shown: Mapping[str, Any]) -> Figure:
    """The cell (context of web/partials/cell.html) as the page shows it."""
    if not shown.get("mean"):
        words = shown["message"] if shown["status"] == "failed" else WORDS.get(shown["status"], "…")
        return Figure(words=clean(words))
    tags = tuple(tag["text"] for tag in shown["tags"])
    sd = f"± {shown['sd']}" if shown["sd"] else "n = 1" if shown["single"] else ""
    return Figure(clean(shown["mean"]), clean(sd), "", _mark(shown["verdict"]), tags, bool(shown["best"]))


def _mark(verdict: Mapping[str, Any] | None) -> str:
    if verdict is None or verdict["kind"] not in SIGNS:
        return ""
    return f"{SIGNS[verdict['kind']]} {verdict['text']}".rstrip()


def said_of_cells(named: Sequence[tuple[str, Cell]]) -> list[str]:
    """What stands behind each `!`: a sentence a cell, `xfs, Write: Far from the others: round 3. …`."""
    said = [
        clean(f"! {name}: {' '.join(texts)}")
        for name, cell in named
        if (texts := [warning["text"] for warning in warnings_of(cell) if warning["code"] not in QUIET])
    ]
    if len(said) > MOST_WARNINGS:
        return [*said[:MOST_WARNINGS], f"! {len(said) - MOST_WARNINGS} more cells have warnings; the page names them."]
    return said


def said_of_differences(differences: Sequence[Mapping[str, Any]]) -> list[str]:
    """`read-ahead: 128 KiB (btrfs), 2 MiB (others)`, a line a difference."""
    return [
        clean(f"{found['what']}: " + ", ".join(f"{value['value']} ({value['who']})" for value in found["values"]))
        for found in differences
    ]
