"""The comparability guard: what differs between the rows of a table besides the factor it varies on purpose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchdb.runs.models import Run

from .dimensions import DIMENSIONS, Dimension
from .selection import Selection

# By likely effect, the strongest first. A difference in one of SEVERE makes the table itself doubtful.
GUARDED = [
    "tool",
    "file_system",
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
SEVERE = {"tool", "file_system", "machine", "cpu", "memory", "cache", "disk", "tool_version", "parameters"}
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
    return found + _parameters(factor, runs) + _protocol(factor, runs) + _fill(factor, runs)


def _parameters(factor: Dimension, runs: Sequence[Run]) -> list[dict[str, Any]]:
    """How the tools were called, as far as it is not the same: direct I/O, fsync inside the time, sizes, …

    Tools have different parameters, so with several tools each is compared with its own kind only.
    """
    names = sorted({name for run in runs for name in run.parameters})
    if len({run.tool for run in runs}) > 1:
        return []
    own = [name for name in names if len({repr(run.parameters.get(name)) for run in runs}) > 1]
    said = [", ".join(f"{name} {run.parameters.get(name, 'default')}" for name in own) for run in runs]
    return _difference("parameters", [(text, _where(factor, run)) for text, run in zip(said, runs, strict=True)])


def _protocol(factor: Dimension, runs: Sequence[Run]) -> list[dict[str, Any]]:
    """How it was measured besides the cache regime: preparation, order of rounds, discarded warm-ups."""
    keys = ("prepare", "order", "warmup_discarded")
    said = [", ".join(f"{key.replace('_', ' ')} {run.protocol[key]}" for key in keys) for run in runs]
    return _difference("protocol", [(text, _where(factor, run)) for text, run in zip(said, runs, strict=True)])


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
