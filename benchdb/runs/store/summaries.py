"""The summaries of stored runs: computed when a run arrives, and again when the statistics change."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from uuid import UUID

import numpy as np
from celery.exceptions import SoftTimeLimitExceeded
from django.db import OperationalError, transaction
from django.db.models import F, Max, Q, QuerySet
from django.utils import timezone
from psycopg.types.json import Jsonb

from benchdb.runs.models import VALUES, Result, Run, RunState, State, Summary
from benchdb.stats import STATISTICS_VERSION, Summaries, SummaryRow, summarise, summarise_moments

from . import columns
from .copy_in import copy_in
from .facets import keep_facets

log = logging.getLogger(__name__)

# Values in memory at a time. A document has at most two million; a float takes 24 bytes in Python, and the statistics
# make about ten arrays of them.
VALUES_AT_ONCE = 200_000
MOST_ATTEMPTS = 6  # after these, a run that kills its worker every time has failed

_STATISTICS = tuple(name for name in columns.SUMMARY if name != "statistics_version")
OrdinalAndValues = tuple[int, list[float | None] | None]  # the ordinal of a result and its values


class StatisticsFailed(Exception):
    """The statistics of a run could not be computed; the text is the reason."""


def compute_summaries(run_id: UUID) -> None:
    """Compute and store the summaries of a run's current parse, and mark it ready.

    Idempotent: a second worker on the same run waits for the first and then has nothing to do. If a statistic fails,
    the state is `failed` with the reason, so that the run never looks empty.
    """
    # Without failed runs: a repeated message would try them for ever.
    unfinished = RunState.objects.filter(pk=run_id, state__in=[State.RECEIVED, State.COMPUTING])
    # Committed at once, so that the attempt counts even if the worker is killed.
    if not unfinished.update(state=State.COMPUTING, changed_at=timezone.now(), attempts=F("attempts") + 1):
        log.info("run %s is finished or gone; nothing to compute", run_id)
        return
    _compute(unfinished.select_for_update(), run_id)


def recompute_summaries(run_id: UUID) -> bool:
    """Bring a finished run to the newest statistics version. False if it has it, or if another worker computes it.

    The run stays ready meanwhile, and pages show the figures of the previous version, which are kept.
    """
    outdated = RunState.objects.outdated().filter(pk=run_id).select_for_update(skip_locked=True)
    with transaction.atomic():
        free = RunState.objects.filter(pk__in=outdated.order_by().values("pk"))
        if not free.update(attempts=F("attempts") + 1):
            return False
    return _compute(outdated, run_id)


def adopt_parse(run_id: UUID, parse: int) -> None:
    """Make a parse the current one and compute its summaries, inside the caller's transaction.

    Raises StatisticsFailed.
    """
    store_summaries(run_id, parse)
    RunState.objects.filter(pk=run_id).update(current_parse=parse)
    keep_facets(run_id)
    _finish(run_id, State.READY, "")


def fail(run_id: UUID, reason: str) -> None:
    """Mark a run as failed, for this reason."""
    _finish(run_id, State.FAILED, f"Statistics version {STATISTICS_VERSION} failed: {reason}")


def _compute(states: QuerySet[RunState], run_id: UUID) -> bool:
    """Compute the run if `states`, a query with locks, still finds it. Returns whether it did."""
    try:
        with transaction.atomic():
            state = states.first()
            if state is not None:
                if state.attempts > MOST_ATTEMPTS:
                    raise StatisticsFailed(f"{MOST_ATTEMPTS} attempts ended without an answer")
                store_summaries(run_id, state.current_parse)
                _finish(run_id, State.READY, "")
    except StatisticsFailed as error:
        log.exception("run %s: statistics failed", run_id)
        fail(run_id, str(error))
        return True
    except OperationalError:  # a full disk, for example, which is no fault of the run
        RunState.objects.filter(pk=run_id).update(attempts=0)
        raise
    return state is not None


def _finish(run_id: UUID, state: State, failure: str) -> None:
    RunState.objects.filter(pk=run_id).update(
        state=state, failure=failure, statistics_version=STATISTICS_VERSION, changed_at=timezone.now(), attempts=0
    )


def store_summaries(run_id: UUID, parse: int) -> None:
    """Write the summaries of one parse with COPY, and delete those older than the version before.

    Results with `given` n, mean and sd have the statistics that follow from these. Existing summaries of this
    statistics version stay. Raises StatisticsFailed.
    """
    stored = Summary.objects.filter(run_id=run_id, parse=parse)
    computed = stored.filter(statistics_version=STATISTICS_VERSION).values("ordinal")
    missing = Result.objects.filter(run_id=run_id, parse=parse).exclude(ordinal__in=computed)
    for pairs in _batches(missing.filter(Q(values__isnull=False) | Q(singles__isnull=False)), run_id):
        _copy(
            run_id, parse, [ordinal for ordinal, _ in pairs], _statistics(_of_values, [values for _, values in pairs])
        )
    given = dict(missing.filter(given__isnull=False).values_list("ordinal", "given"))
    if given:
        _copy(run_id, parse, list(given), _statistics(_of_given, list(given.values())))
    before = stored.filter(statistics_version__lt=STATISTICS_VERSION).aggregate(newest=Max("statistics_version"))
    if before["newest"] is not None:
        stored.filter(statistics_version__lt=before["newest"]).delete()


def _batches(results: QuerySet[Result], run_id: UUID) -> Iterator[list[OrdinalAndValues]]:
    """The ordinals and values of these results in order, in batches that fit into memory; most runs are one batch."""
    rounds = Run.objects.filter(pk=run_id).values_list("round_count", flat=True).get()
    most = max(1, VALUES_AT_ONCE // max(1, rounds))
    last = -1
    while pairs := list(results.filter(ordinal__gt=last).order_by("ordinal").values_list("ordinal", VALUES)[:most]):
        yield pairs
        if len(pairs) < most:
            return
        last = pairs[-1][0]


def _copy(run_id: UUID, parse: int, ordinals: Sequence[int], rows: Sequence[SummaryRow]) -> None:
    names = ", ".join((*columns.KEY, "statistics_version", *_STATISTICS))
    with copy_in(f"COPY runs_summary ({names}) FROM STDIN") as copy:
        for ordinal, row in zip(ordinals, rows, strict=True):
            copy.write_row((run_id, parse, ordinal, STATISTICS_VERSION, *_fields(row)))


def _of_values(values: list[list[float | None] | None]) -> Summaries:
    """Statistics of `values[result][round]`; None is a missing value."""
    return summarise(np.array(values, dtype=float))


def _of_given(given: list[dict[str, float | None]]) -> Summaries:
    """Statistics of the `given` n, mean and sd, some of which may be missing."""
    n = [moments.get("n") or 0 for moments in given]
    mean, sd = (np.array([moments.get(name) for moments in given], dtype=float) for name in ("mean", "sd"))
    return summarise_moments(n, mean, sd)


def _statistics(compute: Callable[[list[Any]], Summaries], results: list[Any]) -> list[SummaryRow]:
    """One row of statistics for each result. Raises StatisticsFailed."""
    try:
        return list(compute(results).rows())
    except SoftTimeLimitExceeded:
        raise
    except Exception as error:  # any other error goes to the run's page: another attempt would only repeat it
        raise StatisticsFailed(f"{type(error).__name__}: {error}") from error


def _fields(row: SummaryRow) -> list[Any]:
    """The row's values as PostgreSQL takes them, in the order of `_STATISTICS`."""
    special = {
        "outliers": list(row.outliers) or None,
        "warnings": Jsonb([warning.as_dict() for warning in row.warnings]) if row.warnings else None,
    }
    return [special[name] if name in special else getattr(row, name) for name in _STATISTICS]
