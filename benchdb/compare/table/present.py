"""The contexts of the partials that show a table (plain data, live or frozen). Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from benchdb.compare.content import Content, Context
from benchdb.compare.query.dimensions import dimension, label_of, with_noun
from benchdb.compare.verdicts.sentences import warnings_of_all
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.cell_context import show_cell, show_panel, tags
from benchdb.runs.cells.links import result_href, run_href
from benchdb.wording.numbers import plural, say_change
from benchdb.wording.sizes import unbroken
from benchdb.wording.times import known_time
from benchdb.wording.words import direction, metric_label

from .content import cells, measure
from .titles import LEFT_OUT

SHOWN = 7  # the rest is folded
MOST_CELLS = 60  # of one finding, to highlight; more is the whole table


def show_findings(content: Content) -> list[dict[str, Any]]:
    """`[{text, href, cells, folded}]`: the link jumps to the first cell of the sentence."""
    return [
        {
            "text": unbroken(finding["text"]),
            "href": f"#c{finding['cells'][0]}" if finding["cells"] else None,
            "cells": " ".join(f"c{key}" for key in finding["cells"][:MOST_CELLS]),
            "folded": index >= SHOWN,
        }
        for index, finding in enumerate(content["findings"])
    ]


RUNS_ANCHOR = "#runs"

CORRECTIONS = {"benjamini_hochberg": "Benjamini and Hochberg", "holm": "Holm"}
STATISTICS = {"median": "medians", "minimum": "smallest values", "maximum": "largest values"}
ALONE = (
    "Only one of the chosen runs is in this table: the others have no result for what it shows. "
    "Another test or size may be what they share."
)
KINDS = {"device": "on the device", "cached": "in memory, at least in part", "unknown": "device or memory, unknown"}


def show_table(table: Content) -> Context:
    """The context of web/partials/table.html for the content of a table."""
    details: Context = {}
    commands = {run["id"]: run["command"] for run in table["run_list"]}
    judged = _is_judged(table)
    groups = []
    for i, group in enumerate(table["groups"]):
        rows, split = [], _split_label(group)
        for j, row in enumerate(group["rows"]):
            row_cells = []
            for k, (head, cell) in enumerate(zip(table["heads"], row["cells"], strict=True)):
                key = f"c{i}-{j}-{k}"
                row_cells.append({**show_cell(cell, href=_href(cell), detail=key), "anchor": key})
                if cell is not None and cell["status"] != "deleted":
                    name = " · ".join(filter(None, [row["label"], head["label"], split]))
                    unit = measure(table, group, row, head).shown
                    details[key] = show_panel(cell, name, unit, _command(cell, commands))
            rows.append({"label": unbroken(row["label"]), "note": _note(row, judged), "cells": row_cells})
        groups.append(
            {"label": split, "note": " · ".join(filter(None, [_note(group, judged), group["n"]])), "rows": rows}
        )
    return {
        "id": "comparison",
        "label": table["title"],
        "caption": None,
        "row_head": table["rows"]["label"][:1].upper() + table["rows"]["label"][1:],
        "columns": _columns(table["heads"], judged),
        "groups": groups,
        "details": details,
    }


def _is_judged(table: Content) -> bool:
    """Whether any cell has a verdict; a table with a single row compares nothing."""
    return any(placed.cell.get("verdict") for placed in cells(table))


def _note(part: Content, judged: bool) -> str | None:
    """The note beside a row or a group: "baseline" if it is the one of verdicts, and the unit if it has a metric."""
    unit = f"{part['unit']} {direction(part['higher_is_better'])}" if part["metric"] else None
    return " · ".join(filter(None, ["baseline" if part["baseline"] and judged else None, unit])) or None


def _columns(heads: Sequence[Content], judged: bool) -> list[Context]:
    """The heads; if one has the note "baseline", the others have an empty one, so that all names are aligned."""
    with_note = judged and any(head["baseline"] for head in heads)
    return [
        {
            "label": unbroken(head["label"]),
            "unit": head["unit"],
            "direction": direction(head["higher_is_better"]) if head["metric"] else None,
            "href": None,
            "note": ("baseline" if head["baseline"] else "\u00a0") if with_note else None,
        }
        for head in heads
    ]


def _split_label(group: Content) -> str | None:
    """`1 MiB records · 4 threads`, `Linux 6.1`: each value with its noun."""
    return " · ".join(with_noun(name, label) for name, label in group["parts"].items()) or None


def _href(cell: Cell | None) -> str:
    """The address of the cell's evidence: its result, or the list of runs if the cell has several runs."""
    if cell is None:
        return ""
    return result_href(cell["runs"][0], cell["ordinals"][0]) if len(cell["runs"]) == 1 else RUNS_ANCHOR


