"""All public results of the store as one Parquet file, a row a result, with little of it in memory."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import AnonymousUser

from benchdb import __version__
from benchdb.facts.registry import FILED, campaign_of
from benchdb.runs.models import Run, in_hidden_campaign
from benchdb.runs.queries import Measured, measured

from .columnar import TypedColumn as Column
from .columnar import write

RUNS_AT_ONCE = 500  # of one query
MOST_AT_ONCE = 100_000  # results and values of runs that are read together; a larger run is read alone
NOT_EXPORTED = (
    "rounds",
    "protocol",
    "state_before",
    "environment__facts",
    "environment__fingerprints",
    "target__facts",
)

FORMS = {"number": "integer", "size": "integer"}  # of columns by the kinds of facts; all others are texts
OF_RUN = (
    *(Column("run", "text"), Column("started_at", "time"), Column("campaign", "text"), Column("machine", "text")),
    *(Column(fact.name, FORMS.get(fact.kind, "text")) for fact in FILED),
    Column("labels", "text"),
)
OF_RESULT = (
    *(Column("ordinal", "integer"), Column("test", "text"), Column("metric", "text"), Column("unit", "text")),
    *(Column("file_size", "integer"), Column("record_size", "integer"), Column("threads", "integer")),
    *(Column("params", "text"), Column("status", "text"), Column("error", "text"), Column("n", "integer")),
    *(Column(name, "number") for name in ("mean", "sd", "median", "minimum", "maximum", "mean_low", "mean_high")),
    *(Column("median_low", "number"), Column("median_high", "number"), Column("statistics_version", "integer")),
    Column("values", "numbers"),
)


@dataclass(slots=True)
class Written:
    """What is in the file; it grows while the file is written."""

    runs: int = 0
    results: int = 0


def write_public(path: Path) -> Written:
    """Write the results of all runs that everybody may list to `path`, which is replaced when all is written.

    Runs that are withdrawn or hidden meanwhile may or may not be in it. Raises OSError.
    """
    written = Written()
    part = path.with_name(f"{path.name}.part")
    facts = {"written_at": datetime.now(UTC).isoformat(timespec="seconds"), "benchdb_version": __version__}
    if settings.LICENSE:
        facts["license"] = settings.LICENSE
    try:
        with part.open("wb") as file:
            write(file, [*OF_RUN, *OF_RESULT], _lines(written), facts)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return written


def _lines(written: Written) -> Iterator[Sequence[object]]:
    for runs in _chunks(_public_runs()):
        of_run = {run.pk: _of_run(run) for run in runs}
        written.runs += len(runs)
        for result in measured(of_run):
            written.results += 1
            yield (*of_run[result.run_id], *_of_result(result))


def _public_runs() -> Iterator[Run]:
    """By id, each query with the runs that are public then."""
    after = UUID(int=0)
    while True:
        listed = Run.objects.listed_for(AnonymousUser()).annotate(hidden=in_hidden_campaign(AnonymousUser()))
        runs = list(listed.with_context().defer(*NOT_EXPORTED).filter(pk__gt=after).order_by("pk")[:RUNS_AT_ONCE])
        yield from runs
        if len(runs) < RUNS_AT_ONCE:
            return
        after = runs[-1].pk


def _chunks(runs: Iterable[Run]) -> Iterator[list[Run]]:
    chunk: list[Run] = []
    size = 0
    for run in runs:
        of_run = run.runstate.result_count + run.runstate.value_count
        if chunk and size + of_run > MOST_AT_ONCE:
            yield chunk
            chunk, size = [], 0
        chunk.append(run)
        size += of_run
    if chunk:
        yield chunk


def _of_run(run: Run) -> tuple[object, ...]:
    return (
        *(str(run.pk), run.started_at, campaign_of(run) or "", run.machine.name),
        *(fact.of(run) for fact in FILED if fact.of is not None),
        _json(run.runstate.labels),
    )


def _of_result(result: Measured) -> tuple[object, ...]:
    return (
        *(result.ordinal, result.test, result.metric, result.unit),
        *(result.file_size, result.record_size, result.threads),
        *(_json(result.params), result.status, result.error, result.n),
        *(result.mean, result.sd, result.median, result.minimum, result.maximum, result.mean_low, result.mean_high),
        *(result.median_low, result.median_high, result.statistics_version),
        result.values,
    )


def _json(found: dict[str, object]) -> str:
    return json.dumps(found, sort_keys=True, ensure_ascii=False) if found else ""
