"""The results of a run as tables, one a metric: rows are file × record sizes, columns are tests, as iozone has them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchagent.formats.vocabulary import METRICS, test_label

from .cells import Cell, cells_of_run
from .links import result_href
from .models import Run
from .present import Context, show_cell, show_panel
from .queries import Measured
from .sizes import say_size, unbroken
from .units import UNITS, Unit, default_unit
from .words import direction, metric_label, place_in_words, threads_and_params

MOST_UNFOLDED = 12  # rows of a table after the first
TIMES = ("elapsed", "user_time", "system_time")

Place = tuple[int | None, int | None, int | None, str]


@dataclass(frozen=True)
class Shown:
    """A result with its cell in the unit of its table."""

    result: Measured
    cell: Cell
    unit: Unit


def shown_results(run: Run, results: Sequence[Measured], units: Mapping[str, str]) -> dict[str, list[Shown]]:
    """Results by metric, in the document's order; `units` are those chosen for a base unit."""
    by_metric: dict[str, list[Measured]] = {}
    for result in results:
        by_metric.setdefault(result.metric, []).append(result)
    found = {}
    for metric, own in by_metric.items():
        unit = UNITS[units.get(METRICS[metric].unit) or default_unit(metric)]
        pairs = zip(own, cells_of_run(own, unit, run), strict=True)
        found[metric] = [Shown(result, cell, unit) for result, cell in pairs]
    return found


def results_tables(
    by_metric: Mapping[str, list[Shown]], command: str, surfaces: Mapping[str, Mapping[str, str]]
) -> list[Context]:
    """All tables, the main one first: `[{heading, table, folded}]`; long ones after the first are folded.

    `surfaces` are the addresses of surfaces by metric and test. Times of whole steps (mkfs, mount, the run itself)
    make one table of their own.
    """
    times = {metric: [each for each in by_metric.get(metric, []) if is_time_of_step(each)] for metric in TIMES}
    found: list[Context] = []
    for metric in sorted(by_metric, key=list(METRICS).index):
        own = [each for each in by_metric[metric] if each not in times.get(metric, [])]
        if own:
            table = results_table(metric, own, command, surfaces.get(metric, {}))
            folded = bool(found) and len({place_of(each.result) for each in own}) > MOST_UNFOLDED
            found.append({"heading": metric_label(metric), "table": table, "folded": folded})
    if any(times.values()):
        found.append({"heading": "times", "table": times_table(times, command), "folded": False})
    return found


def is_time_of_step(each: Shown) -> bool:
    return each.result.file_size is None and each.result.record_size is None and not each.result.params


def results_table(metric: str, shown: Sequence[Shown], command: str, surfaces: Mapping[str, str]) -> Context:
    """The table of one metric, for web/partials/table.html."""
    tests = list(dict.fromkeys(each.result.test for each in shown))
    rows: dict[Place, dict[str, Shown]] = {}
    for each in shown:
        rows.setdefault(place_of(each.result), {})[each.result.test] = each
    unit, arrow = shown[0].unit.name, direction(METRICS[metric].higher_is_better)
    columns = [
        {"label": test_label(test), "unit": unit, "direction": arrow, "href": surfaces.get(test)} for test in tests
    ]
    groups = [
        {"label": label, "note": None, "rows": [_row(row, tests, with_file=label is None) for row in own]}
        for label, own in _groups(rows)
    ]
    return _table(metric, _row_head(rows), columns, groups, shown, command)


def times_table(times: Mapping[str, Sequence[Shown]], command: str) -> Context:
    """Real, user and system time of whole steps: a row a step, as time(1) has them."""
    metrics = [metric for metric, shown in times.items() if shown]
    every = [each for shown in times.values() for each in shown]
    steps: dict[str, dict[str, Shown]] = {}
    for each in every:
        steps.setdefault(title(each.result), {})[each.result.metric] = each
    columns = [
        {"label": metric_label(metric).capitalize(), "unit": times[metric][0].unit.name, "direction": "↓", "href": None}
        for metric in metrics
    ]
    rows = [
        {"label": step, "note": None, "cells": [_cell(row.get(metric)) for metric in metrics]}
        for step, row in steps.items()
    ]
    return _table("times", "Step", columns, [{"label": None, "note": None, "rows": rows}], every, command)


def _table(
    name: str, row_head: str, columns: list[Context], groups: list[Context], shown: Sequence[Shown], command: str
) -> Context:
    return {
        "id": f"results-{name}",
        "label": f"Results: {metric_label(name)}",
        "caption": None,
        "row_head": row_head,
        "columns": columns,
        "groups": groups,
        "details": {key(each.result): panel(each, command) for each in shown},
    }


def panel(each: Shown, command: str | None) -> Context:
    """The panel of one result."""
    return show_panel(each.cell, title(each.result), each.unit, command)


def title(result: Measured) -> str:
    """`Random read, 1 GiB file, 1 MiB records`."""
    return ", ".join(filter(None, [test_label(result.test), place_in_words(result)]))


def key(result: Measured) -> str:
    """Where the panel of a result is found in the details of its table."""
    return f"r{result.ordinal}"


def place_of(result: Measured) -> Place:
    return (result.file_size, result.record_size, result.threads, json.dumps(result.params, sort_keys=True))


def _row_head(rows: Iterable[Place]) -> str:
    sized = [place for place in rows if place[0] is not None]
    if not sized:
        return "Parameters"
    return "File × record" if any(record is not None for _, record, _, _ in sized) else "File"


def _groups(rows: Mapping[Place, dict[str, Shown]]) -> list[tuple[str | None, list[dict[str, Shown]]]]:
    """One group a file size where several file sizes were measured with several record sizes, else one for all."""
    by_file: dict[int | None, list[dict[str, Shown]]] = {}
    for place, row in rows.items():
        by_file.setdefault(place[0], []).append(row)
    if len(by_file) == 1 or len(rows) < 2 * len(by_file):
        return [(None, list(rows.values()))]
    return [("other" if size is None else f"{say_size(size)} file", own) for size, own in by_file.items()]


def _row(row: Mapping[str, Shown], tests: Sequence[str], *, with_file: bool) -> Context:
    first = next(iter(row.values())).result
    sizes = [first.file_size] if with_file else []
    label = " × ".join(say_size(size) for size in [*sizes, first.record_size] if size is not None)
    notes = threads_and_params(first)
    if not label:
        label, notes = (", ".join(notes) or "–"), []
    cells = [_cell(row.get(test)) for test in tests]
    return {"label": unbroken(label), "note": ", ".join(notes) or None, "cells": cells}


def _cell(each: Shown | None) -> dict[str, Any]:
    if each is None:
        return show_cell(None)
    return show_cell(each.cell, href=result_href(str(each.result.run_id), each.result.ordinal), detail=key(each.result))
