"""The matrix of a campaign, targets down and workloads across, in pages of bounded size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from benchdb.wording.numbers import plural

from .models import Campaign
from .queries import PointStatus

Context = dict[str, Any]
MOST_CELLS = 1_000  # on a page
MOST_COLUMNS = 40
Reasons = Mapping[str, tuple[int, int]]


@dataclass(frozen=True)
class MatrixPage:
    """A page of the matrix: its context, and the first rows of the pages before and after."""

    context: Context
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
    targets = {target["name"]: target for target in campaign.targets} if campaign else {}
    workloads = {workload["name"]: workload for workload in campaign.workloads} if campaign else {}
    fit = max(1, MOST_CELLS // max(1, len(columns)))
    start = first if first < len(rows) else 0
    shown = rows[start : start + fit]
    context = {
        "columns": [{"label": name, "note": workloads.get(name, {}).get("summary")} for name in columns],
        "rows": [
            {
                "label": name,
                "summary": targets.get(name, {}).get("summary"),
                "notes": targets.get(name, {}).get("notes", []),
                "cells": [_cell(cells[column], reasons) if column in cells else None for column in columns],
            }
            for name, cells in shown
        ],
    }
    after = start + fit if start + fit < len(rows) else None
    return MatrixPage(context, len(rows), start, max(0, start - fit) if start else None, after)


def _cell(point: PointStatus, reasons: Reasons) -> Context:
    cell: Context = {"state": point.state, "text": point.state, "href": None, "note": None, "title": point.id}
    if point.run_id is not None:
        cell["href"] = reverse("run", args=[point.run_id])
        failed = f"{point.failed_rounds} of " if point.failed_rounds else ""
        cell["note"] = f"{failed}{plural(point.rounds, 'round')}"
    elif point.state == "skipped":
        number = reasons[point.reason][0]
        cell.update(href=f"#why-{number}", note=f"reason {number}", title=point.reason)
    return cell
