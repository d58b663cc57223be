"""What stands under the figures of a surface: averages, highest and lowest cells. Pure functions of plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchdb.runs.numbers import say_number
from benchdb.runs.sizes import unbroken

from .surface_averages import ALL
from .surface_words import say_figure, unit_of

Context = dict[str, Any]
Content = Mapping[str, Any]

GROUPS = {
    ALL: "all cells",
    "device": "device",
    "mixed": "partly cached",
    "cached": "cached",
    "unknown": "cache unknown",
}


def show_averages(content: Content) -> Context:
    """The context of compare/surface_averages.html."""
    several = len(content["surfaces"]) > 1
    ratios = {found["of"]: say_ratio_average(found) for found in content["ratio_averages"]}
    runs = [
        {
            "label": surface["label"] if several else None,
            "against": s > 0,
            "rows": [
                {**_average_row(content, found), "ratio": ratios.get(found["of"])} for found in surface["averages"]
            ],
        }
        for s, surface in enumerate(content["surfaces"])
    ]
    texts = {
        warning["text"]: None
        for surface in content["surfaces"]
        for f in surface["averages"]
        for warning in f["warnings"]
    }
    return {
        "unit": unit_of(content).name,
        "several": several,
        "runs": [run for run in runs if run["rows"]],
        "left_out": content["left_out"],
        "warnings": [{"text": text, "severe": False, "href": None} for text in texts],
    }


def say_ratio_average(found: Mapping[str, Any]) -> str | None:
    """`1.21 (1.19 to 1.23)`."""
    if found["ratio"] is None:
        return None
    interval = "" if found["low"] is None else f" ({say_number(found['low'], 3)} to {say_number(found['high'], 3)})"
    return f"{say_number(found['ratio'], 3)}{interval}"


def _average_row(content: Content, found: Mapping[str, Any]) -> Context:
    def end(place: Mapping[str, Any]) -> Context:
        i, j = place["place"]
        where = f"{content['file_labels'][i]} file, {content['record_labels'][j]} records"
        return {"value": say_figure(place["value"], content), "where": unbroken(where)}

    return {
        "of": GROUPS[found["of"]],
        "cells": say_number(found["cells"], 0),
        "average": say_figure(found["average"], content),
        "highest": end(found["highest"]),
        "lowest": end(found["lowest"]),
        "doubtful": " ".join(warning["text"] for warning in found["warnings"]),
    }
