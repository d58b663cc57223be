"""Shares of variance against NumPy's least squares, SciPy's analysis of variance and the jackknife's definition."""

import numpy as np
import pytest
from scipy import stats

from benchdb.stats.questions.share_alone import share_alone
from benchdb.stats.questions.variance import MOST_LEVELS, explained_variance

RNG = np.random.default_rng(12)


def adjusted(logs: np.ndarray, rows: list[np.ndarray]) -> float:
    """Adjusted R² of indicators of all levels, whose rank NumPy finds."""
    columns = [np.ones(len(logs)), *(row == level for row in rows for level in np.unique(row))]
    x = np.stack(columns, axis=1).astype(float)
    rank = np.linalg.matrix_rank(x)
    rest = logs - x @ np.linalg.lstsq(x, logs, rcond=None)[0]
    return 1 - rest @ rest / (len(logs) - rank) / logs.var(ddof=1)


def crossed(machines: int, runs: int = 12) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Logarithms, three facts (file system, scheduler, kernel by machine) and machines."""
    machine = np.repeat(np.arange(machines), runs)
    facts = np.stack([RNG.integers(0, 3, len(machine)), RNG.integers(0, 2, len(machine)), machine % 2])
    logs = 0.2 * facts[0] + 0.1 * facts[1] + RNG.normal(0, 0.2, machines)[machine] + RNG.normal(0, 0.1, len(machine))
    return logs, np.vstack([facts, machine]), machine


@pytest.mark.parametrize("machines", [1, 8, 30])
def test_shares_and_intervals_agree_with_least_squares(machines: int) -> None:
    logs, facts, machine = crossed(machines)
    found = explained_variance(logs, facts, machine)
    assert found is not None
    # With more than 25 machines, the rarest ones count as one.
    rows = [facts[0], facts[1], facts[2], np.minimum(machine, MOST_LEVELS - 1)]
    blocks = machine % min(machines, 20) if machines >= 6 else np.arange(len(logs)) % 12
    assert (found.machines, found.blocks) == (machines >= 6, len(set(blocks)))

    chosen = [np.ones(len(logs), bool), *(blocks != block for block in range(len(set(blocks))))]

    def shares(names: list[int]) -> np.ndarray:
        return np.array([adjusted(logs[own], [rows[name][own] for name in names]) for own in chosen])

    everything = [group[0] for group in found.groups]
    for place, name in enumerate(everything):
        levels = rows[name]
        alone = [share_alone((logs - logs.mean())[own], levels[own], machine[own]) for own in chosen]
        if name == 2 and machines < 12:
            assert np.isnan(found.alone.share[place])
        else:
            check(found.alone, place, np.array(alone), len(everything))
        if not found.follows_from[place]:
            others = [other for other in everything if other != name]
            check(found.beyond, place, shares(everything) - shares(others), len(everything))
    check(found.total, 0, shares(everything), 1)


def test_facts_that_share_a_value_agree_with_least_squares() -> None:
    """ext2 has no journal: without the file system, its journal still tells ext2 from the others."""
    system = RNG.integers(0, 4, 90)
    journal = np.where(system == 3, 2, RNG.integers(0, 2, 90))
    machine = np.arange(90) % 9
    logs = 0.3 * (system == 1) + 0.2 * (journal == 1) + RNG.normal(0, 0.1, 90)
    rows = [system, journal, machine]
    found = explained_variance(logs, np.stack(rows), machine)
    assert found is not None
    for place, (name,) in enumerate(found.groups):
        others = [row for other, row in enumerate(rows) if other != name]
        expected = adjusted(logs, rows) - adjusted(logs, others)
        assert found.beyond.share[place] == pytest.approx(max(expected, 0), abs=1e-9)


def check(found, place: int, shares: np.ndarray, together: int) -> None:
    """The share and its interval; so many intervals hold together."""
    own, others = shares[0], shares[1:]
    half = stats.t.ppf(1 - 0.025 / together, len(others) - 1) * np.sqrt((len(others) - 1) * others.var())
    for figure, expected in ((found.share, own), (found.low, own - half), (found.high, own + half)):
        assert figure[place] == pytest.approx(np.clip(expected, 0, 1), abs=1e-9)


def test_on_one_machine_the_share_alone_is_that_of_scipys_analysis_of_variance() -> None:
    logs, facts, _ = crossed(8)
    found = explained_variance(logs, facts[:1], np.zeros(len(logs), dtype=np.int64))
    assert found is not None
    f = stats.f_oneway(*(logs[facts[0] == level] for level in range(3))).statistic
    n = len(logs)
    assert found.alone.share[0] == pytest.approx(2 * (f - 1) / (2 * f + n - 3), abs=1e-9)  # ε² of Kelley (1935)


def test_facts_that_changed_together_are_one_group_and_those_that_follow_add_nothing() -> None:
    logs, facts, machine = crossed(8)
    together = np.vstack([facts, 1 - facts[1], np.zeros(len(logs), dtype=np.int64)])
    found = explained_variance(logs, together, machine)
    assert found is not None
    groups = {group: place for place, group in enumerate(found.groups)}
    assert set(groups) == {(0,), (1, 4), (2,), (3,)}
    kernel = groups[2,]
    assert found.follows_from[kernel] == (groups[3,],)
    assert (found.beyond.share[kernel], found.beyond.high[kernel]) == (0, 0)
    assert found.levels[kernel] == 2
    assert found.few_machines.tolist() == [place == kernel for place in range(4)]
    assert kernel == 3
    assert np.isnan(found.alone.share[kernel])


@pytest.mark.parametrize(("values", "few"), [(4, False), (5, True), (11, True)])
def test_a_fact_of_machines_with_nearly_as_many_values_has_no_share(values: int, few: bool) -> None:
    machine = np.repeat(np.arange(12), 4)
    logs = RNG.normal(0, 0.3, 12)[machine] + RNG.normal(0, 0.05, 48)
    found = explained_variance(logs, (np.arange(12) % values)[machine][np.newaxis], machine)
    assert found is not None
    assert found.few_machines.tolist() == [few]
    assert np.isnan(found.alone.share[0]) == few


def test_shares_that_are_surely_above_0_come_first() -> None:
    logs, facts, machine = crossed(30)
    found = explained_variance(logs + 0.4 * facts[2], facts, machine)
    assert found is not None
    shown = list(zip(found.alone.low, found.alone.share, strict=True))
    assert shown == sorted(shown, reverse=True)
    assert not found.few_machines.any()


@pytest.mark.parametrize("unit", [1e-6, 1e6])
def test_another_unit_changes_nothing(unit: float) -> None:
    logs, facts, machine = crossed(8)
    found, other = (explained_variance(each, facts, machine) for each in (logs, logs + np.log(unit)))
    assert found is not None
    assert other is not None
    for name in ("alone", "beyond", "total"):
        assert getattr(other, name).low == pytest.approx(getattr(found, name).low, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("change", ["few", "equal", "constant"])
def test_nothing_to_explain(change: str) -> None:
    logs, facts, machine = crossed(8)
    if change == "few":
        logs, facts, machine = logs[:7], facts[:, :7], machine[:7]
    elif change == "equal":
        logs = np.ones(len(logs))
    else:
        facts = np.zeros_like(facts)
    assert explained_variance(logs, facts, machine) is None


def test_a_fact_with_a_value_for_each_run_explains_nothing() -> None:
    found = explained_variance(RNG.normal(0, 1, 10), np.arange(10)[np.newaxis], np.zeros(10, dtype=np.int64))
    assert found is not None
    assert np.isnan(found.alone.share[0])
    assert np.isnan(found.total.share[0])
