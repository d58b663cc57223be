"""Contexts that show recognised results, each under its line of raw text. Pure functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from django.urls import reverse

from benchagent.formats import Result
from benchagent.formats import printed_units as units_shown
from benchagent.formats.vocabulary import METRICS, test_label
from benchdb.ingest.models import ImportFile
from benchdb.runs.cells.links import LINES_A_PAGE
from benchdb.wording.numbers import plural, say_exact, say_mean_and_sd
from benchdb.wording.sizes import say_size
from benchdb.wording.units import UNITS
from benchdb.wording.words import direction, metric_label, params_in_words

from .reading import results

Context = dict[str, Any]
RESULTS_A_PAGE = 500
MOST_VALUES = 50  # shown of one result
# Attributes of a result with the heads of their columns, which are shown if any result has the attribute.
OPTIONAL = {"file_size": "File", "record_size": "Records", "threads": "Threads", "params": "Parameters"}


def file_context(file: ImportFile, shown: int) -> Context:
    """A file with its first `shown` results; `file.reading` is not needed if `shown` is 0."""
    head = file.head
    context: Context = {
        "ordinal": file.ordinal,
        "name": file.name,
        "size": say_size(file.size),
        "state": file.state,
        "reason": file.reason,
        "place": _place(file),
        "raw": raw_href(file, file.line or 1) if file.size else None,
    }
    if file.state != "read":
        return context
    return {
        **context,
        "tool": file.tool,
        "version": head["tool_version"] or "version unknown",
        "command": head["command"],
        "parameters": ", ".join(params_in_words(head["parameters"])),
        "results": plural(file.result_count, "result"),
        "rounds": plural(file.round_count, "round") if file.round_count > 1 else None,
        "complete": head["complete"],
        "warnings": [{"text": text, "severe": False, "href": None} for text in head["warnings"]],
        "more_warnings": head["warning_count"] - len(head["warnings"]),
        "unread": [{"line": line, "text": text, "href": raw_href(file, line)} for line, text in head["unread"]],
        "more_unread": head["unread_count"] - len(head["unread"]),
        **(part(file, 0, shown) if shown else {}),
        "hidden": file.result_count - shown if shown < file.result_count else 0,
        "href": reverse("import-file", args=[file.of_id, file.ordinal]),
    }


def _place(file: ImportFile) -> str:
    return f"line {file.line}, column {file.column or 1}" if file.line else ""


def raw_href(file: ImportFile, line: int) -> str:
    """The address of a line of the file's raw text."""
    first = (max(line, 1) - 1) // LINES_A_PAGE * LINES_A_PAGE + 1
    base = reverse("import-raw", args=[file.of_id, file.ordinal])
    return f"{base}{f'?from={first}' if first > 1 else ''}#L{line}"


def part(file: ImportFile, start: int, count: int) -> Context:
    """The context of ingest/partials/results.html: results from `start` on, with the columns that any of them fills."""
    shown_lines = list(lines(file, start, count))
    cells = [cell for line in shown_lines for cell in line["cells"]]
    filled = [name for name in OPTIONAL if any(cell[name] for cell in cells)]
    for cell in cells:
        cell["optional"] = [
            {
                "text": cell[name],
                "label": "" if name == "params" else OPTIONAL[name].lower(),
                "number": name != "params",
            }
            for name in filled
        ]
    heads = [{"label": OPTIONAL[name], "number": name != "params"} for name in filled]
    return {"lines": shown_lines, "heads": heads, "width": 3 + len(heads)}


def lines(file: ImportFile, start: int, count: int) -> Iterator[Context]:
    """Results from `start` on, grouped by line of raw text."""
    all_results, texts = results(bytes(file.reading or b""))
    page = all_results[start : start + count]
    units = units_shown.units(page)
    for line, of_line in groupby(page, key=lambda result: result.lines[0] if result.lines else None):
        yield {
            "number": line,
            "text": texts.get(line, "").rstrip() if line else "",
            "href": raw_href(file, line) if line else None,
            "cells": [_cell(file, result, units[result.metric]) for result in of_line],
        }


def _cell(file: ImportFile, result: Result, unit: str) -> Context:
    """One result; `unit` is that of the raw text if known, so that a reader finds the same digits there."""
    metric = METRICS[result.metric]
    return {
        "test": test_label(result.test),
        "name": result.test,
        "metric": metric_label(result.metric),
        "unit": unit,
        "arrow": direction(metric.higher_is_better),
        "file_size": say_size(result.file_size) if result.file_size is not None else "",
        "record_size": say_size(result.record_size) if result.record_size is not None else "",
        "threads": result.threads or "",
        "params": ", ".join(params_in_words(result.params)),
        "values": [_value(file, result, index, unit) for index in range(min(len(result.values), MOST_VALUES))],
        "more": max(0, len(result.values) - MOST_VALUES),
        "status": result.status,
        "error": result.error,
    }


def _value(file: ImportFile, result: Result, index: int, unit: str) -> Context:
    value = result.values[index]
    line = result.lines[index] if index < len(result.lines) else None
    text = "–" if value is None else say_mean_and_sd(value, None, 1, UNITS[unit], printed=True)["mean"]
    exact = "" if value is None else f"{say_exact(value)} {result.unit}"
    return {"text": text, "exact": exact, "line": line, "href": raw_href(file, line) if line else None}


def runs_context(runs: Sequence[Sequence[ImportFile]]) -> list[Context]:
    """The runs that would be stored."""
    return [
        {
            "title": f"{files[0].tool} {files[0].head['tool_version'] or ''}".strip(),
            "rounds": plural(sum(file.round_count for file in files), "round"),
            "files": [file.name for file in files],
        }
        for files in runs
    ]


def tally(files: Sequence[ImportFile]) -> Mapping[str, int]:
    """The number of files in each state."""
    counts = {"waiting": 0, "read": 0, "refused": 0}
    for file in files:
        counts[file.state] += 1
    return counts
