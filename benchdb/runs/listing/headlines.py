"""The results that say most about a run: each test at its largest file and record, in the metric that says most."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.core.cache import caches

from benchagent.formats.vocabulary import test_label
from benchdb.replica.reading import reading
from benchdb.runs.models import Run, RunState, State
from benchdb.stats import STATISTICS_VERSION
from benchdb.wording.numbers import say_mean_and_sd
from benchdb.wording.units import UNITS, default_unit

# A write and a read, where a run has them; else what comes first in its document. What was too fast comes last.
PREFERRED = ("write", "read", "block_write", "block_read", "random_read", "random_write")
LINES = 2

# The results are chosen first: a list shows few of the many that its runs have.
_SQL = """
SELECT c.run_id, c.results, c.metric, c.test, c.ordinal, c.status,
  coalesce(s.n, (c.given->>'n')::int), coalesce(s.mean, (c.given->>'mean')::float),
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
    """One test at its largest file and record that its tool could measure; figures in the metric's base unit."""

    metric: str
    test: str
    ordinal: int
    status: str
    n: int | None
    mean: float | None
    sd: float | None

    @property
    def figure(self) -> dict[str, str] | None:
        """`{"mean": "109.3", "sd": "0.4" or "", "unit": "MiB/s"}`; None where there is none."""
        if self.mean is None:
            return None
        unit = UNITS[default_unit(self.metric)]
        return {**say_mean_and_sd(self.mean, self.sd, self.n, unit), "unit": unit.name}

    @property
    def value(self) -> str:
        """`109.3 ± 0.4 MiB/s`, or why there is none."""
        if (said := self.figure) is None:
            return {"failed": "failed", "unmeasurable": "too fast"}.get(self.status, "computing")
        return f"{said['mean']}{' ± ' + said['sd'] if said['sd'] else ''} {said['unit']}"

    @property
    def text(self) -> str:
        """`Write 109.3 ± 0.4 MiB/s`."""
        return f"{test_label(self.test)} {self.value}"


@dataclass(frozen=True, slots=True)
class Overview:
    """How many results a run has, and the headlines of its main metric in the document's order."""

    results: int
    headlines: list[Headline]

    @property
    def chosen(self) -> list[Headline]:
        """The few that fit into a list, those without a figure last."""
        places = {test: place for place, test in enumerate(PREFERRED)}
        ordered = sorted(self.headlines, key=lambda each: places.get(each.test, len(PREFERRED)))
        return sorted(ordered, key=lambda each: each.status == "unmeasurable")[:LINES]


def overviews(run_ids: Iterable[UUID]) -> dict[UUID, Overview]:
    """The overview of each of these runs that has results; one query."""
    found: dict[UUID, list[Headline]] = defaultdict(list)
    counts: dict[UUID, int] = {}
    with reading().cursor() as cursor:
        cursor.execute(_SQL, [list(run_ids), STATISTICS_VERSION])
        for run_id, count, *columns in cursor.fetchall():
            found[run_id].append(Headline(*columns))
            counts[run_id] = count
    return {run_id: Overview(counts[run_id], _of_main_metric(own)) for run_id, own in found.items()}


def kept_overviews(runs: Iterable[Run]) -> dict[UUID, Overview]:
    """The same for the runs of a list, with their state. One query, or none.

    What was computed once with a version of the statistics stays: each process of the web server keeps it, or every
    look at the list would read all results of its runs, which are 50 times some hundreds.
    """
    cache = caches["overviews"]
    keys = {run.pk: _key(run.runstate) for run in runs}
    kept = cache.get_many(filter(None, keys.values()))
    found = {pk: kept[key] for pk, key in keys.items() if key in kept}
    if missing := keys.keys() - found.keys():
        read = overviews(missing)
        cache.set_many({key: read[pk] for pk, key in keys.items() if pk in read and key}, timeout=None)
        found.update(read)
    return found


def _key(state: RunState) -> str:
    """What an overview is kept under; "" where it may change. An article's run may come again under its id."""
    if state.state != State.READY:
        return ""
    return f"{state.pk}:{state.changed_at.timestamp()}:{state.current_parse}:{state.statistics_version}"


def main_metric(measured: Iterable[tuple[str, str]]) -> str | None:
    """The metric that says most of these (metric, test) pairs: throughput, or rate where every test has one.

    Where bytes moved beside operations that count by themselves (files created, a mix), the rate is there for all of
    them and the throughput for some. None where neither is there.
    """
    tests: dict[str, set[str]] = {"throughput": set(), "rate": set()}
    for metric, test in measured:
        tests.get(metric, set()).add(test)
    if tests["rate"] >= tests["throughput"]:
        return "rate" if tests["rate"] else None
    return "throughput"


def _of_main_metric(found: Sequence[Headline]) -> list[Headline]:
    ordered = sorted(found, key=lambda each: each.ordinal)
    main = main_metric((each.metric, each.test) for each in ordered) or ordered[0].metric
    return [each for each in ordered if each.metric == main]
