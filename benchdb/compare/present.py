"""Tables (plain data, live or frozen) as the contexts of the partials that show them. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from benchdb.runs.cells import Cell
from benchdb.runs.links import result_href, run_href
from benchdb.runs.present import show_cell, show_panel
from benchdb.runs.sizes import unbroken
from benchdb.runs.units import Unit
from benchdb.runs.words import direction

Context = dict[str, Any]
Content = Mapping[str, Any]

RUNS_ANCHOR = "#runs"
# Warnings that hold for verdicts all over a table are said once beneath it.
OF_ALL_VERDICTS = ("within_one_run", "moments_only")


def show_table(table: Content) -> Context:
    """The context of web/partials/table.html for a table of `compare.table`."""
    details: Context = {}
    commands = {run["id"]: run["command"] for run in table["run_list"]}
    unit = unit_of(table)
    groups = []
    for i, group in enumerate(table["groups"]):
        rows, split = [], _split_label(table, group)
        for j, row in enumerate(group["rows"]):
            cells = []
            for k, cell in enumerate(row["cells"]):
                key = f"c{i}-{j}-{k}"
                cells.append(show_cell(cell, href=_href(cell), detail=key))
                if cell is not None:
                    name = " · ".join(filter(None, [row["label"], table["heads"][k], split]))
                    details[key] = show_panel(cell, name, unit, _command(cell, commands))
            several = len(group["rows"]) > 1
            note = "baseline" if row["baseline"] and several else None
            rows.append({"label": unbroken(row["label"]), "note": note, "cells": cells})
        groups.append({"label": split, "note": group["n"], "rows": rows})
    return {
        "id": "comparison",
        "label": table["title"],
        "caption": None,
        "row_head": table["rows"]["label"][:1].upper() + table["rows"]["label"][1:],
        "columns": [_column(label, table) for label in table["heads"]],
        "groups": groups,
        "details": details,
    }


def unit_of(content: Content) -> Unit:
    """The shown unit, as it was when the content was made."""
    return Unit(content["unit"], content["base_unit"], content["per"])


def _column(label: str, content: Content) -> Context:
    arrow = direction(content["higher_is_better"])
    return {"label": unbroken(label), "unit": content["unit"], "direction": arrow, "href": None}


def _split_label(table: Content, group: Content) -> str | None:
    """`1 MiB records`, `write`, `Linux 6.1`: the value with the noun it needs."""
    if not table["split"]:
        return None
    nouns = {"record_size": "{} records", "file_size": "{} file", "threads": "{} threads"}
    return nouns.get(table["split"]["name"], "{}").format(group["label"])


def _href(cell: Cell | None) -> str:
    """Where the number's evidence is: its result, or the list of the runs that met in it."""
    if cell is None:
        return ""
    return result_href(cell["runs"][0], cell["ordinals"][0]) if len(cell["runs"]) == 1 else RUNS_ANCHOR


def _command(cell: Cell, commands: Mapping[str, str]) -> str | None:
    own = {commands[run] for run in cell["runs"]}
    return own.pop() if len(own) == 1 else None


def show_differences(table: Content) -> list[Context]:
    """What differs besides the factor, for web/partials/findings.html."""
    return [
        {"what": found["label"], "severe": found["severe"], "values": _values(found["values"])}
        for found in table["differences"]
    ]


def _values(values: Sequence[Mapping[str, Any]]) -> list[Context]:
    """Each value with who has it; the largest part of several is `others`, where no row is in two parts."""
    rows = [label for value in values for label in value["where"]]
    largest = max(values, key=lambda value: len(value["where"]))
    short = len(largest["where"]) > 1 and len(set(rows)) == len(rows)
    return [
        {"value": value["value"], "who": "others" if short and value is largest else ", ".join(value["where"])}
        for value in values
    ]


def show_warnings(table: Content) -> list[Context]:
    """What makes the table itself doubtful."""
    severe = [found["label"] for found in table["differences"] if found["severe"]]
    if not severe:
        return []
    factor = table["rows"]["label"]
    text = f"Not only the {factor} differs: {', '.join(severe)} too. The differences in the table may come from there."
    return [{"text": text, "severe": True, "href": None}]


def notes(table: Content) -> list[str]:
    """What holds for the table as a whole, said beneath it."""
    said = {
        warning["code"]: warning["text"]
        for cell in all_cells(table)
        for warning in (cell.get("verdict") or {"warnings": []})["warnings"]
        if warning["code"] in OF_ALL_VERDICTS
    }
    return [*table["notes"], *said.values()]


def all_cells(table: Content) -> Iterable[Cell]:
    """Every cell that was measured."""
    return (cell for group in table["groups"] for row in group["rows"] for cell in row["cells"] if cell is not None)


def has_verdicts(table: Content) -> bool:
    """Whether there is anything the legend would explain."""
    return any(cell.get("verdict") for cell in all_cells(table))


def show_runs(table: Content) -> list[Context]:
    """The runs in the table, with their pages."""
    return [
        {**run, "href": run_href(run["id"]), "started_at": datetime.fromisoformat(run["started_at"])}
        for run in table["run_list"]
    ]
