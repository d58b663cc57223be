"""The summaries of stored runs: computed when a run arrives, and again when the statistics change."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar
from uuid import UUID

import numpy as np
from celery.exceptions import SoftTimeLimitExceeded
from django.db import OperationalError, transaction
from django.db.models import F, Max, Q, QuerySet
from django.utils import timezone

from benchdb.runs.changes import record_change
from benchdb.runs.models import UNFINISHED, VALUES, Result, Run, RunState, State, Summary
from benchdb.stats import STATISTICS_VERSION, Summaries, summarise, summarise_moments

from . import binary_copy as fields
from . import columns
from .copy_in import copy_in
from .facets import keep_facets
from .result_arrays import FloatArray, Given, IntArray

log = logging.getLogger(__name__)

Results = TypeVar("Results")

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
    unfinished = RunState.objects.filter(pk=run_id, state__in=UNFINISHED)
    # Committed at once, so that the attempt counts even if the worker is killed.
    if not unfinished.update(state=State.COMPUTING, changed_at=timezone.now(), attempts=F("attempts") + 1):
        log.info("run %s is finished or gone; nothing to compute", run_id)
        return
    _compute(unfinished.select_for_update(), run_id)


def compute_taken(run_id: UUID) -> None:
    """Compute and store the summaries of a run that `waiting_runs.take_next` returned, and mark it ready or failed."""
    _compute(RunState.objects.filter(pk=run_id, state=State.COMPUTING).select_for_update(), run_id)


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


def adopt_parse(run_id: UUID, parse: int, results: int) -> None:
    """Make a parse with so many results the current one and compute its summaries, inside the caller's transaction.

    Raises StatisticsFailed.
    """
    store_summaries(run_id, parse)
    RunState.objects.filter(pk=run_id).update(current_parse=parse, result_count=results)
    keep_facets(run_id)
    _finish(run_id, State.READY, "")
    record_change(run_id)


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
        ordinals = np.array([ordinal for ordinal, _ in pairs])
        copy_summaries(run_id, parse, ordinals, _computed(_of_values, [values for _, values in pairs]))
    given = dict(missing.filter(given__isnull=False).values_list("ordinal", "given"))
    if given:
        copy_summaries(run_id, parse, np.array(list(given)), _computed(_of_given, list(given.values())))
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


def copy_summaries(run_id: UUID, parse: int, ordinals: IntArray, summaries: Summaries) -> None:
    """Write summaries with COPY inside the caller's transaction; `ordinals` (R,) are those of their results."""
    rows, flagged = len(summaries), summaries.outliers.sum(axis=1)
    rounds = summaries.outliers.nonzero()[1]
    written: dict[str, fields.Fields | tuple[fields.Fields, ...]] = {
        "run_id": fields.constant(run_id.bytes, rows),
        "parse": fields.constant(parse.to_bytes(2), rows),
        "ordinal": fields.numbers(ordinals, ">i4"),
        "statistics_version": fields.constant(STATISTICS_VERSION.to_bytes(2), rows),
        "n": fields.numbers(summaries.n, ">i4"),
        **{name: _figures(name, column) for name, column in summaries.figures.items() if name in _STATISTICS},
        "outliers": fields.arrays(
            rounds, np.concatenate(([0], np.cumsum(flagged))), ">i4", flagged > 0, np.zeros(len(rounds), dtype=bool)
        ),
        "warnings": fields.objects(
            [[warning.as_dict() for warning in warnings] or None for warnings in summaries.warnings]
        ),
    }
    with copy_in(f"COPY runs_summary ({', '.join(written)}) FROM STDIN (FORMAT BINARY)") as copy:
        copy.write(fields.rows(list(written.values())))


def _figures(name: str, column: FloatArray) -> fields.Fields:
    return fields.numbers(column, ">f4" if name in columns.SUMMARY_SINGLES else ">f8", np.isnan(column))


def _of_values(values: Sequence[Sequence[float | None] | None]) -> Summaries:
    """Statistics of `values[result][round]`; None is a missing value."""
    return summarise(np.array(values, dtype=float))


def _of_given(given: Sequence[Given | None]) -> Summaries:
    """Statistics of the `given` n, mean and sd, some of which may be missing."""
    moments = [entry or {} for entry in given]
    n = [entry.get("n") or 0 for entry in moments]
    mean, sd = (np.array([entry.get(name) for entry in moments], dtype=float) for name in ("mean", "sd"))
    return summarise_moments(n, mean, sd)


def _computed(compute: Callable[[Results], Summaries], results: Results) -> Summaries:
    """The statistics of these results. Raises StatisticsFailed."""
    try:
        return compute(results)
    except SoftTimeLimitExceeded:
        raise
    except Exception as error:  # any other error goes to the run's page: another attempt would only repeat it
        raise StatisticsFailed(f"{type(error).__name__}: {error}") from error
