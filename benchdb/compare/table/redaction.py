"""Removes the figures of deleted runs from the content of a table. Pure functions, for every schema stored."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from benchdb.compare.content import Content

CellPosition = tuple[int, int, int]  # group, row, column

DELETED_TEXT = "The run was deleted."
NO_VERDICT: dict[str, Any] = {
    "kind": "none",
    "reason": "deleted",
    **dict.fromkeys(("ratio", "low", "high", "p", "p_adjusted", "further_rounds", "method")),
    "warnings": [],
    "change": "",
    "why": "The run that it was compared with was deleted.",
}
_NO_FIGURES = (
    *("error", "n", "mean", "sd", "within_sd", "between_sd", "median", "minimum", "maximum", "low", "high"),
    *("median_low", "median_high", "values"),
)
# The keys that an emptied cell keeps: those that identify the measurement, without its results.
_KEPT = ("test", "metric", "file_size", "record_size", "threads", "params", "baseline")


@dataclass(frozen=True)
class _Affected:
    """The cells that change when runs are deleted.

    `emptied` are the cells with figures of a deleted run. `unjudged` are the contests whose baseline is emptied, `open`
    those in which any rival is emptied.
    """

    emptied: set[CellPosition]
    contest_of: Callable[[CellPosition], Hashable]
    unjudged: set[Hashable]
    open: set[Hashable]


def without_runs(content: Content, deleted: Collection[str]) -> dict[str, Any] | None:
    """The table without the figures of the runs in `deleted` (their ids); None if no cell keeps a figure."""
    cells = {position: cell for position, cell in _cells(content) if cell is not None}
    affected = _affected(content, cells, deleted)
    left = {
        **content,
        "groups": [_group(group, g, affected) for g, group in enumerate(content["groups"])],
        "findings": _findings(content, cells, affected),
        "geometric_means": [],  # each is computed from whole rows and from the baseline's
    }
    return left if any(cell is not None and cell["status"] != "deleted" for _, cell in _cells(left)) else None


def _affected(content: Content, cells: Mapping[CellPosition, Content], deleted: Collection[str]) -> _Affected:
    emptied = {position for position, cell in cells.items() if any(run in deleted for run in cell["runs"])}
    contest_of = _contests(content)
    return _Affected(
        emptied,
        contest_of,
        unjudged={contest_of(position) for position in emptied if cells[position].get("baseline", False)},
        open={contest_of(position) for position in emptied},
    )


def _group(group: Content, g: int, affected: _Affected) -> dict[str, Any]:
    """The group; the number of its repetitions is gone if a cell is emptied."""
    rows = [
        {**row, "cells": [_cell(cell, (g, r, c), affected) for c, cell in enumerate(row["cells"])]}
        for r, row in enumerate(group["rows"])
    ]
    counted = all(position[0] != g for position in affected.emptied)
    return {**group, "n": group["n"] if counted else "", "rows": rows}


def _cell(cell: Content | None, position: CellPosition, affected: _Affected) -> Content | None:
    """The cell, emptied, or without a verdict against an emptied baseline or a mark as the best of emptied rivals."""
    if cell is None or position in affected.emptied:
        return cell and _empty(cell)
    changed = dict(cell)
    contest = affected.contest_of(position)
    if cell.get("verdict") and contest in affected.unjudged:
        changed["verdict"] = NO_VERDICT
    if contest in affected.open:
        changed["best"] = False
    return changed


def _findings(content: Content, cells: Collection[CellPosition], affected: _Affected) -> list[Any]:
    """The findings that rest on no emptied cell and on no cell without its baseline."""
    unsure = affected.emptied | {cell for cell in cells if affected.contest_of(cell) in affected.unjudged}
    keys = {"-".join(map(str, position)) for position in unsure}
    return [
        finding for finding in content["findings"] if keys.isdisjoint([*finding["cells"], *finding.get("counted", [])])
    ]


def _cells(content: Content) -> Iterator[tuple[CellPosition, Content | None]]:
    for g, group in enumerate(content["groups"]):
        for r, row in enumerate(group["rows"]):
            for c, cell in enumerate(row["cells"]):
                yield (g, r, c), cell


def _contests(content: Content) -> Callable[[CellPosition], Hashable]:
    """A function that returns all of a position but the factor's value: equal for rivals, whatever the axes."""
    groups, heads, factor = content["groups"], content["heads"], set(content["factor"]["names"])

    def contest_of(position: CellPosition) -> Hashable:
        group, row, column = position
        parts = (groups[group]["parts"], groups[group]["rows"][row]["parts"], heads[column]["parts"])
        return frozenset(item for labels in parts for item in labels.items() if item[0] not in factor)

    return contest_of


def _empty(cell: Content) -> dict[str, Any]:
    """A deleted cell, with every key that cells have."""
    judged = {"verdict": "unknown", "text": DELETED_TEXT}
    return {
        **{name: cell[name] for name in _KEPT if name in cell},
        "status": "deleted",
        **dict.fromkeys(_NO_FIGURES),
        "text": {"mean": "", "sd": "", "shown": ""},
        **{name: [] for name in ("run_means", "outliers", "warnings", "runs", "ordinals", "places", "inside")},
        "clock": judged,
        "cache": judged,
    }
