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

# How many values are in memory at once. A document holds at most two million; a float is 24 bytes of Python, and the
# statistics make some ten arrays of them.
VALUES_AT_ONCE = 200_000
MOST_ATTEMPTS = 6  # that may end without an answer: what kills its worker every time is not tried for ever

_STATISTICS = tuple(name for name in columns.SUMMARY if name != "statistics_version")
OrdinalAndValues = tuple[int, list[float | None] | None]  # the ordinal of a result and its values


class StatisticsFailed(Exception):
    """The statistics of a run could not be computed; the text says why."""


def compute_summaries(run_id: UUID) -> None:
    """Compute and store the summaries of a run's current parse, and mark it ready.

    Idempotent: a second worker on the same run waits for the first and then finds nothing to do. A statistic that fails
    leaves the state `failed` with the reason, never a run that looks empty.
    """
    # Not one that failed: a message that comes twice would try it for ever.
    unfinished = RunState.objects.filter(pk=run_id, state__in=[State.RECEIVED, State.COMPUTING])
    # Committed at once: the attempt counts although the worker may be killed.
    if not unfinished.update(state=State.COMPUTING, changed_at=timezone.now(), attempts=F("attempts") + 1):
        log.info("run %s is finished or gone; nothing to compute", run_id)
        return
    _compute(unfinished.select_for_update(), run_id)


def recompute_summaries(run_id: UUID) -> bool:
    """Bring a finished run to the newest statistics version. False where there is nothing to do or another worker does.

    The run stays ready meanwhile, and pages show the figures of the version before, which are kept.
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
    """Compute where `states`, a query that locks, still finds the run. Says whether it did."""
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
    except OperationalError:  # the database is in need, a full disk for example: that is not the run's fault
        RunState.objects.filter(pk=run_id).update(attempts=0)
        raise
    return state is not None


def _finish(run_id: UUID, state: State, failure: str) -> None:
    RunState.objects.filter(pk=run_id).update(
        state=state, failure=failure, statistics_version=STATISTICS_VERSION, changed_at=timezone.now(), attempts=0
    )


def store_summaries(run_id: UUID, parse: int) -> None:
    """Write the summaries of one parse with COPY, and delete those older than the version before.

    A result whose n, mean and sd somebody else computed has what follows from these. Summaries of this statistics
    version that are there already stay. Raises StatisticsFailed.
    """
    stored = Summary.objects.filter(run_id=run_id, parse=parse)
    there = stored.filter(statistics_version=STATISTICS_VERSION).values("ordinal")
    missing = Result.objects.filter(run_id=run_id, parse=parse).exclude(ordinal__in=there)
    for pairs in _batches(missing.filter(Q(values__isnull=False) | Q(singles__isnull=False)), run_id):
        _copy(run_id, parse, [ordinal for ordinal, _ in pairs], _statistics(_of_values, [own for _, own in pairs]))
    given = dict(missing.filter(given__isnull=False).values_list("ordinal", "given"))
    if given:
        _copy(run_id, parse, list(given), _statistics(_of_given, list(given.values())))
    before = stored.filter(statistics_version__lt=STATISTICS_VERSION).aggregate(newest=Max("statistics_version"))
    if before["newest"] is not None:
        stored.filter(statistics_version__lt=before["newest"]).delete()


def _batches(results: QuerySet[Result], run_id: UUID) -> Iterator[list[OrdinalAndValues]]:
    """These results in order, as many at a time as memory should hold; all of them for nearly every run."""
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
    """`values[result][round]` is None where the round has none."""
    return summarise(np.array(values, dtype=float))


def _of_given(given: list[dict[str, float | None]]) -> Summaries:
    """`given` are n, mean and sd, as far as the source has them."""
    n = [each.get("n") or 0 for each in given]
    mean, sd = (np.array([each.get(name) for each in given], dtype=float) for name in ("mean", "sd"))
    return summarise_moments(n, mean, sd)


def _statistics(compute: Callable[[list[Any]], Summaries], results: list[Any]) -> list[SummaryRow]:
    """A row of statistics for each result."""
    try:
        return list(compute(results).rows())
    except SoftTimeLimitExceeded:
        raise
    except Exception as error:  # whatever it is, the run's page shows it; the sweep would only meet it again
        raise StatisticsFailed(f"{type(error).__name__}: {error}") from error


def _fields(row: SummaryRow) -> list[Any]:
    """The row's values as PostgreSQL takes them, in the order of `_STATISTICS`."""
    special = {
        "outliers": list(row.outliers) or None,
        "warnings": Jsonb([warning.as_dict() for warning in row.warnings]) if row.warnings else None,
    }
    return [special[name] if name in special else getattr(row, name) for name in _STATISTICS]
