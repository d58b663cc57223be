"""Reads over several models: results with their statistics, in one query for any number of runs."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from typing_extensions import TypedDict

from benchdb.connections.database.base import DatabaseWrapper
from benchdb.http.rendering import undisguised
from benchdb.replica.reading import reading
from benchdb.runs.store import columns
from benchdb.stats import STATISTICS_VERSION

from .models import Run
from .quantities.columns import SequentialReads


class ValuePlace(TypedDict):
    """The place of a value in the raw output; `line` counts from 1."""

    artifact: str
    line: int


class GivenFigures(TypedDict, total=False):
    """The figures that a publication gives instead of values, in base units; it rounded them to `step`."""

    n: int
    mean: float
    sd: float
    step: float


class SequentialRead(NamedTuple):
    """n, mean and sd of the sequential read of the same file in the same run; `tests` is the number of throughputs of
    reads out of order that the run may have beside its sequential reads.
    """

    n: int | None
    mean: float | None
    sd: float | None
    tests: int


class Measured(NamedTuple):
    """A result of a run's current parse with its statistics, in base units.

    The statistics are None until a worker has computed them, and without values. Their version is
    `statistics_version`, which is the previous one while a run waits for recomputation. If a publication gives n, mean
    and sd (`given`), these are in the statistics at once; the rest follows when a worker has computed it.
    `parser_version` is that of the parse. `alone`: the whole run has only one combination of test, sizes and threads
    with a file size, whatever the filters: emptying the caches before the tool starts affects only the first.
    `sequential` belongs to throughputs of reads out of order, `error` hides nothing.
    """

    run_id: UUID
    ordinal: int
    test: str
    metric: str
    unit: str
    file_size: int | None
    record_size: int | None
    threads: int | None
    params: dict[str, object]
    values: list[float | None] | None
    given: GivenFigures | None
    status: str
    error: str | None
    evidence: dict[str, object] | None
    source: list[ValuePlace | None] | None
    n: int | None
    mean: float | None
    sd: float | None
    cv: float | None
    median: float | None
    minimum: float | None
    maximum: float | None
    mean_low: float | None
    mean_high: float | None
    median_low: float | None
    median_high: float | None
    outliers: list[int] | None
    drift_tau: float | None
    drift_p: float | None
    drift_change: float | None
    autocorrelation: float | None
    autocorrelation_p: float | None
    modes_p: float | None
    warnings: list[dict[str, object]] | None
    statistics_version: int | None
    alone: bool
    parser_version: str | None
    sequential: SequentialRead | None

    @property
    def outdated(self) -> bool:
        """Whether newer statistics are still to be computed."""
        return self.statistics_version is not None and self.statistics_version < STATISTICS_VERSION

    def as_dict(self) -> dict[str, object]:
        """For JSON: the result with its statistics."""
        return dict(zip(OF_RESULT, self, strict=False))


OF_RESULT = Measured._fields[: Measured._fields.index("alone")]  # the rest are facts of the run or of another result
OUT_OF_ORDER = ("random_read", "backward_read", "strided_read")

# SQL of the fields of `Measured` that are neither a column of the result nor one of its newest summary.
_EXPRESSIONS = {
    # A number is faster to read than an id, and a run's artifacts come once, with its first result.
    "run_id": "p.place",
    "ordinal": "r.ordinal",
    "source": "CASE WHEN lag(r.run_id) OVER w IS DISTINCT FROM r.run_id THEN p.sources END",
    "values": "coalesce(r.values, r.singles::float8[])",
    "cv": "NULL",
    "alone": "p.alone",
    "parser_version": "p.parser_version",
    # A publication may give a mean without its n. The statistics of a result without values have n = 0, and no mean.
    "n": "CASE WHEN s.n IS NULL OR s.n = 0 AND s.mean IS NOT NULL "
    "THEN CASE WHEN (r.given->>'n')::bigint < 1::bigint << 31 THEN (r.given->>'n')::int END ELSE s.n END",
    **{name: f"CASE WHEN s.n IS NULL THEN (r.given->>'{name}')::float ELSE s.{name} END" for name in ("mean", "sd")},
    "sequential": "NULL",
    **{
        name: f"CASE WHEN s.n IS NOT NULL THEN coalesce(s.{name}, '{empty}') END"
        for name, empty in (("outliers", "{}"), ("warnings", "[]"))
    },
}
_DIAGNOSTICS = ("drift_tau", "drift_p", "drift_change", "autocorrelation", "autocorrelation_p", "modes_p")
_JSON = [i for i, name in enumerate(Measured._fields) if name in (*columns.RESULT_JSON, *columns.SUMMARY_JSON)]
_RUN, _ERROR, _SOURCE, _VERSION, _CV, _MEAN, _SD = map(
    Measured._fields.index, ("run_id", "error", "source", "statistics_version", "cv", "mean", "sd")
)


def _select(*, without: Collection[str] = ()) -> str:
    """The expressions of `Measured` in the order of its fields, NULL for those `without`; then the places of values."""
    expressions = {name: f"s.{name}" for name in columns.SUMMARY} | {name: f"r.{name}" for name in columns.RESULT}
    expressions |= _EXPRESSIONS | dict.fromkeys(without, "NULL")
    return ", ".join([*(expressions[name] for name in Measured._fields), "r.source", "r.line", "r.lines"])


_ALL, _FEWER = _select(), _select(without=_DIAGNOSTICS)
# Facts that all results of a run share, read once per run. `alone` reads at most two results of a run.
_SHARED = """
WITH p AS MATERIALIZED (
  SELECT t.run_id, array_position(%s, t.run_id) - 1 AS place, t.current_parse AS parse, read.sources,
    read.parser_version, first.file_size IS NOT NULL AND NOT EXISTS (
    SELECT FROM runs_result r
    WHERE r.run_id = t.run_id AND r.parse = t.current_parse AND r.file_size IS NOT NULL
      AND (r.test, r.file_size, r.record_size, r.threads)
        IS DISTINCT FROM (first.test, first.file_size, first.record_size, first.threads)
  ) AS alone
  FROM runs_runstate t
  LEFT JOIN runs_parse read ON read.run_id = t.run_id AND read.number = t.current_parse
  LEFT JOIN LATERAL (
    SELECT r.* FROM runs_result r
    WHERE r.run_id = t.run_id AND r.parse = t.current_parse AND r.file_size IS NOT NULL LIMIT 1
  ) first ON true
  WHERE t.run_id = ANY(%s)
)"""
_FROM = """
FROM runs_result r
JOIN p ON p.run_id = r.run_id AND p.parse = r.parse
LEFT JOIN LATERAL (
  SELECT * FROM runs_summary own
  WHERE own.run_id = r.run_id AND own.parse = r.parse AND own.ordinal = r.ordinal AND own.statistics_version <= %s
  ORDER BY own.statistics_version DESC LIMIT 1
) s ON true
WHERE r.run_id = ANY(%s)"""
_ORDER = "WINDOW w AS (ORDER BY r.run_id, r.ordinal) ORDER BY r.run_id, r.ordinal"
# The sequential reads of the file of a result, and the number of those of its run.
_SEQUENTIAL = """
SELECT array_agg(r.ordinal) FILTER (WHERE (r.file_size, r.record_size, r.threads, r.params)
  IS NOT DISTINCT FROM (own.file_size, own.record_size, own.threads, own.params)), count(*)
