"""An invented tool's declaration applies on the server: its clock, its switches, its rank in lists and tables."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchagent.tools import Tool
from benchdb.compare.query.selection import Selection
from benchdb.compare.table.complete import complete
from benchdb.runs.cells.clock_and_cache import caches, clocks
from benchdb.runs.listing.headlines import Headline, Overview
from benchdb.runs.queries import results_of
from tests.support.comparing.quantities import quantities, row
from tests.support.documents import environment
from tests.support.html import read
from tests.support.invented_tool import NAME, invented_tool, run_plan
from tests.support.store import store_run
from tests.texts import missing_in


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Tool]:
    with invented_tool(tmp_path, monkeypatch) as found:
        yield found


def test_a_run_of_the_agent_is_stored_and_judged(
    tool: Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, owner: User, client: Client
) -> None:
    _, [document] = run_plan(tmp_path, monkeypatch)
    run = store_run(owner, {**document, "environment": environment(), "visibility": "public"})
    results = [result for result in results_of(run) if result.metric == "throughput"]
    [clock], [cache] = clocks(results, {run.id: run}), caches(results, {run.id: run})
    assert (clock.verdict, round(clock.ticks or 0)) == ("coarse", 50)
    assert cache.reason in ("direct", "direct_unsure")  # unsure where the file system has no device of its own

    page = read(client.get(f"/runs/{run.id}/"))
    assert not missing_in(page.text, NAME, "CLK")


def test_without_the_tool_its_clock_and_switches_are_not_known(tmp_path: Path, owner: User) -> None:
    with pytest.MonkeyPatch.context() as patch, invented_tool(tmp_path, patch):
        _, [document] = run_plan(tmp_path, patch)
    run = store_run(owner, {**document, "environment": environment(), "visibility": "public"})
    results = [result for result in results_of(run) if result.metric == "throughput"]
    [clock], [cache] = clocks(results, {run.id: run}), caches(results, {run.id: run})
    assert clock.verdict == "unknown"
    assert cache.reason not in ("direct", "direct_unsure")


def test_tables_prefer_it(tool: Tool) -> None:
    rows = [row(tool=name) for name in ("fsload", NAME)]
    by_file_system = Selection(rows=("file_system",))
    assert dict(complete(by_file_system, quantities(rows)).selection.filters)["tool"] == (NAME,)


def test_lists_of_runs_show_its_tests_first(tool: Tool) -> None:
    headlines = [
        Headline("throughput", test, i, "ok", 3, 1.0, 0.1) for i, test in enumerate(["adapt", "settle", "rest"])
    ]
    assert [headline.test for headline in Overview(3, headlines).chosen] == ["settle", "adapt"]
