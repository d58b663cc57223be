"""Removes the figures of deleted runs from the content of a surface. Pure functions, for every schema stored."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from benchdb.compare.content import Content


def without_runs(content: Content, deleted: Collection[str]) -> dict[str, Any] | None:
    """The surface of the run that is left, without the ratio; None if all runs are in `deleted` (their ids)."""
    surfaces = content["surfaces"]
    left = [i for i, surface in enumerate(surfaces) if surface["run"] not in deleted]
    if not left:
        return None
    marks = [{**mark, "of": [0]} for mark in content["marks"] if left[0] in mark["of"]]
    return {
        **content,
        "surfaces": [_without_verdicts(surfaces[i]) for i in left],
        "marks": marks,
        "ratio": None,
        "ratio_averages": [],
        "left_out": None,
    }


def _without_verdicts(surface: Content) -> dict[str, Any]:
    cells = [[cell and {**cell, "verdict": None} for cell in line] for line in surface["cells"]]
    return {**surface, "cells": cells}
