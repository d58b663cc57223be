"""Durations and spreads of points from the spool: only of equal points, and from the newest run."""

from __future__ import annotations

import json
import statistics
from pathlib import Path
from typing import Any

import pytest

from benchagent.plan.model import Point, Target, Workload
from benchagent.planning.history import PastRuns, history, key_of
from benchagent.spool.store import SENT, Spool

OLDER, NEWER = "01900000-0000-7000-8000-000000000001", "01900000-0000-7000-8000-000000000002"
POINT = Point(Target("ext4", "image"), Workload("sweep", "fsload", {"tests": ["write"]}))


def run(seconds: list[float | None], tool: str = "fsload", test: str = "run") -> dict[str, Any]:
    return {
        "campaign": {"point": "ext4/sweep"},
        "workload": {"tool": tool, "parameters": {"tests": ["write"]}},
        "results": {
            "test": ["write", test, test],
            "metric": ["throughput", "elapsed", "user_time"],
            "offsets": [0, 2, 2 + len(seconds), 2 + 2 * len(seconds)],
            "values": [1.0, 2.0, *seconds, *seconds],
        },
    }


def test_the_mean_of_the_rounds_of_the_newest_run(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    spool.add(OLDER, run([100.0]))
    spool.add(NEWER, run([4.0, 6.0, None]))
    spool.settle(NEWER, SENT, {})
    assert history(spool).seconds[key_of(POINT)] == 5.0


def test_other_parameters_are_another_point(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    spool.add(OLDER, run([100.0]))
    other = Point(POINT.target, Workload("sweep", "fsload", {"tests": ["write", "read"]}))
    assert key_of(other) not in history(spool).seconds


def test_steps_that_the_agent_times_itself_count_together(tmp_path: Path) -> None:
    spool, document = Spool(tmp_path), run([2.0], "maintenance", "remount")
    results = document["results"]
    results["test"].append("fsck_clean")
    results["metric"].append("elapsed")
    results["values"] += [3.0, 5.0]
    results["offsets"].append(len(results["values"]))
    spool.add(OLDER, document)
    assert list(history(spool).seconds.values()) == [6.0]


def test_runs_without_a_time_and_strange_documents_say_nothing(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    spool.add(OLDER, run([None]))
    spool.path("pending", NEWER).write_text(json.dumps(["not", "a", "run"]))
    assert history(spool).seconds == {}
    assert history(Spool(tmp_path / "empty")) == PastRuns()


def test_the_spread_of_each_result_with_enough_values(tmp_path: Path) -> None:
    spool, document = Spool(tmp_path), run([4.0, 6.0, 8.0])
    results = document["results"]
    for test, metric, values in (("write", "throughput", [9.0, 10.0, None, 12.0]), ("read", "latency_p99", [1.0] * 3)):
        results["test"].append(test)
        results["metric"].append(metric)
        results["values"] += values
        results["offsets"].append(len(results["values"]))
    spool.add(NEWER, document)
    values = [9.0, 10.0, 12.0]
    # Neither the two values of the first result, nor the tool's own time, nor a by-product.
    assert history(spool).spreads[key_of(POINT)] == [pytest.approx(statistics.stdev(values) / statistics.mean(values))]
