"""Removes the figures of deleted runs from contents. Pure functions."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from urllib.parse import parse_qsl, urlencode

from .content import ComparedContent, Content, Difference
from .kinds import kind_of


def redacted(content: Content, deleted: Collection[str]) -> Content | None:
    """The content without the figures of the runs in `deleted` (their ids) and the values computed from these figures.

    None if no run with figures is left. A second application changes nothing.
    """
    left = [run for run in content.runs if run not in deleted]
    if len(left) == len(content.runs):
        return content
    kept: Content | None = kind_of(content).without_runs(content, deleted)
    if not left or kept is None:
        return None
    if isinstance(kept, ComparedContent):
        kept = replace(
            kept,
            differences=_differences(kept, deleted),
            recomputing=[run for run in kept.recomputing if run in left],
        )
    return replace(
        kept,
        query=_query(content.query, deleted),
        runs=left,
        run_list=[line for line in content.run_list if line.id not in deleted],
        computing=[run for run in content.computing if run in left],
    )


def _query(query: str, deleted: Collection[str]) -> str:
    """The selection without the runs; `Permalink.query` keeps the whole selection, which can be evaluated again."""
    return urlencode([pair for pair in parse_qsl(query, keep_blank_values=True) if pair[1] not in deleted])


def _differences(content: ComparedContent, deleted: Collection[str]) -> list[Difference]:
    """The differences between the runs that are left."""
    gone = {line.label for line in content.run_list if line.id in deleted}
    labels = {line.label for line in content.run_list if line.id not in deleted} - gone
    return list(filter(None, (_difference(difference, labels) for difference in content.differences)))


def _difference(difference: Difference, labels: Collection[str]) -> Difference | None:
    """The difference between the runs with these labels, or None if there is none.

    `labels` belong to no deleted run. If the factor is no property of runs, the difference names runs in another way
    ("run 2", a kernel), which does not show whether they were deleted.
    """
    values = [replace(value, where=[where for where in value.where if where in labels]) for value in difference.values]
    values = [value for value in values if value.where]
    inside = [where for where in difference.inside if where in labels]
    return replace(difference, values=values, inside=inside) if len(values) > 1 or inside else None
