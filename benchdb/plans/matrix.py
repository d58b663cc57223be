"""The matrix of a campaign, targets down and workloads across, in pages of bounded size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.urls import reverse

from benchdb.wording.numbers import plural

from .models import Campaign
from .queries import PointStatus
from .stored import StoredCampaignTarget, StoredCampaignWorkload

MOST_CELLS = 1_000  # on a page
MOST_COLUMNS = 40
Reasons = Mapping[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class MatrixPage:
    """A page of the matrix, and the first rows of the pages before and after."""

    matrix: dict[str, object]
    rows: int
    first: int
    before: int | None
    after: int | None


def matrix(points: Sequence[PointStatus], campaign: Campaign | None, reasons: Reasons, first: int) -> MatrixPage:
    """The page of rows from `first` on; each point has its own row if workloads are too many for columns."""
    columns = list(dict.fromkeys(point.workload for point in points))
    rows: dict[str, dict[str, PointStatus]] = {}
    for point in points:
        rows.setdefault(point.target, {})[point.workload] = point
    # A nearly empty matrix, as after a filter or from a hostile document, is easier to read as a list.
    if len(columns) > MOST_COLUMNS or len(rows) * len(columns) > 2 * len(points) + MOST_COLUMNS:
        return _page([(point.id, {"point": point}) for point in points], ["point"], None, reasons, first)
    return _page(list(rows.items()), columns, campaign, reasons, first)


def why_skipped(points: Sequence[PointStatus]) -> dict[str, tuple[int, int]]:
    """The reasons of skipped points, each with its number and its count of points."""
    reasons: dict[str, tuple[int, int]] = {}
    for point in points:
        if point.state == "skipped":
            number, before = reasons.get(point.reason, (len(reasons) + 1, 0))
            reasons[point.reason] = (number, before + 1)
    return reasons


def _page(
    rows: Sequence[tuple[str, Mapping[str, PointStatus]]],
    columns: Sequence[str],
    campaign: Campaign | None,
    reasons: Reasons,
    first: int,
) -> MatrixPage:
    announced_targets: Sequence[StoredCampaignTarget] = campaign.targets if campaign else []
    announced_workloads: Sequence[StoredCampaignWorkload] = campaign.workloads if campaign else []
    targets = {target["name"]: target for target in announced_targets}
    notes = {workload["name"]: workload["summary"] for workload in announced_workloads}
    fit = max(1, MOST_CELLS // max(1, len(columns)))
    start = first if first < len(rows) else 0
    shown = rows[start : start + fit]
    matrix = {
        # A workload; `note` is what it does, None if nobody announced it.
        "columns": [{"label": name, "note": notes.get(name)} for name in columns],
        "rows": [
            _row(
                name,
                targets.get(name),
                [_cell(cells[column], reasons) if column in cells else None for column in columns],
            )
            for name, cells in shown
        ],
    }
    after = start + fit if start + fit < len(rows) else None
    return MatrixPage(matrix, len(rows), start, max(0, start - fit) if start else None, after)


def _row(
    name: str, target: StoredCampaignTarget | None, cells: Sequence[dict[str, object] | None]
) -> dict[str, object]:
    return {
        "label": name,
        "summary": target["summary"] if target else None,
        "notes": target["notes"] if target else [],
        "cells": cells,
    }


def _cell(point: PointStatus, reasons: Reasons) -> dict[str, object]:
    if point.run_id is not None:
        failed = f"{point.failed_rounds} of " if point.failed_rounds else ""
        note = f"{failed}{plural(point.rounds, 'round')}"
        return {
            "state": point.state,
            "text": point.state,
            "title": point.id,
            "href": reverse("run", args=[point.run_id]),
            "note": note,
        }
    if point.state == "skipped":
        number = reasons[point.reason][0]
        return {
            "state": point.state,
            "text": point.state,
            "title": point.reason,
            "href": f"#why-{number}",
            "note": f"reason {number}",
        }
    return {"state": point.state, "text": point.state, "title": point.id}
