"""Taking the figures of deleted runs out of a frozen content. Pure functions of plain data, of every schema stored."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl, urlencode

from benchdb.compare.trend.content import without_runs

Content = Mapping[str, Any]
Place = tuple[int, int, int]  # group, row, column

WHY = "The run was deleted."
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
# What a cell keeps of the place it stands in: what was measured, not what came out.
_PLACE = ("test", "metric", "file_size", "record_size", "threads", "params", "baseline")


def redacted(content: Content, deleted: Collection[str]) -> dict[str, Any]:
    """The content without what came from the runs in `deleted` (their ids): figures, and what was computed from them.

    Applied again it changes nothing. Where no run with figures is left, only the schema is, and `runs` is empty.
    """
    left = [run for run in content["runs"] if run not in deleted]
    if len(left) == len(content["runs"]):
        return dict(content)
    kind = _table if "groups" in content else without_runs if "series" in content else _surface
    kept = kind(content, deleted)
    if not left or not _has_figures(kept):
        return {"schema": content["schema"], "runs": []}
    kept |= {
        name: [run for run in content[name] if run in left] for name in ("computing", "recomputing") if name in kept
    }
    kept |= {**_context(content, deleted), "query": _query(content["query"], deleted), "runs": left}
    ordered: dict[str, Any] = _in_order(kept)
    return ordered


def _in_order(value: Any) -> Any:
    """With the keys in the order in which PostgreSQL keeps them, so that it reads the same before it is stored."""
    if isinstance(value, Mapping):
        return {key: _in_order(value[key]) for key in sorted(value, key=_place_of_key)}
    return [_in_order(each) for each in value] if isinstance(value, list) else value


@lru_cache(maxsize=1024)
def _place_of_key(key: str) -> tuple[int, bytes]:
    """The shorter key first, then by bytes."""
    return len(key.encode()), key.encode()


def _query(query: str, deleted: Collection[str]) -> str:
    """The selection without the runs; what evaluates it again has the whole one (`Permalink.query`)."""
    return urlencode([pair for pair in parse_qsl(query, keep_blank_values=True) if pair[1] not in deleted])


def _context(content: Content, deleted: Collection[str]) -> dict[str, Any]:
    """What describes the runs: their list, with machines and commands, and what differs between them."""
    lines = content["run_list"]
    left = [line for line in lines if line["id"] not in deleted]
    known = {line["label"] for line in left} - {line["label"] for line in lines if line["id"] in deleted}
    found: dict[str, Any] = {"run_list": left}
    if "differences" in content:
        found["differences"] = list(filter(None, (_difference(each, known) for each in content["differences"])))
    return found


def _difference(difference: Mapping[str, Any], known: Collection[str]) -> dict[str, Any] | None:
    """What still differs between the places that are left, or None.

    Only those places stay that are `known` to be of no deleted run. Where the factor says nothing of runs, they have
    other names than the runs ("run 2", a kernel), and nobody can tell whose they are.
    """
    values = [{**value, "where": [w for w in value["where"] if w in known]} for value in difference["values"]]
    values = [value for value in values if value["where"]]
    inside = [where for where in difference.get("inside", []) if where in known]
    if len(values) < 2 and not inside:
        return None
    return {**difference, "values": values, **({"inside": inside} if "inside" in difference else {})}


def _table(content: Content, deleted: Collection[str]) -> dict[str, Any]:
    cells = {place: cell for place, cell in _cells(content) if cell is not None}
    emptied = {place for place, cell in cells.items() if any(run in deleted for run in cell["runs"])}
    beside = _beside(content)
    without = {beside(place) for place in emptied}  # lines of rivals that miss one
    unjudged = {beside(place) for place in emptied if cells[place].get("baseline", False)}

    def kept(place: Place, cell: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
        if cell is None or place in emptied:
            return cell and _empty(cell)
        changed = dict(cell)
        if cell.get("verdict") and beside(place) in unjudged:
            changed["verdict"] = NO_VERDICT
        if beside(place) in without:
            changed["best"] = False  # it was the best of rivals of which one is gone
        return changed

    groups = [
        {
            **group,
            "n": "" if any(place[0] == g for place in emptied) else group["n"],
            "rows": [
                {**row, "cells": [kept((g, r, c), cell) for c, cell in enumerate(row["cells"])]}
                for r, row in enumerate(group["rows"])
            ],
        }
        for g, group in enumerate(content["groups"])
    ]
    unsure = emptied | {place for place in cells if beside(place) in unjudged}
    said = {"-".join(map(str, place)) for place in unsure}
    findings = [found for found in content["findings"] if said.isdisjoint([*found["cells"], *found.get("counted", [])])]
    # A geometric mean is made of whole rows and of the baseline's.
    return {**content, "groups": groups, "findings": findings, "geometric_means": []}


def _cells(content: Content) -> Iterator[tuple[Place, Mapping[str, Any] | None]]:
    for g, group in enumerate(content["groups"]):
        for r, row in enumerate(group["rows"]):
            for c, cell in enumerate(row["cells"]):
                yield (g, r, c), cell


def _beside(content: Content) -> Callable[[Place], Hashable]:
    """What a place is besides the factor's value: the same for rivals, whatever axes the factor stands on."""
    groups, heads, factor = content["groups"], content["heads"], set(content["factor"]["names"])

    def beside(place: Place) -> Hashable:
        group, row, column = place
        parts = (groups[group]["parts"], groups[group]["rows"][row]["parts"], heads[column]["parts"])
        return frozenset(each for own in parts for each in own.items() if each[0] not in factor)

    return beside


def _empty(cell: Mapping[str, Any]) -> dict[str, Any]:
    """A cell that says only that it was deleted, with every key that cells have."""
    judged = {"verdict": "unknown", "text": WHY}
    return {
        **{name: cell[name] for name in _PLACE if name in cell},
        "status": "deleted",
        **dict.fromkeys(_NO_FIGURES),
        "text": {"mean": "", "sd": "", "shown": ""},
        **{name: [] for name in ("run_means", "outliers", "warnings", "runs", "ordinals", "places", "inside")},
        "clock": judged,
        "cache": judged,
    }


def _surface(content: Content, deleted: Collection[str]) -> dict[str, Any]:
    """Of two surfaces the other one alone; of one nothing is left."""
    surfaces = content["surfaces"]
    left = [i for i, surface in enumerate(surfaces) if surface["run"] not in deleted]
    marks = [{**mark, "of": [0]} for mark in content["marks"] if left and left[0] in mark["of"]]
    return {
        **content,
        "surfaces": [_without_verdicts(surfaces[i]) for i in left],
        "marks": marks,
        "ratio": None,
        "ratio_averages": [],
        "left_out": None,
    }


def _without_verdicts(surface: Mapping[str, Any]) -> dict[str, Any]:
    cells = [[cell and {**cell, "verdict": None} for cell in line] for line in surface["cells"]]
    return {**surface, "cells": cells}


def _has_figures(content: Content) -> bool:
    if "groups" not in content:
        return bool(content["series"] if "series" in content else content["surfaces"])
    return any(cell is not None and cell["status"] != "deleted" for _, cell in _cells(content))
