"""The factor of a surface with two runs: the first dimension, by likely purpose, with different labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import urlencode

from benchdb.compare.content import Difference
from benchdb.compare.guard import differences
from benchdb.compare.query.dimensions import DIMENSIONS
from benchdb.compare.query.selection import Selection
from benchdb.runs.models import Run

# The dimensions that people compare on purpose, the most frequent first.
FACTORS = (
    *("file_system", "mkfs_options", "mount_options", "raid_level", "raid_chunk", "read_ahead", "scheduler", "disk"),
    *("kernel", "memory", "cpu", "machine", "tool", "tool_version", "cache"),
)
SAME = "run"  # the factor of runs that differ in no dimension


def factor_of(runs: Sequence[Run]) -> str:
    """The name of the dimension that distinguishes the runs; `file_system` for one run, `run` for two equal ones."""
    if len(runs) == 1:
        return FACTORS[0]
    return next((name for name in FACTORS if len({_printed(name, run) for run in runs}) > 1), SAME)


def labels_of(runs: Sequence[Run], factor: str) -> list[str]:
    """The label of each run on its page: `ext4`; the times of start if the runs are equal."""
    if factor == SAME:
        return [f"{run.started_at:%-d %b %Y %H:%M} UTC, …{str(run.id)[-4:]}" for run in runs]
    return [_printed(factor, run) for run in runs]


def differences_of(runs: Sequence[Run], factor: str, labels: Sequence[str]) -> list[Difference]:
    """The other differences between two runs; `where` are the labels."""
    if len(runs) == 1:
        return []
    selection = Selection.parse(urlencode([("rows", factor), ("columns", "test")]))
    named = {str(run.id): label for run, label in zip(runs, labels, strict=True)}
    return [
        replace(
            difference,
            values=[
                replace(value, where=[named.get(where, where) for where in value.where]) for value in difference.values
            ],
        )
        for difference in differences(selection, runs)
    ]


def _printed(name: str, run: Run) -> str:
    dimension = DIMENSIONS[name]
    return dimension.print(dimension.of_run(run)) if dimension.of_run else ""
