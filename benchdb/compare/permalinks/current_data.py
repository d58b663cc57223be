"""Compares a frozen table, surface or trend with the current data: which cells have other figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from benchdb.compare.content import Content, Placed
from benchdb.compare.kinds import KINDS, kind_of
from benchdb.compare.models import Permalink

CellLabels = tuple[str, str, str, str]  # split, row, column, metric

FIGURES = ("status", "n", "mean", "sd", "median")


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


def current_data(permalink: Permalink, reader: Any) -> CurrentData:
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


def _figures(placed: Placed | None) -> Any:
    """The figures in base units and the verdict, which are equal for two unchanged cells."""
    if placed is None:
        return None
    verdict = placed.cell.get("verdict") or {}
    return [placed.cell.get(name) for name in FIGURES], verdict.get("kind")


def _say(placed: Placed | None) -> str | None:
    """`109.3 ± 0.4 MiB/s, better`."""
    if placed is None:
        return None
    cell, text = placed.cell, placed.cell["text"]
    if cell["mean"] is None:
        return str(cell["status"])
    spread = f" ± {text['sd']}" if text["sd"] else ""
    verdict = (cell.get("verdict") or {}).get("kind")
    return f"{text['mean']}{spread} {placed.measure.unit}" + (f", {verdict}" if verdict else "")


def _versions(frozen: Content, now: Content) -> list[tuple[str, str, str]]:
    """The programs behind the figures whose versions differ: `("statistics", "1", "2")`."""
    versions = [
        ("BenchDB", frozen["benchdb_version"], now["benchdb_version"]),
        ("statistics", frozen["statistics_version"], now["statistics_version"]),
    ]
    frozen_runs = {run["id"]: run for run in frozen["run_list"]}
    for run in now["run_list"]:
        if run["id"] in frozen_runs:
            versions.append((f"parser of {run['label']}", _parser(frozen_runs[run["id"]]), _parser(run)))
    texts = [(program, _say_version(old), _say_version(new)) for program, old, new in versions]
    return list(dict.fromkeys(text for text in texts if text[1] != text[2]))


def _say_version(version: object) -> str:
    return "unknown" if version is None else str(version)


def _parser(run: Content) -> str | None:
    """`fsload 2, reading 3`: the parser, and the number of the reading of the raw output."""
    if not run.get("parser_version"):
        return None
    return f"{run['parser_version']}, reading {run['parse']}"