def _command(cell: Cell, commands: Mapping[str, str]) -> str | None:
    distinct = {commands[run] for run in cell["runs"]}
    return distinct.pop() if len(distinct) == 1 else None


def show_warnings(table: Content) -> list[Context]:
    """The warnings that make the whole table doubtful."""
    severe = [difference["label"] for difference in table["differences"] if difference["severe"]]
    warnings = []
    if severe:
        factor = table["factor"]["label"]
        text = (
            f"Not only the {factor} differs: {', '.join(severe)} too. The differences in the table may come from there."
        )
        warnings.append({"text": text, "severe": True, "href": None})
    if len(table["run_list"]) == 1 and any(note.startswith(LEFT_OUT) for note in table["notes"]):
        warnings.append({"text": ALONE, "severe": False, "href": None})
    return warnings


def notes(table: Content) -> list[str]:
    """The notes below the table, which apply to the whole table."""
    verdicts = [placed.cell.get("verdict") for placed in cells(table)]
    return [*table["notes"], *warnings_of_all([*verdicts, *table["findings"]])]


def show_legend(table: Content) -> Context | None:
    """The marks of the table to explain, for compare/legend.html; None if there are none."""
    all_cells = [placed.cell for placed in cells(table)]
    marks = {tag["text"] for cell in all_cells for tag in tags(cell)}
    judged = _is_judged(table)
    if not judged and not marks and table["statistic"] == "mean":
        return None
    return {
        "factor": table["factor"]["label"],
        "judged": judged,
        "margin": f"{100 * table['margin']:g}",
        "level": f"{table['level']:g}",
        "correction": CORRECTIONS[table["correction"]],
        "statistic": None if table["statistic"] == "mean" else STATISTICS[table["statistic"]],
        "best": any(cell.get("best") for cell in all_cells),
        "ram": "RAM" in marks,
        "clk": "CLK" in marks,
        "warned": "!" in marks,
    }


def show_geometric_means(table: Content) -> Context | None:
    """Rows of the geometric means, for compare/geometric_means.html; None if there are none."""
    means = table["geometric_means"]
    if not means:
        return None
    kinds = [kind for kind in KINDS if any(row[kind] for row in means)]
    several = len({row["metric"] for row in means}) > 1
    rows = [
        {
            "label": " · ".join([row["row"], *([metric_label(row["metric"])] if several else [])]),
            "means": [row[kind] and _geometric_mean(row[kind]) for kind in kinds],
        }
        for row in means
    ]
    return {"baseline": table["baseline"], "kinds": [KINDS[kind] for kind in kinds], "rows": rows}


def _geometric_mean(mean: Content) -> Context:
    has_interval = mean["low"] is not None and mean["high"] is not None
    interval = f"{say_change(mean['low'])} to {say_change(mean['high'])}" if has_interval else None
    return {"change": say_change(mean["ratio"]), "interval": interval, "cells": plural(mean["cells"], "cell")}


def runs_head(table: Content) -> str:
    """The head of the runs' labels: the dimensions of the factor that are of runs."""
    names = [name for name in table["factor"]["names"] if dimension(name).of_run is not None]
    return label_of(names or ["file_system"])


def show_runs(table: Content) -> list[Context]:
    """The runs in the table, with their pages."""
    return [{**run, "href": run_href(run["id"]), "started_at": _time(run)} for run in table["run_list"]]


def _time(run: Mapping[str, Any]) -> datetime | date | str:
    """When the run was measured."""
    return known_time(datetime.fromisoformat(run["started_at"]), datetime.fromisoformat(run["finished_at"]))
