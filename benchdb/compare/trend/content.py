"""The content of a trend (schema `benchdb.trend/1`), cell by cell."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from benchdb.compare.content import Content, Measure, Placed


def measure(content: Content) -> Measure:
    """What the figures of all cells are."""
    return Measure(**{name: content[name] for name in Measure._fields})


def cells(content: Content) -> Iterator[Placed]:
    """Series by series, run by run: split is the file system, row when the run was started, column the test."""
    found, run_list = measure(content), {run["id"]: run for run in content["run_list"]}
    for s, series in enumerate(content["series"]):
        for r, (run, cell) in enumerate(zip(series["runs"], series["cells"], strict=True)):
            yield Placed(f"{s}-{r}-0", series["label"], run_list[run]["started_at"], content["label"], cell, found)


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
