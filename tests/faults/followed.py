"""Conditions that hold when a server has followed all changes of another one."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import psycopg
from psycopg.rows import class_row

from benchdb.embedded.config import database_url
from tests.faults.afterwards import states
from tests.faults.publishers import Published
from tests.faults.stack import Stack

SOURCE = "lab"
ROWS = """
SELECT run.id::text AS run_id, state.visibility, state.labels, state.read_from,
       CASE WHEN state.withdrawn_at IS NOT NULL THEN state.withdrawn_reason END AS reason
FROM runs_run AS run JOIN runs_runstate AS state ON state.run_id = run.id
"""
GREATEST = "SELECT coalesce(max(number), 0), count(*) FILTER (WHERE number IS NULL) FROM runs_runchange"
REACHED = "SELECT after, error FROM federation_source"
FOLLOWED = "SELECT count(*), max(changed_at) FROM runs_runchange"
COUNTS = """
SELECT (SELECT count(*) FROM federation_refusedrun), (SELECT count(*) FROM catalog_machine),
       (SELECT sum(runs) FROM quotas_usage), (SELECT sum(value_count) FROM runs_runstate),
       (SELECT sum(value_count) FROM quotas_usage), (SELECT count(*) FROM runs_parse)
"""


@dataclass(frozen=True)
class Row:
    """A stored run; `reason` is that of its withdrawal."""

    run_id: str
    visibility: str
    labels: dict[str, str]
    read_from: str | None
    reason: str | None

    @property
    def is_shown(self) -> bool:
        """Whether the run is in the public lists."""
        return self.visibility == "public" and self.reason is None


def reached(follower: Stack) -> tuple[int, str] | None:
    """The last change that was followed, and the error of the last reading; None while the database restarts."""
    try:
        with psycopg.connect(database_url(follower.server.var)) as database:
            return database.execute(REACHED).fetchone()
    except psycopg.OperationalError:
        return None


def last_followed(follower: Stack) -> tuple[int, datetime | None] | None:
    """The number of runs that were ever followed, and the time of the last; None while the database restarts."""
    try:
        with psycopg.connect(database_url(follower.server.var)) as database:
            return database.execute(FOLLOWED).fetchone()
    except psycopg.OperationalError:
        return None


def all_is_followed(source: Stack, follower: Stack) -> bool:
    """Whether each change has a number and was followed, and all statistics are ready."""
    if states(source) != {"ready"} or states(follower) != {"ready"}:
        return False
    with psycopg.connect(database_url(source.server.var)) as database:
        greatest, unnumbered = database.execute(GREATEST).fetchone() or (0, 1)
    return not unnumbered and reached(follower) == (greatest, "")


def everything_was_followed(source: Stack, follower: Stack, published: dict[str, Published]) -> str:
    """Check that the follower has the public runs of the source, as they are there, and no others. Returns counts."""
    theirs, ours = rows(source), rows(follower)
    acknowledged = {run_id: run for run_id, run in published.items() if not run.is_deleted}
    assert theirs == {
        run_id: Row(run_id, run.visibility, run.labels, None, run.reason) for run_id, run in acknowledged.items()
    }
    shown = {run_id for run_id, row in theirs.items() if row.is_shown}
    assert {run_id for run_id, row in ours.items() if row.is_shown} == shown
    for run_id, row in ours.items():
        assert published[run_id].was_public
        assert row.read_from == SOURCE
        assert_follows(row, theirs[run_id])
    for run_id in shown:
        assert answer(source, f"{run_id}/document") == answer(follower, f"{run_id}/document")
        assert detail(source, run_id) == detail(follower, run_id)
    assert_counted_once(follower, len(ours))
    return f"{len(shown)} public runs are equal on both, {len(ours) - len(shown)} left the lists of both"


def assert_follows(row: Row, there: Row) -> None:
    """Check a run that the follower has: nothing is told about the labels of a run that left the lists."""
    if there.visibility != "public":
        assert row.visibility == "private"
    else:
        assert (row.visibility, row.reason) == ("public", there.reason)
    if there.is_shown:
        assert row.labels == there.labels


def assert_counted_once(follower: Stack, runs: int) -> None:
    """Check that nothing was refused, and that no machine, run, value or parse is there or counted twice."""
    with psycopg.connect(database_url(follower.server.var)) as database:
        refused, machines, counted, values, counted_values, parses = database.execute(COUNTS).fetchone() or ()
    assert (refused, machines, counted, parses) == (0, 1, runs, runs)
    assert counted_values == values


def rows(stack: Stack) -> dict[str, Row]:
    """The stored runs by their ids."""
    with psycopg.connect(database_url(stack.server.var), row_factory=class_row(Row)) as database:
        return {row.run_id: row for row in database.execute(ROWS)}


def answer(stack: Stack, path: str) -> bytes:
    """What everybody may read about a run."""
    status, body = stack.server.request(f"api/v1/runs/{path}")
    assert status == 200, body
    return body


def detail(stack: Stack, run_id: str) -> dict[str, Any]:
    """The run with its results and statistics, without the addresses of the server."""
    found: dict[str, Any] = json.loads(answer(stack, run_id).replace(stack.server.url.encode(), b""))
    return {name: value for name, value in found.items() if name not in ("read_from", "origin")}
