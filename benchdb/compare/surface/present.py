"""The contexts of the partials with the numbers of a surface (plain data, live or frozen). Pure functions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchdb.compare.content import Content, Context
from benchdb.compare.verdicts.sentences import warnings_of_all
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.cell_context import show_cell, show_panel
from benchdb.runs.cells.links import result_href
from benchdb.wording.numbers import say_number
from benchdb.wording.sizes import say_size, unbroken
from benchdb.wording.words import direction

from .averages import ALL, statistic_of
from .content import measure
from .figures import say_figure, unit_of


def show_table(content: Content) -> Context:
    """The numbers of the figures, for web/partials/table.html: a group a run, a row a file size."""
    details: Context = {}
    several = len(content["surfaces"]) > 1
    groups = [
        {
            "label": surface["label"] if several else None,
            "note": "baseline of the ratio" if several and s == 0 else None,
            "rows": [_row(content, s, i, details) for i in range(len(content["file_sizes"]))],
        }
        for s, surface in enumerate(content["surfaces"])
    ]
    arrow = direction(content["higher_is_better"]) if content["statistic"] == "mean" else None
    unit = unit_of(content).name
    return {
        "id": "surface-table",
        "label": content["title"],
        "caption": None,
        "row_head": "File ↓ · records →",
        "columns": [
            {"label": unbroken(label), "unit": unit, "direction": arrow, "href": None}
            for label in content["record_labels"]
        ],
        "groups": groups,
        "details": details,
    }


def _row(content: Content, s: int, i: int, details: Context) -> Context:
    surface, label = content["surfaces"][s], content["file_labels"][i]
    cells = []
    for j, cell in enumerate(surface["cells"][i]):
        key = f"c{s}-{i}-{j}"
        href = "" if cell is None else result_href(cell["runs"][0], cell["ordinals"][0])
        cells.append(in_statistic(show_cell(cell, href=href, detail=key), cell, content))
        if cell is not None:
            parts = [f"{content['label']}, {label} file, {content['record_labels'][j]} records"]
            name = " · ".join([*parts, *([surface["label"]] if len(content["surfaces"]) > 1 else [])])
            details[key] = show_panel(cell, name, measure(content).shown, surface["command"])
    return {"label": unbroken(label), "note": None, "cells": cells}


def in_statistic(shown: Context, cell: Cell | None, content: Content) -> Context:
    """The cell with the chosen statistic as its number; the mean keeps its sd beneath."""
    if cell is None or content["statistic"] == "mean" or cell["mean"] is None:
        return shown
    value = statistic_of(cell, content["statistic"])
    # A single value has no spread; show_cell has `n = 1` in the place of the sd.
    text = "–" if value is None else say_figure(value, content)
    return {**shown, "mean": text, "sd": None, "verdict": None}


def show_warnings(content: Content) -> list[Context]:
    """The warnings that make the whole ratio doubtful."""
    severe = [difference["label"] for difference in content["differences"] if difference["severe"]]
    if not severe:
        return []
    labels = " and ".join(surface["label"] for surface in content["surfaces"])
    text = f"{labels} differ in more than that: {', '.join(severe)}. The ratio may come from there."
    return [{"text": text, "severe": True, "href": None}]


def notes(content: Content) -> list[str]:
    """The notes below the table, which apply to the whole page."""
    marks = show_marks(content)
    verdicts = [
        cell["verdict"] for line in content["surfaces"][-1]["cells"] for cell in line if cell and cell.get("verdict")
    ]
    about_means = (
        ["The ratio and its verdicts are those of the means."] if verdicts and content["statistic"] != "mean" else []
    )
    return [
        *([f"Lines mark where caches and memory end: {marks}."] if marks else []),
        *content["notes"],
        *about_means,
        *warnings_of_all(verdicts),
    ]


def show_marks(content: Content) -> str | None:
    """`L1 at 32 KiB, L2 at 1 MiB, memory at 7.8 GiB`: the sizes of the lines, including those outside the axes."""
    labels = [surface["label"] for surface in content["surfaces"]]
    texts = [
        f"{mark['label']} at {say_size(mark['bytes'])}"
        + ("" if len(mark["of"]) == len(labels) else f" ({labels[mark['of'][0]]})")
        for mark in content["marks"]
        if mark["axis"] == "file_size"
    ]
    return ", ".join(texts) or None


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
    ratios = {average["of"]: say_ratio_average(average) for average in content["ratio_averages"]}
    runs = [
        {
            "label": surface["label"] if several else None,
            "against": s > 0,
            "rows": [
                {**_average_row(content, average), "ratio": ratios.get(average["of"])}
                for average in surface["averages"]
            ],
        }
        for s, surface in enumerate(content["surfaces"])
    ]
    texts = {
        warning["text"]: None
        for surface in content["surfaces"]
        for average in surface["averages"]
        for warning in average["warnings"]
    }
    return {
        "unit": unit_of(content).name,
        "several": several,
        "runs": [run for run in runs if run["rows"]],
        "left_out": content["left_out"],
        "warnings": [{"text": text, "severe": False, "href": None} for text in texts],
    }


def say_ratio_average(average: Mapping[str, Any]) -> str | None:
    """`1.21 (1.19 to 1.23)`."""
    if average["ratio"] is None:
        return None
    interval = (
        "" if average["low"] is None else f" ({say_number(average['low'], 3)} to {say_number(average['high'], 3)})"
    )
    return f"{say_number(average['ratio'], 3)}{interval}"


def _average_row(content: Content, average: Mapping[str, Any]) -> Context:
    def end(extreme: Mapping[str, Any]) -> Context:
        i, j = extreme["place"]
        sizes = f"{content['file_labels'][i]} file, {content['record_labels'][j]} records"
        return {"value": say_figure(extreme["value"], content), "where": unbroken(sizes)}

    return {
        "of": GROUPS[average["of"]],
        "cells": say_number(average["cells"], 0),
        "average": say_figure(average["average"], content),
        "highest": end(average["highest"]),
        "lowest": end(average["lowest"]),
        "doubtful": " ".join(warning["text"] for warning in average["warnings"]),
    }
