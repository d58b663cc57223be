"""A frozen table, surface or trend beside what the same selection evaluates to now: which cells have other figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from benchdb.compare.content import Placed
from benchdb.compare.models import Permalink
from benchdb.compare.query.errors import ImpossibleSelection, NothingThere
from benchdb.compare.query.selection import Selection
from benchdb.compare.surface import content as surfaces
from benchdb.compare.surface.evaluate import SurfaceSelection
from benchdb.compare.table import content as tables
from benchdb.compare.trend import content as trends
from benchdb.compare.trend.selection import TrendSelection
from benchdb.runs.models import Run

from .services import evaluated

Content = Mapping[str, Any]
Place = tuple[str, str, str, str]  # split, row, column, metric

NONE_LEFT = "There is none of its runs that you may see: each is private or was deleted."
FIGURES = ("status", "n", "mean", "sd", "median")


@dataclass(frozen=True)
class Changed:
    """A place whose figures are not the same, as text in the unit of each; None where there was no cell."""

    place: Place
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
    selection, missing = _with_what_is_left(permalink, reader)
    try:
        found = evaluated(permalink.kind, selection.query(), reader)
    except NothingThere:
        raise
    except ImpossibleSelection:
        if not missing or permalink.kind == "trend":
            raise
        # The baseline may have gone with its run: any other serves to show the figures.
        found = evaluated(permalink.kind, replace(selection, baseline="").query(), reader)
    frozen = permalink.shown
    return Today(found, list(_changes(frozen, found)), _versions(frozen, found), missing)


def cells(content: Content) -> Iterator[Placed]:
    """The cells of a content of any kind."""
    if "groups" in content:
        return tables.cells(content)
    return trends.cells(content) if "series" in content else surfaces.cells(content)


def _with_what_is_left(permalink: Permalink, reader: Any) -> tuple[Any, int]:
    """The selection with the runs that this reader may see, and how many it is without."""
    if permalink.kind == "trend":
        return _trend_with_what_is_left(permalink, reader)
    selection: Any = (Selection if permalink.kind == "table" else SurfaceSelection).parse(permalink.query)
    if not selection.runs:  # a campaign finds its runs itself
        return selection, 0
    visible = set(Run.objects.visible_to(reader).filter(pk__in=selection.runs).values_list("pk", flat=True))
    left = tuple(run for run in selection.runs if run in visible)
    if not left:
        raise NothingThere([NONE_LEFT])
    return replace(selection, runs=left), len(selection.runs) - len(left)


def _trend_with_what_is_left(permalink: Permalink, reader: Any) -> tuple[TrendSelection, int]:
    """A trend finds its runs itself; it goes out from another of those that it had where its own is not to be seen."""
    selection = TrendSelection.parse(permalink.query)
    visible = set(Run.objects.visible_to(reader).filter(pk__in=permalink.runs).values_list("pk", flat=True))
    if not visible:
        raise NothingThere([NONE_LEFT])
    origin = selection.run if selection.run in visible else max(visible)
    return selection.replace(run=origin), len(permalink.runs) - len(visible)


def _changes(frozen: Content, now: Content) -> Iterator[Changed]:
    before = {_place(placed): placed for placed in cells(frozen)}
    after = {_place(placed): placed for placed in cells(now)}
    for place in dict.fromkeys([*after, *before]):
        was, is_now = before.get(place), after.get(place)
        if _figures(was) != _figures(is_now):
            yield Changed(place, is_now.key if is_now else None, _said(was), _said(is_now))


def _place(placed: Placed) -> Place:
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
