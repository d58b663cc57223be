"""Contexts that show recognised results, each under its line of raw text. Pure functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path

from django.urls import reverse

from benchagent.formats import Result
from benchagent.formats import printed_units as units_shown
from benchagent.formats.vocabulary import METRICS, test_label
from benchdb.facts.registry import ENTRIES
from benchdb.http.work import expect
from benchdb.ingest.models import Import, ImportFile
from benchdb.runs.cells.links import LINES_A_PAGE
from benchdb.runs.page.run_warnings import RunNote
from benchdb.wording.numbers import plural, say_exact, say_mean_and_sd
from benchdb.wording.sizes import say_size
from benchdb.wording.units import UNITS
from benchdb.wording.words import direction, metric_label, params_in_words

from .beside import RunFiles
from .documents import labels_of, recorded_of
from .reading import SECONDS_A_RESULT, ImportHead, read, results
from .recorded import RecordedFacts

RESULTS_A_PAGE = 500
MOST_VALUES = 50  # shown of one result
EXAMPLE = Path(__file__).with_name("example.txt")  # a real output
# Attributes of a result with the heads of their columns, which are shown if any result has the attribute.
OPTIONAL = {"file_size": "File", "record_size": "Records", "threads": "Threads", "params": "Parameters"}


@dataclass(frozen=True, slots=True)
class FileTally:
    """The number of files in each state."""

    waiting: int
    read: int
    refused: int


def shown_file(file: ImportFile, shown: int) -> dict[str, object]:
    """A file with its first `shown` results, for ingest/partials/file.html; one that was read has more.

    `raw` is None for an empty file, `part` if no result is shown, `rounds` for a single round. `hidden` counts the
    results that are not shown. `file.reading` is not needed if `shown` is 0.
    """
    without_results = {
        "ordinal": file.ordinal,
        "name": file.name,
        "size": say_size(file.size),
        "state": file.state,
        "reason": file.reason,
        "place": f"line {file.line}, column {file.column or 1}" if file.line else "",
        "raw": raw_href(file, file.line or 1) if file.size else None,
    }
    if file.state != "read":
        return without_results
    head: ImportHead = file.head
    return {
        **without_results,
        "tool": file.tool,
        "version": head["tool_version"] or "version unknown",
        "command": head["command"],
        "parameters": ", ".join(params_in_words(head["parameters"])),
        "results": plural(file.result_count, "result"),
        "rounds": plural(file.round_count, "round") if file.round_count > 1 else None,
        "warnings": [RunNote(text) for text in head["warnings"]],
        "more_warnings": head["warning_count"] - len(head["warnings"]),
        "unread": [{"line": line, "text": text, "href": raw_href(file, line)} for line, text in head["unread"]],
        "more_unread": head["unread_count"] - len(head["unread"]),
        "part": part(file, 0, shown) if shown else None,
        "hidden": file.result_count - shown if shown < file.result_count else 0,
        "href": reverse("import-file", args=[file.of_id, file.ordinal]),
    }


def raw_href(file: ImportFile, line: int) -> str:
    """The address of a line of the file's raw text."""
    first = (max(line, 1) - 1) // LINES_A_PAGE * LINES_A_PAGE + 1
    base = reverse("import-raw", args=[file.of_id, file.ordinal])
    return f"{base}{f'?from={first}' if first > 1 else ''}#L{line}"


def part(file: ImportFile, start: int, count: int) -> dict[str, object]:
    """Results from `start` on, grouped by line of raw text, with the columns that any of them fills."""
    expect(SECONDS_A_RESULT * file.result_count)
    all_results, texts = results(bytes(file.reading or b""))
    page = all_results[start : start + count]
    filled = [name for name in OPTIONAL if any(_optional(result)[name] for result in page)]
    heads = [{"label": OPTIONAL[name], "number": name != "params"} for name in filled]
    # The context of ingest/partials/results.html; `width` is the number of columns.
    return {"lines": list(_lines(file, page, texts, filled)), "heads": heads, "width": 3 + len(heads)}


