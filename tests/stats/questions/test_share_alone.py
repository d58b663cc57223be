"""The share of one fact alone: against dense matrices, adjusted R², and simulations without any effect."""

import numpy as np
import pytest

from benchdb.stats.questions.share_alone import share_alone

RNG = np.random.default_rng(21)


def indicators(codes: np.ndarray) -> np.ndarray:
    return (codes[:, np.newaxis] == np.unique(codes)).astype(float)


def residual(y: np.ndarray, x: np.ndarray) -> tuple[float, int, float]:
    """The residual sum of squares, the rank, and the projection of x."""
    projection = x @ np.linalg.pinv(x)
    return float(y @ y - y @ projection @ y), round(float(np.trace(projection))), projection


def henderson(y: np.ndarray, levels: np.ndarray, machines: np.ndarray) -> float:
    """Henderson's method 3 by its definition, with projections of all runs."""
    z, variances = indicators(machines), []
    for x in (indicators(levels), np.ones((len(y), 1))):
        own, rank, projection = residual(y, x)
        both, rank_of_both, _ = residual(y, np.hstack([x, z]))
        runs = both / (len(y) - rank_of_both)
        trace = np.trace((np.eye(len(y)) - projection) @ z @ z.T)
        between = (own - both - (rank_of_both - rank) * runs) / trace if trace > 1e-9 else 0.0
        variances.append(runs + between)
    return 1 - variances[0] / variances[1]


@pytest.mark.parametrize("kind", ["runs", "machines", "machine", "both", "finer"])
def test_shares_are_those_of_dense_matrices(kind: str) -> None:
    machines = np.sort(RNG.integers(0, 9, 60))
    of_machine = RNG.integers(0, 3, 9)[machines]
    levels = {
        "runs": RNG.integers(0, 4, 60),
        "machines": of_machine,
        "machine": machines,
        "both": np.where(RNG.random(60) < 0.1, 3, of_machine),
        "finer": 2 * machines + RNG.integers(0, 2, 60),
    }[kind]
    y = RNG.normal(0, 0.3, 9)[machines] + RNG.normal(0, 0.1, 60)
    y -= y.mean()
    assert share_alone(y, levels, machines) == pytest.approx(henderson(y, levels, machines), abs=1e-9)


@pytest.mark.parametrize("machines", [np.zeros(40, dtype=int), np.arange(40)])
def test_on_one_machine_and_with_one_run_a_machine_it_is_adjusted_r_squared(machines: np.ndarray) -> None:
    levels, y = RNG.integers(0, 3, 40), RNG.normal(0, 1, 40)
    y -= y.mean()
    own, rank, _ = residual(y, indicators(levels))
    assert share_alone(y, levels, machines) == pytest.approx(1 - own / (40 - rank) / (y @ y / 39))


@pytest.mark.parametrize("kind", ["runs", "machines"])
def test_a_fact_without_effect_explains_nothing_on_average(kind: str) -> None:
    """By adjusted R² of runs, a fact of machines explains 14 % on average."""
    shares = []
    for _ in range(300):
        machines = np.repeat(np.arange(12), 8)
        levels = RNG.integers(0, 3, 12)[machines] if kind == "machines" else RNG.integers(0, 3, 96)
        y = RNG.normal(0, 0.3, 12)[machines] + RNG.normal(0, 0.1, 96)
        shares.append(share_alone(y - y.mean(), levels, machines))
    assert abs(np.mean(shares)) < 0.04
