"""What a plan can find: the power of Welch's test, against SciPy's noncentral t."""

from __future__ import annotations

import math

import pytest
from scipy import integrate, stats

from benchagent.plan.model import Plan, Target, Workload
from benchagent.planning.detection import (
    DEFAULT_RESULTS,
    DEFAULT_SPREAD,
    LEVEL,
    detection,
    noncentral_t_above,
    power,
    rounds_for,
)
from benchdb.stats.comparing.looks import FIRST

ONE = Plan("one", (Target("a", "directory"),), (Workload("sweep", "fsload"),), rounds=5)
FOUR = Plan("four", tuple(Target(name, "directory") for name in "abcd"), (Workload("sweep", "fsload"),), rounds=10)


@pytest.mark.parametrize("freedom", [2, 4, 8, 14, 38, 198, 998])
@pytest.mark.parametrize("centre", [0.0, 1.0, 5.0, 20.0])
@pytest.mark.parametrize("t", [1.5, 3.0, 6.0, 30.0])
def test_noncentral_t_agrees_with_scipy(freedom: int, centre: float, t: float) -> None:
    assert noncentral_t_above(t, freedom, centre) == pytest.approx(stats.nct.sf(t, freedom, centre), abs=1e-6)


@pytest.mark.parametrize(
    ("rounds", "difference", "spread", "comparisons"),
    [(3, 0.1, 0.03, 156), (5, 0.1, 0.03, 156), (8, 0.1, 0.03, 156), (10, 0.1, 0.1, 1), (20, 0.1, 0.1, 50)],
)
def test_power_agrees_with_scipys_integral(rounds: int, difference: float, spread: float, comparisons: int) -> None:
    """Over the share of one side in the sum of both variances, which follows a beta distribution."""
    half, centre = (rounds - 1) / 2, math.log1p(difference) / (spread * math.sqrt(2 / rounds))

    def at(share: float) -> float:
        degrees = (rounds - 1) / (share**2 + (1 - share) ** 2)
        critical = stats.t.isf(LEVEL / comparisons / 2, degrees)
        return float(stats.beta.pdf(share, half, half) * stats.nct.sf(critical, 2 * (rounds - 1), centre))

    expected = 2 * integrate.quad(at, 0, 0.5, epsabs=1e-9)[0]
    assert power(rounds, difference, spread, comparisons) == pytest.approx(expected, abs=1e-3)


def test_the_level_is_that_of_the_servers_first_look() -> None:
    assert pytest.approx(0.05 * FIRST) == LEVEL


def test_the_figures_of_the_documentation() -> None:
    assert [round(100 * power(rounds, 0.1, 0.03, 156)) for rounds in (3, 5, 8, 10)] == [1, 23, 86, 98]


def test_no_fewer_rounds_find_it_in_four_cases_of_five() -> None:
    rounds = rounds_for(0.1, 0.05, 40)
    assert rounds is not None
    assert power(rounds, 0.1, 0.05, 40) >= 0.8 > power(rounds - 1, 0.1, 0.05, 40)
    assert rounds_for(0.1, 5.0, 40) is None


def test_degenerate_cases() -> None:
    assert power(1, 0.1, 0.03, 1) == 0
    assert power(5, 0.1, 0.0, 1) == 1


@pytest.mark.parametrize(
    ("spreads", "results", "spread", "comparisons"),
    [([], None, (DEFAULT_SPREAD, 0), 3 * DEFAULT_RESULTS), ([0.2, 0.01, 0.03], 52.0, (0.03, 3), 156)],
    ids=["assumed", "median of the history"],
)
def test_spread_and_results_are_of_the_history_or_assumed(
    spreads: list[float], results: float | None, spread: tuple[float, int], comparisons: int
) -> None:
    found = detection(FOUR, 10, spreads, results, points=4)
    assert (found["spread"], found["spread_of_results"]) == spread
    assert (found["comparisons"], found["results_known"]) == (comparisons, results is not None)


def test_a_single_target_is_compared_with_the_next_campaign() -> None:
    assert detection(ONE, 5, [], 13.0, points=1)["comparisons"] == 13


def test_a_precision_ends_the_rounds() -> None:
    plan = Plan("precise", FOUR.targets, FOUR.workloads, rounds=30, precision=0.02)
    assert detection(plan, 30, [0.03], 13.0, points=4)["rounds"] == 12  # t(11)·0.03/√12 = 0.0191
    assert detection(plan, 30, [0.3], 13.0, points=4)["rounds"] == 30


def test_rounds_beyond_counting_find_an_unknown_share() -> None:
    found = detection(FOUR, None, [0.03], 13.0, points=4)
    assert found["rounds"] is found["found"] is None
