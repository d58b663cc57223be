"""Configurations against SciPy's t-tests, and the guarantee for the best one."""

import numpy as np
import pytest
from scipy import stats

from benchdb.stats.questions.best_configurations import Standing, best_configurations
from tests.bench.statistics.questions import of_best

RNG = np.random.default_rng(13)
EFFECTS = np.array([0.0, 0.02, -0.3])


def measured(machines: int, runs: int = 2) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Logarithms, configurations and machines: each of three configurations on each machine."""
    machine = np.repeat(np.arange(machines), 3 * runs)
    configuration = np.tile(np.repeat(np.arange(3), runs), machines)
    of_machine = RNG.normal(0, 0.02, (machines, 3))
    logs = EFFECTS[configuration] + machine + of_machine[machine, configuration] + RNG.normal(0, 0.02, len(machine))
    return logs, configuration, machine


@pytest.mark.parametrize("higher", [True, False])
def test_several_machines_agree_with_scipys_paired_t_test(higher: bool) -> None:
    logs, configuration, machine = measured(6)
    found = best_configurations(logs, configuration, machine, machine, higher_is_better=higher)
    assert found is not None
    means = np.array([[logs[(machine == m) & (configuration == c)].mean() for c in range(3)] for m in range(6)])
    assert (found.reference, found.similar) == (0, True)
    for c in (1, 2):
        test = stats.ttest_rel(means[:, c], means[:, 0])
        interval = test.confidence_interval(1 - 0.05 / 2)  # two comparisons with the reference
        assert found.log[c] == pytest.approx((means[:, c] - means[:, 0]).mean(), abs=1e-9)
        assert (found.low[c], found.high[c]) == pytest.approx((interval.low, interval.high), abs=1e-9)
    for own in range(3):
        side = "less" if higher else "greater"
        p = [stats.ttest_rel(means[:, own], means[:, c], alternative=side).pvalue for c in range(3) if c != own]
        assert found.p_best[own] == pytest.approx(min(1, 2 * min(p)), abs=1e-9)
    worst = 2 if higher else 1
    assert found.standing[worst] is Standing.WORSE
    assert (found.log[0], np.isnan(found.low[0])) == (0, True)
    assert (found.shared.tolist(), found.runs.tolist()) == ([6, 6, 6], [12, 12, 12])


def test_one_machine_agrees_with_a_pooled_t_test_of_runs() -> None:
    logs, configuration, machine = measured(1, runs=5)
    found = best_configurations(logs, configuration, machine, machine, higher_is_better=True)
    assert found is not None
    assert not found.similar
    sides = [logs[configuration == c] for c in range(3)]
    error = np.sqrt(np.mean([side.var(ddof=1) for side in sides])) * np.sqrt(2 / 5)
    half = stats.t.ppf(1 - 0.05 / 4, 12) * error
    log = sides[2].mean() - sides[0].mean()
    assert found.log[2] == pytest.approx(log, abs=1e-9)
    assert (found.low[2], found.high[2]) == pytest.approx((log - half, log + half), abs=1e-9)
    p = max((sides[c].mean() - sides[2].mean()) / error for c in (0, 1))
    assert found.p_best[2] == pytest.approx(2 * stats.t.sf(p, 12), abs=1e-9)


def test_only_runs_of_one_stratum_are_compared() -> None:
    """Every kernel has another figure; configuration 1 was measured mostly with the faster one."""
    configuration = np.array([0, 1, 1, 1, 0, 1] * 4)
    kernel = np.array([0, 0, 1, 1, 1, 1] * 4)
    machine = np.repeat(np.arange(4), 6)
    logs = 0.1 * configuration + 2.0 * kernel + machine + RNG.normal(0, 0.01, 24)
    found = best_configurations(logs, configuration, 2 * machine + kernel, machine, higher_is_better=True)
    assert found is not None
    assert found.log[1 - found.reference] == pytest.approx(0.1 * (1 - 2 * found.reference), abs=0.03)
    assert found.standing[0] is Standing.WORSE


def test_what_was_measured_beside_others_on_one_machine_of_several_is_untested() -> None:
    logs, configuration, machine = measured(5)
    kept = (configuration != 2) | (machine == 0)
    found = best_configurations(logs[kept], configuration[kept], machine[kept], machine[kept], higher_is_better=False)
    assert found is not None
    assert found.standing[2] is Standing.UNTESTED
    assert (found.machines.tolist(), found.shared.tolist()) == ([5, 5, 1], [5, 5, 1])
    assert np.isfinite(found.log[2])
    assert np.isnan(found.low[2])
    assert np.isnan(found.p_best[2])


def test_single_runs_on_one_machine_are_untested() -> None:
    logs, configuration, machine = measured(1, runs=1)
    found = best_configurations(logs, configuration, machine, machine, higher_is_better=True)
    assert found is not None
    assert set(found.standing) == {Standing.UNTESTED}


def test_configurations_that_never_met_are_not_compared() -> None:
    machine = np.repeat(np.arange(4), 2)
    assert best_configurations(RNG.normal(0, 1, 8), machine % 2, machine, machine, higher_is_better=True) is None
    nothing = np.zeros(0, dtype=np.int64)
    assert best_configurations(np.zeros(0), nothing, nothing, nothing, higher_is_better=True) is None


def test_equal_logarithms_give_no_test() -> None:
    logs, configuration, machine = measured(4)
    found = best_configurations(0 * logs, configuration, machine, machine, higher_is_better=True)
    assert found is not None
    assert set(found.standing) == {Standing.UNTESTED}


def test_few_simulated_sites() -> None:
    """`make bench-statistics ONLY=questions` makes thousands."""
    outcomes = [of_best(0.0, 0.6, "normal", np.random.default_rng(seed), 10) for seed in range(60)]
    missed = [each[0] for each in outcomes if each[0] is not None]
    assert len(missed) > 50
    assert sum(missed) <= 8
