"""The precision of means, compared with SciPy; and rounds until the means are precise enough."""

from __future__ import annotations

import math
from datetime import datetime, timezone

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from benchagent.documents.records import ParsedOutput, PointRecord, Round
from benchagent.formats import Parsed, Result
from benchagent.plan.model import Point, Target, Workload
from benchagent.planning.precision import FEWEST, half_width, precision, t_quantile
from tests.agents.measuring.test_run import DIRECTORY, Agent, agent, cc, events, with_fsload

__all__ = ["agent", "with_fsload"]  # fixtures


@pytest.mark.parametrize("freedom", [*range(1, 60), 99, 100, 499, 1000, 9999])
def test_the_quantile_is_scipy_s(freedom: int) -> None:
    assert t_quantile(freedom) == pytest.approx(float(stats.t.ppf(0.975, freedom)), rel=1e-12)


@given(st.lists(st.floats(1, 1e9), min_size=FEWEST, max_size=30))
def test_the_interval_is_scipy_s(values: list[float]) -> None:
    deviation = float(np.std(values, ddof=1))
    if deviation < 1e-9 * values[0]:
        return
    low, high = stats.t.interval(0.95, len(values) - 1, np.mean(values), deviation / math.sqrt(len(values)))
    assert half_width(values) == pytest.approx((high - low) / 2 / np.mean(values), rel=1e-9)


def test_few_values_say_nothing_however_alike_they_are() -> None:
    assert half_width([5.0, 5.0]) == math.inf
    assert half_width([5.0, 5.0, 5.0]) == 0.0
    assert half_width([0.0, 0.0, 0.0]) == 0.0
    assert half_width([-1.0, 0.0, 1.0]) == math.inf


def record(**values: list[float | None]) -> PointRecord:
    """A point with one result for each name, `TEST__METRIC`."""
    point_record = PointRecord(Point(Target("ext4", "image"), Workload("w", "iozone")))
    for number in range(max(map(len, values.values()))):
        results = []
        for name, numbers in values.items():
            test, _, metric = name.partition("__")
            if number < len(numbers):
                results.append(Result(test, metric or "throughput", "B/s", (numbers[number],)))
        reading = ParsedOutput("x", Parsed("iozone", None, None, tuple(results), (), "1"))
        point_record.rounds.append(Round(datetime(2026, 11, 20, tzinfo=timezone.utc), 1.0, number, (reading,)))
    return point_record


def test_each_result_must_be_known() -> None:
    steady, wild = [100.0, 101.0, 99.0, 100.0], [100.0, 150.0, 60.0, 90.0]
    summary = precision([record(write=steady, read=wild)], 0.05)
    assert (summary.counted, summary.unsettled, summary.reached) == (3, 1, False)  # the third: the run's duration
    assert (summary.widest, summary.ratio) == ("ext4/w read throughput", pytest.approx(half_width(wild)))
    assert summary.rounds == math.ceil(4 * (half_width(wild) / 0.05) ** 2)
    assert precision([record(write=steady)], 0.05).reached


def test_extremes_and_the_split_of_cpu_time_do_not_count() -> None:
    wild = [1.0, 9.0, 2.0]
    found = record(write=[1.0] * 3, write__latency_max=wild, write__user_time=wild, write__cpu_of_one_core=wild)
    assert precision([found], 0.01).reached


def test_a_result_without_any_value_is_not_waited_for() -> None:
    assert precision([record(write=[1.0] * 3, read=[None] * 3)], 0.01).reached
    assert not precision([record(write=[1.0] * 3, read=[1.0, None, None])], 0.01).reached


SWEEP = """
[[workloads]]
tool = "fsload"
file_sizes = ["1 MiB"]
record_sizes = ["64 KiB"]
tests = ["write"]
no_latencies = true
"""


@cc
def test_rounds_end_when_everything_is_known_well_enough(with_fsload: Agent) -> None:
    """Every result has this precision after three rounds, but two are never enough."""
    done = with_fsload.run("rounds = 9\nmin_rounds = 3\nprecision = 0.999\n" + DIRECTORY + SWEEP, "--json")
    assert done.returncode == 0, done.stderr
    [document] = with_fsload.documents().values()
    rounds = [event for event in events(done.stdout) if event["event"] == "round_finished"]
    last = rounds[-1]
    assert len(rounds) == len(document.rounds) >= 3
    assert last["results"] >= 2
    assert document.protocol.precision == 0.999
    expected = "precision" if last["unsettled"] == 0 else "rounds"
    assert document.protocol.ended_by == expected
    assert all(event["unsettled"] for event in rounds[2:-1])


@cc
def test_rounds_end_at_the_most_where_nothing_is_known_so_well(with_fsload: Agent) -> None:
    done = with_fsload.run("rounds = 4\nmin_rounds = 3\nprecision = 0.0001\n" + DIRECTORY + SWEEP)
    assert done.returncode == 0, done.stderr
    [document] = with_fsload.documents().values()
    assert (len(document.rounds), document.protocol.ended_by) == (4, "rounds")
    assert "are not yet known precisely enough; the worst is directory/fsload " in done.stderr