@cache
def example() -> dict[str, object]:
    """A real output, line by line, and what is read in each, for ingest/partials/example.html."""
    found = read(content := EXAMPLE.read_bytes(), EXAMPLE.name)
    recognised, texts = results(found.packed)
    lines = _lines(ImportFile(of=Import(), ordinal=0), recognised, texts, ["record_size", "params"])
    cells = {line["number"]: line["cells"] for line in lines}
    texts_of_lines = enumerate(content.decode().splitlines(), 1)
    return {
        "tool": found.tool,
        "lines": [{"text": text, "cells": cells.get(line, [])} for line, text in texts_of_lines],
    }


def _lines(
    file: ImportFile, page: Sequence[Result], texts: Mapping[int, str], filled: Sequence[str]
) -> Iterator[dict[str, object]]:
    units = units_shown.units(page)
    for line, of_line in groupby(page, key=lambda result: result.lines[0] if result.lines else None):
        # A line of raw text with its results; `number` and `href` are None for results without a line.
        yield {
            "number": line,
            "text": texts.get(line, "").rstrip() if line else "",
            "href": raw_href(file, line) if line else None,
            "cells": [_cell(file, result, units[result.metric], filled) for result in of_line],
        }


def _cell(file: ImportFile, result: Result, unit: str, filled: Sequence[str]) -> dict[str, object]:
    """One result; `unit` is that of the raw text if known, so that a reader finds the same digits there."""
    metric, optional = METRICS[result.metric], _optional(result)
    # One result; `name` is that of its test in documents, and `more` counts the values that are not shown.
    return {
        "test": test_label(result.test),
        "name": result.test,
        "metric": metric_label(result.metric),
        "unit": unit,
        "arrow": direction(metric.higher_is_better),
        "values": [_value(file, result, index, unit) for index in range(min(len(result.values), MOST_VALUES))],
        "more": max(0, len(result.values) - MOST_VALUES),
        "status": result.status,
        "error": result.error,
        "optional": [
            # An attribute of a result in such a column; `label` is "" for text that needs none.
            {
                "text": optional[name],
                "label": "" if name == "params" else OPTIONAL[name].lower(),
                "number": name != "params",
            }
            for name in filled
        ],
    }


def _optional(result: Result) -> dict[str, str | int]:
    """The attributes for the columns of `OPTIONAL`; "" for one that the result does not have."""
    return {
        "file_size": say_size(result.file_size) if result.file_size is not None else "",
        "record_size": say_size(result.record_size) if result.record_size is not None else "",
        "threads": result.threads or "",
        "params": ", ".join(params_in_words(result.params)),
    }


def _value(file: ImportFile, result: Result, index: int, unit: str) -> dict[str, object]:
    value = result.values[index]
    line = result.lines[index] if index < len(result.lines) else None
    text = "–" if value is None else say_mean_and_sd(value, None, 1, UNITS[unit], printed=True)["mean"]
    exact = "" if value is None else f"{say_exact(value)} {result.unit}"
    # A value as its tool printed it; `exact` has all digits in base units. `line` is None without raw text.
    return {"text": text, "exact": exact, "line": line, "href": raw_href(file, line) if line else None}


def planned_runs(runs: Sequence[RunFiles], draft: Import, labels: Mapping[str, str]) -> list[dict[str, object]]:
    """The runs that would be stored; `labels` are those that the person entered."""
    return [
        {
            "title": f"{run.outputs[0].tool} {run.outputs[0].head['tool_version'] or ''}".strip(),
            "rounds": plural(run.rounds, "round"),
            "files": [file.name for file in run.files],
            "labels": [f"{name} = {value}" for name, value in labels_of(run, labels).items()],
            "facts": list(_recorded(recorded_of(run, draft))),
        }
        for run in runs
    ]


def _recorded(facts: RecordedFacts) -> Iterator[str]:
    """Recorded facts in words, as far as the form has them."""
    for field in ENTRIES:
        if (value := facts.get(field.pointer)) is not None:
            yield f"{field.label} {say_size(value) if isinstance(value, int) else value}"


def tally(files: Sequence[ImportFile]) -> FileTally:
    """The number of files in each state."""
    counts = Counter(file.state for file in files)
    return FileTally(waiting=counts["waiting"], read=counts["read"], refused=counts["refused"])
