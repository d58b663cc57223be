"""Writes that concern stored runs: their summaries, their state, their end."""

from __future__ import annotations

import logging
from typing import Any
from uuid import UUID

import numpy as np
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from benchdb.stats import STATISTICS_VERSION, SummaryRow, summarise

from .models import Result, Run, RunState, State, Summary, Tombstone

log = logging.getLogger(__name__)


def compute_summaries(run_id: UUID) -> State:
    """Compute and store the summaries of a run's current parse, and mark it ready.

    Idempotent: a second worker on the same run waits for the first and then finds nothing to add. Returns the state the
    run is in afterwards; a statistic that fails leaves `failed` with the reason, never a run that looks empty.
    """
    if not RunState.objects.filter(pk=run_id).update(state=State.COMPUTING, changed_at=timezone.now()):
        log.info("run %s is gone; nothing to compute", run_id)
        return State.FAILED
    try:
        with transaction.atomic():
            state = RunState.objects.select_for_update().get(pk=run_id)
            _store_summaries(run_id, state.current_parse)
            _finish(run_id, State.READY, "")
    except RunState.DoesNotExist:
        return State.FAILED
    except (ArithmeticError, ValueError) as error:
        log.exception("run %s: statistics failed", run_id)
        _finish(run_id, State.FAILED, f"Statistics version {STATISTICS_VERSION} failed: {error}")
        return State.FAILED
    return State.READY


def _finish(run_id: UUID, state: State, failure: str) -> None:
    RunState.objects.filter(pk=run_id).update(state=state, failure=failure, changed_at=timezone.now())


def _store_summaries(run_id: UUID, parse: int) -> None:
    measured = Result.objects.filter(run_id=run_id, parse=parse, values__isnull=False).order_by("ordinal")
    ordinals, matrix = _matrix(measured)
    if not ordinals:
        return
    Summary.objects.bulk_create(
        [
            Summary(run_id=run_id, parse=parse, ordinal=ordinal, statistics_version=STATISTICS_VERSION, **_columns(row))
            for ordinal, row in zip(ordinals, summarise(matrix).rows(), strict=True)
        ],
        ignore_conflicts=True,
        batch_size=2000,
    )


def _columns(row: SummaryRow) -> dict[str, Any]:
    columns = {name: getattr(row, name) for name in SummaryRow.__slots__}
    return {**columns, "outliers": list(row.outliers), "warnings": [warning.as_dict() for warning in row.warnings]}


def _matrix(results: QuerySet[Result]) -> tuple[list[int], np.ndarray]:
    """Ordinals and the (results, rounds) matrix of their values, NaN where a round has none."""
    pairs = list(results.values_list("ordinal", "values"))
    return [ordinal for ordinal, _ in pairs], np.array([values for _, values in pairs], dtype=float)


def delete_run(run: Run) -> None:
    """Delete a run with everything that hangs on it; the tombstone makes its id answer 410 for good."""
    with transaction.atomic():
        Tombstone.objects.get_or_create(run_id=run.pk)
        run.delete()
