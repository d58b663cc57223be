"""The contexts of a trend's page (from plain data): change points in words, and the table of runs. Pure functions."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from benchdb.compare.content import Content, Context
from benchdb.runs.cells.cell_context import show_cell, show_panel
from benchdb.runs.cells.links import result_href, run_href
from benchdb.wording.numbers import plural
from benchdb.wording.words import direction

from .content import measure


def show_points(content: Content) -> list[Context]:
    """The change points above the chart, the newest first."""
    several = len(content["series"]) > 1
    points = [
        {
            "kind": point["kind"],
            "change": point["change"],
            "text": f"{series['label']}: {point['text']}" if several else point["text"],
            "href": f"#p{s}-{point['at']}",
            "at": series["runs"][point["at"]],
        }
        for s, series in enumerate(content["series"])
        for point in series["change_points"]
    ]
    return sorted(points, key=lambda point: point["at"], reverse=True)  # a run's id begins with its time


def show_statements(content: Content) -> list[str]:
    """The statements about each series as a whole."""
    several = len(content["series"]) > 1
    return [
        f"{series['label']}: {statement}" if several else statement
        for series in content["series"]
        for statement in _statements(series)
    ]


def _statements(series: Content) -> Iterator[str]:
    if series["unsearched"]:
        yield series["unsearched"]
    elif not series["change_points"]:
        yield f"No change point in {plural(len(series['runs']), 'run')}."
    if series["noise"] is not None:
        odd = f"; {plural(len(series['outliers']), 'run')} far from the others set aside" if series["outliers"] else ""
        yield f"From one run to the next the figure varies by {100 * series['noise']:.2g} %{odd}."


def show_table(content: Content) -> Context:
    """The context of web/partials/table.html: the runs, the newest first, and the changes between them."""
    several = len(content["series"]) > 1
    details: Context = {}
    groups = [
        {"label": series["label"] if several else None, "rows": list(_rows(content, s, details))}
        for s, series in enumerate(content["series"])
    ]
    column = {"label": content["label"], "unit": content["unit"], "direction": direction(content["higher_is_better"])}
    return {"id": "trend", "label": content["title"], "columns": [column], "groups": groups, "details": details}


def _rows(content: Content, s: int, details: Context) -> Iterator[Context]:
    """One row a run; `changed` are the changes since the run before it in time."""
    series, unit = content["series"][s], measure(content).shown
    run_list = {run["id"]: run for run in content["run_list"]}
    events = {event["at"]: event["text"] for event in series["changes"]}
    points = {point["at"]: point for point in series["change_points"]}
    for i in reversed(range(len(series["runs"]))):
        run, cell = run_list[series["runs"][i]], series["cells"][i]
        key = f"p{s}-{i}"
        started = datetime.fromisoformat(run["started_at"])
        details[key] = show_panel(cell, f"{content['label']}, {started:%-d %b %Y %H:%M} UTC", unit, run["command"])
        yield {
            "id": key,
            "run": run_href(run["id"]),
            "time": started,
            "kernel": run["kernel"],
            "tool": run["tool"],
            "outlier": i in series["outliers"],
            "cells": [show_cell(cell, href=result_href(run["id"], cell["ordinals"][0]), detail=key)],
            "changed": events.get(i),
            "point": points.get(i),
        }
