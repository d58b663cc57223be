"""A frozen table, surface or trend beside what the same selection evaluates to now: which cells have other figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from benchdb.compare.content import Content, Placed
from benchdb.compare.kinds import KINDS, kind_of
from benchdb.compare.models import Permalink

CellLabels = tuple[str, str, str, str]  # split, row, column, metric

FIGURES = ("status", "n", "mean", "sd", "median")


@dataclass(frozen=True)
class Changed:
    """A place whose figures are not the same, as text in the unit of each; None where there was no cell."""

    place: CellLabels
    key: str | None  # of the cell now
    frozen: str | None
    now: str | None


@dataclass(frozen=True)
class Today:
    """What the selection evaluates to now for a reader. `missing`: how many of its runs the reader may not see."""

    content: Content
    changed: list[Changed]
    versions: list[tuple[str, str, str]]  # of what, frozen, now
    missing: int


def today(permalink: Permalink, reader: Any) -> Today:
    """Evaluate a permalink's selection again, with the runs that are left. Raises ImpossibleSelection."""
    now, missing = KINDS[permalink.kind].evaluate_visible(permalink.query, permalink.runs, reader)
    frozen = permalink.shown
    return Today(now, list(_changes(frozen, now)), _versions(frozen, now), missing)


def _changes(frozen: Content, now: Content) -> Iterator[Changed]:
    before = {_place(placed): placed for placed in kind_of(frozen).cells(frozen)}
    after = {_place(placed): placed for placed in kind_of(now).cells(now)}
    for place in dict.fromkeys([*after, *before]):
        was, is_now = before.get(place), after.get(place)
        if _figures(was) != _figures(is_now):
            yield Changed(place, is_now.key if is_now else None, _said(was), _said(is_now))


def _place(placed: Placed) -> CellLabels:
    return placed.split, placed.row, placed.column, placed.measure.metric


def _figures(placed: Placed | None) -> Any:
    """What makes two cells the same: the figures in base units and the verdict."""
    if placed is None:
        return None
    verdict = placed.cell.get("verdict") or {}
    return [placed.cell.get(name) for name in FIGURES], verdict.get("kind")


def _said(placed: Placed | None) -> str | None:
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
    """The programs that made the figures, where they are not the same: `("statistics", "1", "2")`."""
    pairs = [
        ("BenchDB", frozen["benchdb_version"], now["benchdb_version"]),
        ("statistics", frozen["statistics_version"], now["statistics_version"]),
    ]
    parsed = {line["id"]: line for line in frozen["run_list"]}
    for line in now["run_list"]:
        if line["id"] in parsed:
            pairs.append((f"parser of {line['label']}", _parser(parsed[line["id"]]), _parser(line)))
    said = [(what, _known(was), _known(is_now)) for what, was, is_now in pairs]
    return list(dict.fromkeys(each for each in said if each[1] != each[2]))


def _known(version: object) -> str:
    return "unknown" if version is None else str(version)


def _parser(line: Mapping[str, Any]) -> str | None:
    """`fsload 2, reading 3`: the parser, and which reading of the raw output it is."""
    if not line.get("parser_version"):
        return None
    return f"{line['parser_version']}, reading {line['parse']}"
