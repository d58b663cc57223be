"""Runs as they are directly after an upgrade, with statistics of the previous version."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import F

from benchdb.runs.models import Run, RunState, Summary
from benchdb.stats import STATISTICS_VERSION

PREVIOUS = STATISTICS_VERSION - 1


def computed_before(runs: Iterable[Run], version: int = PREVIOUS) -> None:
    """Change the summaries of these runs to those of an older version, with means 1 % greater."""
    ids = [run.pk for run in runs]
    older = {name: F(name) * 1.01 for name in ("mean", "mean_low", "mean_high")}
    Summary.objects.filter(run__in=ids).update(statistics_version=version, **older)
    RunState.objects.filter(pk__in=ids).update(statistics_version=version)
