"""Writes that concern stored runs: their summaries, their state, their end."""

from __future__ import annotations

import logging
from typing import Any
from uuid import UUID

import numpy as np
from django.db import connection, transaction
from django.utils import timezone
from psycopg.types.json import Jsonb

from benchdb.catalog.services import collect_environment, collect_target
from benchdb.stats import STATISTICS_VERSION, SummaryRow, summarise

from .models import Result, Run, RunState, State, Summary, Tombstone

log = logging.getLogger(__name__)


class StatisticsFailed(Exception):
    """The statistics of a run could not be computed; the text says why."""


def compute_summaries(run_id: UUID) -> None:
    """Compute and store the summaries of a run's current parse, and mark it ready.

    Idempotent: a second worker on the same run waits for the first and then finds nothing to do. A statistic that fails
    leaves the state `failed` with the reason, never a run that looks empty.
    """
    unfinished = RunState.objects.filter(pk=run_id).exclude(state=State.READY)
    if not unfinished.update(state=State.COMPUTING, changed_at=timezone.now()):
        log.info("run %s is ready or gone; nothing to compute", run_id)
        return
    try:
        with transaction.atomic():
            state = unfinished.select_for_update().first()
            if state is not None:
                _store_summaries(run_id, state.current_parse)
                _finish(run_id, State.READY, "")
    except StatisticsFailed as error:
        log.exception("run %s: statistics failed", run_id)
        fail(run_id, str(error))


def fail(run_id: UUID, reason: str) -> None:
    """Mark a run as failed, for this reason."""
    _finish(run_id, State.FAILED, f"Statistics version {STATISTICS_VERSION} failed: {reason}")


def _finish(run_id: UUID, state: State, failure: str) -> None:
    RunState.objects.filter(pk=run_id).update(state=state, failure=failure, changed_at=timezone.now())


def _store_summaries(run_id: UUID, parse: int) -> None:
    """Write the summaries of one parse with COPY; those of this statistics version that are there already stay."""
    key = {"run_id": run_id, "parse": parse}
    there = set(Summary.objects.filter(**key, statistics_version=STATISTICS_VERSION).values_list("ordinal", flat=True))
    measured = Result.objects.filter(**key, values__isnull=False).order_by("ordinal")
    pairs = [pair for pair in measured.values_list("ordinal", "values") if pair[0] not in there]
    rows = _statistics([values for _, values in pairs])
    columns = ("run_id", "parse", "ordinal", "statistics_version", *SummaryRow.__slots__)
    with connection.cursor() as cursor, cursor.copy(f"COPY runs_summary ({', '.join(columns)}) FROM STDIN") as copy:
        for (ordinal, _), row in zip(pairs, rows, strict=True):
            copy.write_row((run_id, parse, ordinal, STATISTICS_VERSION, *_columns(row)))


def _statistics(values: list[list[float | None] | None]) -> list[SummaryRow]:
    """A row of statistics for each result; `values[result][round]` is None where the round has none."""
    if not values:
        return []
    try:
        return list(summarise(np.array(values, dtype=float)).rows())
    except Exception as error:  # whatever it is, the run's page shows it; the sweep would only meet it again
        raise StatisticsFailed(f"{type(error).__name__}: {error}") from error


def _columns(row: SummaryRow) -> list[Any]:
    """The row's values as PostgreSQL takes them, in the order of its slots."""
    special = {"outliers": list(row.outliers), "warnings": Jsonb([warning.as_dict() for warning in row.warnings])}
    return [special.get(name, getattr(row, name)) for name in SummaryRow.__slots__]


def delete_run(run: Run) -> None:
    """Delete a run with everything that hangs on it; the tombstone makes its id answer 410 for good."""
    with transaction.atomic():
        Tombstone.objects.get_or_create(run_id=run.pk)
        run.delete()
    collect_environment(run.environment_id)
    collect_target(run.target_id)
