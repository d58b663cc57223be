"""The most important results of a run: its tests at the largest file and record, in the main metric."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.core.cache import caches

from benchagent.formats.vocabulary import test_label
from benchagent.tools import headline_tests
from benchdb.replica.reading import reading
from benchdb.runs.models import Run, RunState, State
from benchdb.stats import STATISTICS_VERSION
from benchdb.wording.numbers import say_mean_and_sd
from benchdb.wording.units import UNITS, default_unit

LINES = 2

# The subquery chooses few of the many results of the runs before it joins their summaries.
_SQL = """
SELECT c.run_id, c.results, c.metric, c.test, c.ordinal, c.status,
  coalesce(s.n, CASE WHEN (c.given->>'n')::bigint < 1::bigint << 31 THEN (c.given->>'n')::int END),
  coalesce(s.mean, (c.given->>'mean')::float),
  coalesce(s.sd, (c.given->>'sd')::float)
FROM (
  SELECT DISTINCT ON (r.run_id, r.metric, r.test)
    r.run_id, r.parse, r.ordinal, r.metric, r.test, r.status, r.given, count(*) OVER (PARTITION BY r.run_id) AS results
  FROM runs_result r
  JOIN runs_runstate t ON t.run_id = r.run_id AND t.current_parse = r.parse
  WHERE r.run_id = ANY(%s)
  ORDER BY r.run_id, r.metric, r.test, r.status = 'unmeasurable', r.file_size DESC NULLS LAST,
    r.record_size DESC NULLS LAST, r.threads NULLS FIRST, r.ordinal
) c
LEFT JOIN LATERAL (
  SELECT own.n, own.mean, own.sd FROM runs_summary own
  WHERE own.run_id = c.run_id AND own.parse = c.parse AND own.ordinal = c.ordinal AND own.statistics_version <= %s
  ORDER BY own.statistics_version DESC LIMIT 1
) s ON true
"""


@dataclass(frozen=True, slots=True)
class Headline:
    """One test at its largest measurable file and record; figures in the base unit of the metric."""

    metric: str
    test: str
    ordinal: int
    status: str
    n: int | None
    mean: float | None
    sd: float | None

    @property
    def figure(self) -> dict[str, str] | None:
        """`{"mean": "109.3", "sd": "0.4" or "", "unit": "MiB/s"}`; None without a mean."""
        if self.mean is None:
            return None
        unit = UNITS[default_unit(self.metric)]
        return {**say_mean_and_sd(self.mean, self.sd, self.n, unit), "unit": unit.name}

    @property
    def value(self) -> str:
        """`109.3 ± 0.4 MiB/s`, or the reason for a missing figure."""
        if (figure := self.figure) is None:
            return {"failed": "failed", "unmeasurable": "too fast"}.get(self.status, "computing")
        return f"{figure['mean']}{' ± ' + figure['sd'] if figure['sd'] else ''} {figure['unit']}"

    @property
    def text(self) -> str:
        """`Write 109.3 ± 0.4 MiB/s`."""
        return f"{test_label(self.test)} {self.value}"


@dataclass(frozen=True, slots=True)
class Overview:
    """The number of results of a run, and the headlines of its main metric in the order of the document."""

    results: int
    headlines: list[Headline]

    @property
    def chosen(self) -> list[Headline]:
        """The headlines for a list: tests that tools declare, then the document's first; unmeasurable ones last."""
        rank = {test: i for i, test in enumerate(headline_tests())}
        ordered = sorted(self.headlines, key=lambda headline: rank.get(headline.test, len(rank)))
        return sorted(ordered, key=lambda headline: headline.status == "unmeasurable")[:LINES]


def overviews(run_ids: Iterable[UUID]) -> dict[UUID, Overview]:
    """The overview of each of these runs that has results; one query."""
    headlines: dict[UUID, list[Headline]] = defaultdict(list)
    counts: dict[UUID, int] = {}
    with reading().cursor() as cursor:
        cursor.execute(_SQL, [list(run_ids), STATISTICS_VERSION])
        for run_id, count, *columns in cursor.fetchall():
            headlines[run_id].append(Headline(*columns))
            counts[run_id] = count
    return {run_id: Overview(counts[run_id], of_main_metric(of_run)) for run_id, of_run in headlines.items()}


def kept_overviews(runs: Iterable[Run]) -> dict[UUID, Overview]:
    """The overviews of the runs of a list, read with their state. One query, or none.

    Each process of the web server caches the overviews of finished runs. Otherwise every request for the list would
    read all results of its runs, 50 times some hundreds.
    """
    cache = caches["overviews"]
    keys = {run.pk: _key(run.runstate) for run in runs}
    kept = cache.get_many(filter(None, keys.values()))
    by_run = {pk: kept[key] for pk, key in keys.items() if key in kept}
    if missing := keys.keys() - by_run.keys():
        read = overviews(missing)
        cache.set_many({key: read[pk] for pk, key in keys.items() if pk in read and key}, timeout=None)
        by_run.update(read)
    return by_run


def _key(state: RunState) -> str:
    """The cache key of an overview; "" if it may change. The run of an article may be stored again under its id."""
    if state.state != State.READY:
        return ""
    return f"{state.pk}:{state.changed_at.timestamp()}:{state.current_parse}:{state.statistics_version}"


def main_metric(measured: Iterable[tuple[str, str]]) -> str | None:
    """The main metric of these (metric, test) pairs: throughput, or rate if every test with a throughput has one.

    If a tool counts operations (files created, a mix) and some of them move bytes, all tests have a rate and only some
    have a throughput. None if there is neither.
    """
    tests: dict[str, set[str]] = {"throughput": set(), "rate": set()}
    for metric, test in measured:
        tests.get(metric, set()).add(test)
    if tests["rate"] >= tests["throughput"]:
        return "rate" if tests["rate"] else None
    return "throughput"


def of_main_metric(headlines: Sequence[Headline]) -> list[Headline]:
    """The headlines of the main metric in the order of the document."""
    if not headlines:
        return []
    ordered = sorted(headlines, key=lambda headline: headline.ordinal)
    main = main_metric((headline.metric, headline.test) for headline in ordered) or ordered[0].metric
    return [headline for headline in ordered if headline.metric == main]