FROM runs_runstate t
JOIN runs_result own ON own.run_id = t.run_id AND own.parse = t.current_parse
JOIN runs_result r ON r.run_id = t.run_id AND r.parse = t.current_parse AND r.test = 'read' AND r.metric = 'throughput'
WHERE t.run_id = %s AND own.ordinal = %s
GROUP BY own.ordinal
"""
ROWS_AT_ONCE = 2_000  # of `results_in_turn`
FILTERS = ("test", "metric", "file_size", "record_size", "threads", "ordinal")


def measured(
    run_ids: Iterable[UUID],
    filters: Mapping[str, Sequence[str | int | None]] | None = None,
    *,
    sequential: SequentialReads | None = None,
    diagnostics: bool = False,
) -> list[Measured]:
    """Results of these runs in document order, one query.

    `filters` maps a column of FILTERS to its allowed values; None allows NULL. Raises KeyError for another column.
    Callers that know the ordinals of the results also know the `sequential` reads beside them; otherwise all of the
    runs are read. Without `diagnostics` the figures of drift, autocorrelation and modes are None: tables need only
    their warnings.
    """
    runs, conditions = list(run_ids), dict(filters or {})
    arguments: list[Any] = [runs, runs, STATISTICS_VERSION, runs]
    where = ""
    compared = any(test in conditions.get("test", OUT_OF_ORDER) for test in OUT_OF_ORDER)
    if compared and sequential is not None:
        where = f" AND {_CONDITIONS['ordinal']}"
        arguments.append([*conditions.pop("ordinal", ()), *sequential.ordinals])
    if conditions:
        texts = [f"({(_OR_NULL if None in values else _CONDITIONS)[column]})" for column, values in conditions.items()]
        where += f" AND ({' AND '.join(texts)}{_OR_SEQUENTIAL if compared else ''})"
        arguments += [[value for value in values if value is not None] for values in conditions.values()]
    with reading().cursor() as cursor:
        cursor.execute(f"{_SHARED} SELECT {_ALL if diagnostics else _FEWER} {_FROM}{where} {_ORDER}", arguments)
        results = list(_results(cursor.fetchall(), runs))
    if not compared:
        return results
    results = _beside_sequential(results, None if sequential is None else sequential.in_run)
    return _filtered(results, filters) if filters else results


def _filtered(results: list[Measured], filters: Mapping[str, Sequence[str | int | None]]) -> list[Measured]:
    """The results without those that were read only for `_beside_sequential`."""
    for column, values in filters.items():
        allowed = set(values)
        results = [result for result in results if getattr(result, column) in allowed]
    return results


def _beside_sequential(results: list[Measured], in_run: Mapping[UUID, int] | None) -> list[Measured]:
    """The results, those of reads out of order with the figures of the sequential read of the same file.

    `in_run` are the numbers of sequential reads by run; None: they are all among the results.
    """
    reads = {_file(result): result for result in results if result.test == "read" and result.metric == "throughput"}
    tests = Counter(read.run_id for read in reads.values()) if in_run is None else in_run
    for index, result in enumerate(results if reads else []):
        if result.test in OUT_OF_ORDER and result.metric == "throughput" and (read := reads.get(_file(result))):
            beside = SequentialRead(read.n, read.mean, read.sd, len(OUT_OF_ORDER) * tests.get(read.run_id, 1))
            results[index] = result._replace(sequential=beside)
    return results


def _file(result: Measured) -> tuple[object, ...]:
    """The file of a throughput, and how it was accessed: the same for results that can be compared."""
    params = tuple(sorted(result.params.items())) if result.params else ()
    return (result.run_id, result.file_size, result.record_size, result.threads, params)


# A fixed text for each column, so that names from outside never reach the SQL.
_CONDITIONS = {column: f"r.{column} = ANY(%s)" for column in FILTERS}
_OR_SEQUENTIAL = " OR (r.test = 'read' AND r.metric = 'throughput')"  # for `_beside_sequential`
_OR_NULL = {column: f"{condition} OR r.{column} IS NULL" for column, condition in _CONDITIONS.items()}


def _results(rows: Iterable[tuple[Any, ...]], run_ids: Sequence[UUID]) -> Iterator[Measured]:
    """The rows of `_select`; `run_id` and `source` are still the number of the run and the artifacts of its rounds."""
    read_json = cache(json.loads)  # most rows repeat a text: no params, one warning
    places: Callable[[int, int | None, tuple[int | None, ...] | None], list[ValuePlace | None]]
    for *row, source, line, lines in rows:
        for at in _JSON:  # Django leaves jsonb of raw queries as text
            if row[at] is not None:
                row[at] = read_json(row[at])
        if row[_SOURCE] is not None:  # the first result of a run
            places = cache(partial(_places, read_json(row[_SOURCE])))
        row[_SOURCE] = None if source is None else places(source, line, None if lines is None else tuple(lines))
        if row[_ERROR] is not None:  # the words of a tool, with names of files in them
            row[_ERROR] = undisguised(row[_ERROR])
        row[_RUN] = run_ids[row[_RUN]]
        if row[_VERSION] is not None:
            row[_CV] = _variation(row[_MEAN], row[_SD])
        yield Measured._make(row)


def _places(
    sources: Sequence[Sequence[str | None]], source: int, line: int | None, lines: Sequence[int | None] | None
) -> list[ValuePlace | None]:
    """The place of the value of each round in the raw output; None if the round has none."""
    names = sources[source]
    line_of_round = [line] * len(names) if lines is None else lines
    places = zip(names, line_of_round, strict=True)
    return [None if name is None or number is None else {"artifact": name, "line": number} for name, number in places]


def _variation(mean: float | None, sd: float | None) -> float | None:
    """The coefficient of variation, sd ÷ |mean|; None unless it is a finite number."""
    variation = sd / abs(mean) if mean and sd is not None else math.inf
    return variation if math.isfinite(variation) else None


def results_in_turn(run: Run) -> Iterator[Measured]:
    """The results of a run's current parse in document order, with few of them in memory; one query of one snapshot.

    They have no `sequential` reads. The database is chosen now, and read in the thread that takes the results.
    """
    return _in_turn(run, reading())


def _in_turn(run: Run, database: DatabaseWrapper) -> Iterator[Measured]:
    with transaction.atomic(using=database.alias), database.chunked_cursor() as cursor:  # one that the server keeps
        cursor.execute(f"{_SHARED} SELECT {_ALL} {_FROM} {_ORDER}", [[run.pk], [run.pk], STATISTICS_VERSION, [run.pk]])
        yield from _results(chain.from_iterable(iter(partial(cursor.fetchmany, ROWS_AT_ONCE), [])), [run.pk])


def results_of(run: Run, ordinal: int | None = None) -> list[Measured]:
    """The results of a run's current parse in document order in one query, or only that with this ordinal in two."""
    if ordinal is None:
        return measured([run.pk], diagnostics=True)
    with reading().cursor() as cursor:
        cursor.execute(_SEQUENTIAL, [run.pk, ordinal])
        beside, number = cursor.fetchone() or (None, 0)
    sequential = SequentialReads(beside or (), {run.pk: number})
    return measured([run.pk], {"ordinal": [ordinal]}, sequential=sequential, diagnostics=True)
