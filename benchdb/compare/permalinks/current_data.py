"""Compares a frozen table, surface or trend with the current data: which cells have other figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from benchdb.compare.content import Content, Placed, RunLine
from benchdb.compare.kinds import KINDS, kind_of
from benchdb.compare.models import Permalink
from benchdb.http.requests import Reader

CellLabels = tuple[str, str, str, str]  # split, row, column, metric


@dataclass(frozen=True)
class ChangedCell:
    """A cell whose figures differ: `frozen` and `now` are texts in the cell's unit, or None if there is no cell."""

    labels: CellLabels
    key: str | None  # of the current cell
    frozen: str | None
    now: str | None


@dataclass(frozen=True)
class CurrentData:
    """The current content of a permalink's selection for a reader.

    `missing` is the number of the permalink's runs that the reader may not see; `versions` are the programs that
    differ, as (program, frozen version, current version).
    """

    content: Content
    changed: list[ChangedCell]
    versions: list[tuple[str, str, str]]
    missing: int


def current_data(permalink: Permalink, reader: Reader) -> CurrentData:
    """Evaluate a permalink's selection again, with the runs that are left. Raises ImpossibleSelection."""
    now, missing = KINDS[permalink.kind].evaluate_visible(permalink.query, permalink.runs, reader)
    frozen = permalink.shown
    return CurrentData(now, list(_changes(frozen, now)), _versions(frozen, now), missing)


def _changes(frozen: Content, now: Content) -> Iterator[ChangedCell]:
    before = {_labels(placed): placed for placed in kind_of(frozen).cells(frozen)}
    after = {_labels(placed): placed for placed in kind_of(now).cells(now)}
    for labels in dict.fromkeys([*after, *before]):
        old, new = before.get(labels), after.get(labels)
        if _figures(old) != _figures(new):
            yield ChangedCell(labels, new.key if new else None, _say(old), _say(new))


def _labels(placed: Placed) -> CellLabels:
    return placed.split, placed.row, placed.column, placed.measure.metric


def _figures(placed: Placed | None) -> tuple[object, ...] | None:
    """The figures in base units and the verdict, which are equal for two unchanged cells."""
    if placed is None:
        return None
    cell = placed.cell
    return cell.status, cell.n, cell.mean, cell.sd, cell.median, cell.verdict and cell.verdict.kind


def _say(placed: Placed | None) -> str | None:
    """`109.3 ± 0.4 MiB/s, better`."""
    if placed is None:
        return None
    cell, text = placed.cell, placed.cell.text
    if cell.mean is None:
        return cell.status
    spread = f" ± {text.sd}" if text.sd else ""
    return f"{text.mean}{spread} {placed.measure.unit}" + (f", {cell.verdict.kind}" if cell.verdict else "")


def _versions(frozen: Content, now: Content) -> list[tuple[str, str, str]]:
    """The programs behind the figures whose versions differ: `("statistics", "1", "2")`."""
    versions: list[tuple[str, str | int | None, str | int | None]] = [
        ("BenchDB", frozen.benchdb_version, now.benchdb_version),
        ("statistics", frozen.statistics_version, now.statistics_version),
    ]
    frozen_lines = {line.id: line for line in frozen.run_list}
    for line in now.run_list:
        if line.id in frozen_lines:
            versions.append((f"parser of {line.label}", _parser(frozen_lines[line.id]), _parser(line)))
    texts = [(program, _say_version(old), _say_version(new)) for program, old, new in versions]
    return list(dict.fromkeys(text for text in texts if text[1] != text[2]))


def _say_version(version: object) -> str:
    return "unknown" if version is None else str(version)


def _parser(line: RunLine) -> str | None:
    """`fsload 2, reading 3`: the parser, and the number of the reading of the raw output."""
    return f"{line.parser_version}, reading {line.parse}" if line.parser_version else None
