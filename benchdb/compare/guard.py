"""The comparability guard: what differs between the rows of a table besides the factor it varies on purpose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchdb.runs.models import Run

from .dimensions import DIMENSIONS
from .selection import Selection

# By likely effect, the strongest first. A difference in one of SEVERE makes the table itself doubtful.
GUARDED = [
    "machine",
    "cpu",
    "memory",
    "cache",
    "disk",
    "raid_level",
    "raid_chunk",
    "kernel",
    "read_ahead",
    "scheduler",
    "mkfs_options",
    "mount_options",
    "tool_version",
]
SEVERE = {"machine", "cpu", "memory", "cache", "disk", "tool_version"}
FILL_STEP = 0.05  # a fill level that differs by less than this share of the file system is no difference


def differences(selection: Selection, runs: Sequence[Run]) -> list[dict[str, Any]]:
    """What differs: `[{name, label, severe, values: [{value, where: [row labels]}]}]`; empty where nothing does."""
    factor = DIMENSIONS[selection.rows]
    pivots = {selection.rows, selection.columns, selection.split}
    found: list[dict[str, Any]] = []
    for name in GUARDED:
        of_run = DIMENSIONS[name].of_run
        if name in pivots or of_run is None:
            continue
        values: dict[str, list[str]] = {}
        for run in runs:
            where = values.setdefault(DIMENSIONS[name].print(of_run(run)), [])
            label = factor.print(factor.of_run(run)) if factor.of_run else run.machine.name
            if label not in where:
                where.append(label)
        if len(values) > 1:
            found.append(_difference(name, DIMENSIONS[name].label, values))
    return found + _fill(factor, runs)


def _fill(factor: Any, runs: Sequence[Run]) -> list[dict[str, Any]]:
    levels = [(run, run.state_before.get("fill")) for run in runs]
    known = [fill for _, fill in levels if fill is not None]
    if not known or max(known) - min(known) < FILL_STEP:
        return []
    values: dict[str, list[str]] = {}
    for run, fill in levels:
        label = factor.print(factor.of_run(run)) if factor.of_run else run.machine.name
        values.setdefault("unknown" if fill is None else f"{fill:.0%}".replace("%", " %"), []).append(label)
    return [_difference("fill", "fill", values)]


def _difference(name: str, label: str, values: dict[str, list[str]]) -> dict[str, Any]:
    listed = [{"value": value, "where": where} for value, where in values.items()]
    return {"name": name, "label": label, "severe": name in SEVERE, "values": listed}
