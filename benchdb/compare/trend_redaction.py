"""Taking the figures of deleted runs out of a frozen trend. A pure function of plain data."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

Content = Mapping[str, Any]

UNSEARCHED = "A run of this history was deleted, and with it went the change points, which had rested on all runs."


def without_runs(content: Content, deleted: Collection[str]) -> dict[str, Any]:
    """The trend without these runs; of a series that had one, without what was computed from all of its runs."""
    series = [_without(each, deleted) for each in content["series"]]
    older = None if content["older"] in deleted else content["older"]
    return {**content, "series": [each for each in series if each["runs"]], "older": older}


def _without(series: Content, deleted: Collection[str]) -> dict[str, Any]:
    left = [i for i, run in enumerate(series["runs"]) if run not in deleted]
    if len(left) == len(series["runs"]):
        return dict(series)
    place = {i: now for now, i in enumerate(left)}
    return {
        **series,
        "runs": [series["runs"][i] for i in left],
        "cells": [series["cells"][i] for i in left],
        # What changed from one run to the next is told where both are still there.
        "changes": [
            {**each, "at": place[each["at"]]}
            for each in series["changes"]
            if each["at"] in place and each["at"] - 1 in place
        ],
        **{name: [] for name in ("change_points", "segments", "outliers")},
        "noise": None,
        "unsearched": UNSEARCHED,
    }
