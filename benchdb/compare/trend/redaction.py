"""Removes the figures of deleted runs from the content of a trend. Pure functions, for every schema stored."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from benchdb.compare.content import Content

UNSEARCHED = "A run of this history was deleted, and with it went the change points, which had rested on all runs."


def without_runs(content: Content, deleted: Collection[str]) -> dict[str, Any] | None:
    """The trend without the runs in `deleted` (their ids); None if no run is left.

    A series with a deleted run loses everything that was computed from all of its runs.
    """
    series = [_series_without(series, deleted) for series in content["series"]]
    left = [one for one in series if one["runs"]]
    if not left:
        return None
    return {**content, "series": left, "older": None if content["older"] in deleted else content["older"]}


def _series_without(series: Content, deleted: Collection[str]) -> dict[str, Any]:
    left = [i for i, run in enumerate(series["runs"]) if run not in deleted]
    if len(left) == len(series["runs"]):
        return dict(series)
    new_index = {old: new for new, old in enumerate(left)}
    return {
        **series,
        "runs": [series["runs"][i] for i in left],
        "cells": [series["cells"][i] for i in left],
        # A change from one run to the next is kept if both runs are left.
        "changes": [
            {**change, "at": new_index[change["at"]]}
            for change in series["changes"]
            if change["at"] in new_index and change["at"] - 1 in new_index
        ],
        **{name: [] for name in ("change_points", "segments", "outliers")},
        "noise": None,
        "unsearched": UNSEARCHED,
    }
