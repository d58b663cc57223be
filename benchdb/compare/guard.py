"""The comparability guard: what differs between the rows of a table besides the factor it varies on purpose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchdb.runs.models import Run

from .dimensions import DIMENSIONS, Dimension
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
        if name not in pivots and of_run is not None:
            found += _difference(name, [(DIMENSIONS[name].print(of_run(run)), _where(factor, run)) for run in runs])
    if "mount_options" not in pivots:
        found += _mount_options(factor, runs)
    return found + _fill(factor, runs)


def _mount_options(factor: Dimension, runs: Sequence[Run]) -> list[dict[str, Any]]:
    """Only the options that not all runs have."""
    common = set.intersection(*(set(run.target.mount_options) for run in runs))
    own = [[option for option in run.target.mount_options if option not in common] for run in runs]
    pairs = [
        (", ".join(options) or "none of these", _where(factor, run)) for options, run in zip(own, runs, strict=True)
    ]
    return _difference("mount_options", pairs)


def _fill(factor: Dimension, runs: Sequence[Run]) -> list[dict[str, Any]]:
    levels = [run.state_before.get("fill") for run in runs]
    known = [fill for fill in levels if fill is not None]
    if not known or max(known) - min(known) < FILL_STEP:
        return []
    said = ["unknown" if fill is None else f"{100 * fill:.0f} %" for fill in levels]
    return _difference("fill", [(fill, _where(factor, run)) for fill, run in zip(said, runs, strict=True)])


def _where(factor: Dimension, run: Run) -> str:
    """The label of the row that a run is in; where rows are not runs, its machine."""
    return factor.print(factor.of_run(run)) if factor.of_run else run.machine.name


def _difference(name: str, pairs: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
    """The difference between (value, where) pairs, or none where all values are the same."""
    values: dict[str, dict[str, None]] = {}
    for value, where in pairs:
        values.setdefault(value, {})[where] = None
    if len(values) < 2:
        return []
    label = DIMENSIONS[name].label if name in DIMENSIONS else name
    listed = [{"value": value, "where": list(where)} for value, where in values.items()]
    return [{"name": name, "label": label, "severe": name in SEVERE, "values": listed}]
