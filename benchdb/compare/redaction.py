"""Removes the figures of deleted runs from frozen contents. Pure functions of plain data, for every schema stored."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl, urlencode

from .content import Content
from .kinds import kind_of


def redacted(content: Content, deleted: Collection[str]) -> dict[str, Any]:
    """The content without the figures of the runs in `deleted` (their ids) and the values computed from these figures.

    A second application changes nothing. If no run with figures is left, the result is the schema with empty `runs`.
    """
    left = [run for run in content["runs"] if run not in deleted]
    if len(left) == len(content["runs"]):
        return dict(content)
    kept = kind_of(content).without_runs(content, deleted)
    if not left or kept is None:
        return {"schema": content["schema"], "runs": []}
    kept |= {
        name: [run for run in content[name] if run in left] for name in ("computing", "recomputing") if name in kept
    }
    kept |= {**_context(content, deleted), "query": _query(content["query"], deleted), "runs": left}
    ordered: dict[str, Any] = _in_order(kept)
    return ordered


def _in_order(value: Any) -> Any:
    """The value with its keys in PostgreSQL's order, so that it reads the same before and after it is stored."""
    if isinstance(value, Mapping):
        return {key: _in_order(value[key]) for key in sorted(value, key=_rank_of_key)}
    return [_in_order(item) for item in value] if isinstance(value, list) else value


@lru_cache(maxsize=1024)
def _rank_of_key(key: str) -> tuple[int, bytes]:
    """Shorter keys first, then by bytes."""
    return len(key.encode()), key.encode()


def _query(query: str, deleted: Collection[str]) -> str:
    """The selection without the runs; `Permalink.query` keeps the whole selection, which can be evaluated again."""
    return urlencode([pair for pair in parse_qsl(query, keep_blank_values=True) if pair[1] not in deleted])


def _context(content: Content, deleted: Collection[str]) -> dict[str, Any]:
    """The description of the runs: their list with machines and commands, and the differences between them."""
    run_list = content["run_list"]
    left = [run for run in run_list if run["id"] not in deleted]
    labels = {run["label"] for run in left} - {run["label"] for run in run_list if run["id"] in deleted}
    described: dict[str, Any] = {"run_list": left}
    if "differences" in content:
        differences = (_difference(difference, labels) for difference in content["differences"])
        described["differences"] = list(filter(None, differences))
    return described


def _difference(difference: Content, labels: Collection[str]) -> dict[str, Any] | None:
    """The difference between the runs with these labels, or None if there is none.

    `labels` belong to no deleted run. If the factor is no property of runs, the difference names runs in another way
    ("run 2", a kernel), which does not show whether they were deleted.
    """
    values = [
        {**value, "where": [where for where in value["where"] if where in labels]} for value in difference["values"]
    ]
    values = [value for value in values if value["where"]]
    inside = [where for where in difference.get("inside", []) if where in labels]
    if len(values) < 2 and not inside:
        return None
    return {**difference, "values": values, **({"inside": inside} if "inside" in difference else {})}
