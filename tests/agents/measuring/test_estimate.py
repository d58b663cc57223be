"""Time left: known from the first measurement on, and exact if every round takes as long as the first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.measuring.estimate import Estimate
from benchagent.plan.model import Plan, Target, Workload


class Clock:
    """A clock that the test advances."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def plan(**fields: object) -> Plan:
    targets = tuple(Target(name, "directory", path="/") for name in ("a", "b"))
    return Plan("p", targets, (Workload("w", "iozone"), Workload("x", "iozone")), **fields)


def blocks(of: Plan) -> list[list[str]]:
    return [[point.id for target in block for point in of.points_of(target)] for block in of.blocks()]


def run(of: Plan, seconds: dict[str, float]) -> list[tuple[float, float | None]]:
    """Play the whole plan; returns (time, reported time left) at the beginning and after each point."""
    clock = Clock()
    estimate = Estimate(of, blocks(of), clock)
    told = [(clock.now, estimate.left())]
    for index, ids in enumerate(blocks(of)):
        estimate.block_started(index)
        begun, number = clock.now, -of.warm_ups
        while True:
            estimate.round_started(number)
            for point in ids:
                clock.now += seconds[point]
                estimate.point_finished(point)
                told.append((clock.now, estimate.left()))
            number += 1
            if of.is_over(number, clock.now - begun):
                break
    return told


SECONDS = {"a/w": 3.0, "a/x": 1.0, "b/w": 5.0, "b/x": 1.0}


@pytest.mark.parametrize(
    "fields",
    [
        {"rounds": 4},
        {"rounds": None, "time_budget": 35.0, "min_rounds": 1},
        {"rounds": None, "time_budget": 1.0, "min_rounds": 3},
        {"rounds": 3, "cache": "warm"},
    ],
)
def test_after_the_first_round_it_is_exact(fields: dict[str, object]) -> None:
    told = run(plan(**fields), SECONDS)[4:]
    assert len(told) > 4
    for now, left in told:
        assert left == pytest.approx(told[-1][0] - now)


def test_one_target_after_the_other_it_is_exact_when_the_last_was_met() -> None:
    for fields in ({"rounds": 3}, {"rounds": None, "time_budget": 35.0}):
        told = run(plan(order="sequential", **fields), SECONDS)
        assert len(told) > 4
        for now, left in told[-4:]:
            assert left == pytest.approx(told[-1][0] - now)


def test_before_anything_is_known_the_budget_is() -> None:
    assert run(plan(rounds=None, time_budget=60.0), SECONDS)[0][1] == 60.0
    assert run(plan(rounds=2), SECONDS)[0][1] is None


def test_points_that_were_not_measured_yet_are_taken_for_typical() -> None:
    told = run(plan(rounds=1), SECONDS)
    assert [left for _, left in told] == [None, pytest.approx(9.0), pytest.approx(4.0), pytest.approx(3.0), 0.0]


def test_time_passes_while_a_point_runs_and_never_becomes_negative() -> None:
    clock = Clock()
    estimate = Estimate(plan(rounds=1), [["a/w", "a/x"]], clock)
    estimate.block_started(0)
    estimate.round_started(0)
    clock.now += 4
    estimate.point_finished("a/w")
    clock.now += 1
    assert estimate.left() == pytest.approx(3.0)
    assert estimate.share() == pytest.approx(5 / 8)
    clock.now += 10
    assert estimate.left() == 0.0
    assert estimate.share() == 1.0


@given(
    st.dictionaries(st.sampled_from(sorted(SECONDS)), st.floats(0, 1e4), min_size=4, max_size=4),
    st.sampled_from(["interleaved", "sequential"]),
    st.sampled_from([(None, 50.0), (3, None), (3, 10.0)]),
)
def test_it_is_never_negative_and_ends_at_nothing(
    seconds: dict[str, float], order: str, bounds: tuple[int | None, float | None]
) -> None:
    rounds, budget = bounds
    seconds = {point: value + 0.1 for point, value in seconds.items()}
    told = run(plan(order=order, rounds=rounds, time_budget=budget), seconds)
    assert all(left is None or left >= 0 for _, left in told)
    assert told[-1][1] == pytest.approx(0.0)
