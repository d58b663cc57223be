"""The factor of a surface with several runs: the first dimension, by likely interest, in which they differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import urlencode

from benchdb.compare.content import Difference
from benchdb.compare.guard import differences
from benchdb.compare.guard.distinguishing import distinguishing
from benchdb.compare.query.dimensions import labels_of_runs
from benchdb.compare.query.selection import Selection
from benchdb.runs.models import Run

ONLY_RUN = "file_system"  # the factor of one run
SAME = "run"  # the factor of runs that differ in no dimension


def factor_of(runs: Sequence[Run]) -> str:
    """The name of the dimension that distinguishes the runs; `file_system` for one run, `run` for equal ones."""
    return next(iter(distinguishing(runs)), SAME) if len(runs) > 1 else ONLY_RUN


def labels_of(runs: Sequence[Run], factor: str) -> list[str]:
    """The label of each run on its page: `ext4`; the times of start if the runs are equal."""
    if factor == SAME:
        return [f"{run.started_at:%-d %b %Y %H:%M} UTC, …{str(run.id)[-4:]}" for run in runs]
    labels = labels_of_runs([factor], runs)
    return [
        label if labels.count(label) == 1 else f"{label}, …{str(run.id)[-4:]}"
        for label, run in zip(labels, runs, strict=True)
    ]


def differences_of(runs: Sequence[Run], factor: str, labels: Sequence[str]) -> list[Difference]:
    """The other differences between the runs, in the form of `guard.differences`; `where` are the labels."""
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
