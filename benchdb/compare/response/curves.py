"""The curves of a grid of cells: its rows are levels of a series each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from benchdb.compare.guard.levels import say_over
from benchdb.compare.query.dimensions import joined, with_noun
from benchdb.compare.query.keyed import level_of
from benchdb.compare.table.pivot import Pivoted
from benchdb.wording.numbers import plural

from .content import ResponseCurve, ResponsePoint
from .knees import knee_of
from .selection import ResponseSelection

LEAST_POINTS = 2  # of a curve, if another one has so many


class Curves(NamedTuple):
    """The curves, notes on rows that are in none, and what all curves have in common of their series."""

    curves: list[ResponseCurve]
    notes: list[str]
    common: str


class _Position(NamedTuple):
    """A row, by its index: its level, and the label of the level."""

    level: float
    label: str
    row: int


def curves_of(selection: ResponseSelection, grid: Pivoted, series: Sequence[str]) -> Curves:
    """The curves in the order of their first rows. Single points are left out beside curves of several."""
    over = grid.rows.names.index(selection.over)
    positions: dict[tuple[str, ...], list[_Position]] = defaultdict(list)
    unplaced = 0
    for row, (key, parts) in enumerate(zip(grid.rows.keys, grid.rows.parts, strict=True)):
        level = level_of(key[over])
        if level is None:
            unplaced += 1
            continue
        label = with_noun(selection.over, parts[selection.over])
        positions[tuple(parts[name] for name in series)].append(_Position(level, label, row))
    several = {key: of_series for key, of_series in positions.items() if len(of_series) >= LEAST_POINTS}
    kept = several or positions
    labels, common = _labels([dict(zip(series, key, strict=True)) for key in kept])
    curves = [
        ResponseCurve(
            label, points := [_point(selection, grid, position) for position in sorted(of_series)], knee_of(points)
        )
        for label, of_series in zip(labels, kept.values(), strict=True)
    ]
    return Curves(curves, _notes(selection, unplaced, len(positions) - len(kept)), common)


def _labels(all_parts: Sequence[Mapping[str, str]]) -> tuple[list[str], str]:
    """The label of each series from what differs, and one from what does not; a file system is always in the first."""
    names = list(all_parts[0]) if all_parts else []
    differing = [name for name in names if len({parts[name] for parts in all_parts}) > 1 or name == "file_system"]
    same = {name: all_parts[0][name] for name in names if name not in differing}
    labels = [joined({name: parts[name] for name in differing}) if differing else "" for parts in all_parts]
    return labels, joined(same) if same else ""


def _notes(selection: ResponseSelection, unplaced: int, single: int) -> list[str]:
    notes = (
        [f"Not drawn: {plural(unplaced, 'row')} without a number of {say_over(selection.over)}."] if unplaced else []
    )
    return [*notes, f"Not drawn: {plural(single, 'single level')} of other settings."] if single else notes


def _point(selection: ResponseSelection, grid: Pivoted, position: _Position) -> ResponsePoint:
    column = {metric: index for index, (metric,) in enumerate(grid.columns.keys)}
    throughput, latency = (
        grid.cells.get((0, position.row, column[metric])) if metric in column else None
        for metric in (selection.metric, selection.latency)
    )
    return ResponsePoint(position.label, position.level, throughput, latency)
