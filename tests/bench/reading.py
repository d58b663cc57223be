"""Times of comparisons, the list of runs and permalinks, beside plain SQL and an empty view."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from statistics import mean
from typing import Any, NamedTuple
from uuid import UUID

import psycopg

from tests.bench.connection import Connection
from tests.bench.pages import TESTS
from tests.bench.ratios import Ledger, Ratio
from tests.bench.stock import RECORD_SIZES, address
from tests.support.documents import Section

Measure = Callable[[], float]  # returns the seconds of one call
GROUPS = ("comparison", "facets", "permalinks")
BARE = """
SELECT json_agg(row_to_json(cell)) FROM (
  SELECT r.run_id, u.tool, t.labels, r.test, r.record_size, coalesce(r.values, r.singles::float8[]) AS values,
    s.n, s.mean, s.sd, s.mean_low, s.mean_high
  FROM runs_result r
  JOIN runs_run u ON u.id = r.run_id
  JOIN runs_runstate t ON t.run_id = r.run_id AND t.current_parse = r.parse
  JOIN runs_summary s ON (s.run_id, s.parse, s.ordinal) = (r.run_id, r.parse, r.ordinal)
  WHERE r.run_id = ANY(%s) AND r.test = ANY(%s) AND r.record_size = ANY(%s) AND r.metric = 'throughput'
) cell"""


class Figure(NamedTuple):
    """A call to measure, and its number of repetitions in a round.

    `steady`: one uncounted call comes first, so that preceding calls of another kind do not affect the time.
    """

    measure: Measure
    repeats: int = 1
    steady: bool = False

    def seconds(self) -> float:
        """The mean of a round."""
        if self.steady:
            self.measure()
        return mean(self.measure() for _ in range(self.repeats))


@dataclass(frozen=True)
class Stored:
    """A server, its database and the number of its runs."""

    url: str
    database: psycopg.Connection[Any]
    runs: int


def reading(
    ledger: Ledger, few: Stored, many: Stored, runs: list[Section], permalink: str, rounds: int, groups: Collection[str]
) -> None:
    """Measure these GROUPS. Each figure is taken once a round, so that all are taken under the same conditions."""
    with ExitStack() as stack:
        near, far = (stack.enter_context(Connection(server.url)) for server in (few, many))
        figures: dict[str, Figure] = {}
        for name, connection, stored in (("few", near, few), ("many", far, many)):
            if "comparison" in groups:
                figures.update(_comparison(name, connection, stored, runs))
            if "facets" in groups:
                figures[f"facets {name}"] = Figure(_page(connection, "/runs/", accept_encoding="gzip"))
        if "permalinks" in groups:
            figures.update(_permalinks(near, permalink))
        taken: dict[str, list[float]] = {name: [] for name in figures}
        for turn in range(rounds + 1):
            for name, figure in figures.items():
                seconds = figure.seconds()
                if turn:  # the first round fills caches
                    taken[name].append(seconds)
    _tell(ledger, taken, few.runs, many.runs)


def _comparison(name: str, connection: Connection, stored: Stored, runs: list[Section]) -> Iterator[tuple[str, Figure]]:
    """The same table as SQL, as data and as a page."""
    query, ids = address(runs), [UUID(run["run_id"]) for run in runs]
    yield f"sql {name}", Figure(lambda: bare(stored.database, ids), 5)
    yield f"json {name}", Figure(_page(connection, f"/compare/table.json?{query}"))
    yield f"html {name}", Figure(_page(connection, f"/compare/?{query}", accept_encoding="gzip"))


def _permalinks(near: Connection, permalink: str) -> Iterator[tuple[str, Figure]]:
    """A frozen table for readers with and without a cached copy, beside an empty view."""
    yield "empty", Figure(_page(near, "/empty/"), 20, steady=True)
    yield "permalink", Figure(_page(near, permalink, accept_encoding="gzip"), 20, steady=True)
    yield "permalink data", Figure(_page(near, permalink.rstrip("/") + ".json"), 20, steady=True)
    tag = near.ask(permalink, accept_encoding="gzip").field("ETag")
    fields = {"if_none_match": tag, "expected": 304, "accept_encoding": "gzip"}
    yield "permalink again", Figure(_page(near, permalink, **fields), 20, steady=True)


def _page(connection: Connection, path: str, **fields: Any) -> Measure:
    return lambda: connection.ask(path, **fields).seconds


def bare(database: psycopg.Connection[Any], runs: list[UUID]) -> float:
    """The seconds of reading the figures of the same cells from the database as JSON."""
    started = time.perf_counter()
    row = database.execute(BARE, [runs, list(TESTS), list(RECORD_SIZES)]).fetchone()
    seconds = time.perf_counter() - started
    if row is None or len(row[0]) != len(runs) * len(TESTS) * len(RECORD_SIZES):
        raise SystemExit(f"bench: the bare query found {json.dumps(row)[:200]}")
    return seconds


def _tell(ledger: Ledger, taken: dict[str, list[float]], few: int, many: int) -> None:
    ledger.say(f"\n{'milliseconds':44} {'median':>8}")
    for name, seconds in taken.items():
        ledger.time(name, seconds)
    ledger.say("")

    def ratio(name: str, above: str, below: str, most: float | None = None, least: float | None = None) -> None:
        if above not in taken:
            return
        values = [a / b for a, b in zip(taken[above], taken[below], strict=True)]
        ledger.bound(Ratio(name, values), most, least)

    ratio("comparison .json ÷ bare SQL", "json few", "sql few", most=10)
    ratio("comparison page ÷ bare SQL", "html few", "sql few", most=20)
    grown = f"{few:,} → {many:,} runs"
    ratio(f"bare SQL, {grown}", "sql many", "sql few")
    ratio(f"comparison .json, {grown}", "json many", "json few", most=1.2)
    ratio(f"comparison page, {grown}", "html many", "html few", most=1.2)
    ratio(f"list of runs with facets, {grown}", "facets many", "facets few", most=3)
    ratio("permalinks/s ÷ empty views/s", "empty", "permalink", least=0.5)
    ratio("permalink .json/s ÷ empty views/s", "empty", "permalink data")
    ratio("permalinks not changed/s ÷ empty views/s", "empty", "permalink again", least=0.8)
