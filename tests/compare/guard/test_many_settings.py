"""Runs with hundreds of settings that no other run has: the work grows with the settings, not with their square."""

from collections.abc import Mapping, Sequence
from unittest.mock import patch

import pytest

from benchdb.compare.guard.distinguishing import MOST_KEYS, varying_keys
from benchdb.compare.guard.facts import columns
from benchdb.compare.query import keyed
from benchdb.facts.guarding import MOST_SETTINGS
from benchdb.runs import costs
from benchdb.runs.models import Run, RunState
from tests.support.comparing.guarded import known, unstored

RUNS, SETTINGS = 12, 100


def run_with(options: Sequence[str] = (), parameters: Mapping[str, int] = {}) -> Run:
    """An unstored run that has these mount options and parameters alone."""
    content = known()
    content["target"]["mount"]["options"] = list(options)
    content["workload"]["parameters"] = dict(parameters)
    run = unstored(content)
    run.runstate = RunState(labels={})
    return run


def test_each_option_is_read_once() -> None:
    runs = [run_with([f"o{run}.{i}" for i in range(SETTINGS)]) for run in range(RUNS)]
    keyed.settings_of.cache_clear()

    with patch.object(keyed, "_option", wraps=keyed._option) as read:
        assert varying_keys(runs) == [f"mount_option:o0.{i}" for i in range(MOST_KEYS)]

    assert (read.call_count, keyed.settings_of.cache_info().misses) == (RUNS * SETTINGS, RUNS)


@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        (["barrier"], ["nobarrier"], ["barrier"]),
        (["barrier=0"], ["nobarrier"], []),
        (["relatime"], ["strictatime"], ["atime"]),
        (["relatime"], ["relatime", "norelatime"], []),
        (["data=a", "data=b"], ["data=a"], []),
        (["nodata=5"], ["ro"], ["ro"]),
    ],
)
def test_options_vary_by_their_values(first: list[str], second: list[str], names: list[str]) -> None:
    assert varying_keys([run_with(first), run_with(second)]) == [f"mount_option:{name}" for name in names]


def test_rare_settings_are_one_column_and_none_of_their_differences_is_lost() -> None:
    common = {f"c{i:03}": i for i in range(MOST_SETTINGS)}
    runs = [run_with((), {**common, "same": 1, **{f"p{run}.{i}": i for i in range(SETTINGS)}}) for run in range(RUNS)]

    found = [column for column in columns(runs, frozenset()) if column.name.startswith("parameter.")]

    assert len(found) == MOST_SETTINGS + 1
    assert [column.name for column in found if column.differs] == ["parameter.others"]
    assert len(set(found[-1].values)) == RUNS
    alike = [run_with((), {**common, "rare": 1}), run_with((), {**common, "rare": 1})]
    assert not [each.name for each in columns(alike, frozenset()) if each.differs]
    other = [run_with((), {**common, "rare": 1}), run_with((), {**common, "rare": 2})]
    (column,) = (each for each in columns(other, frozenset()) if each.differs)
    assert (column.name, column.values) == ("parameter.others", ["rare 1", "rare 2"])
    assert not [each.name for each in columns(other, frozenset({"parameter:rare"})) if each.differs]


def test_thesettings_of_runs_are_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    announced: list[float] = []
    monkeypatch.setattr(costs, "expect", announced.append)
    few, many = ([run_with([f"o{i}" for i in range(number)]) for _ in range(RUNS)] for number in (10, 10 + SETTINGS))

    costs.before_settings(few)
    costs.before_settings(many)

    assert announced[1] - announced[0] == pytest.approx(costs.SETTING * RUNS * SETTINGS)
