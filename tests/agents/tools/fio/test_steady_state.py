"""The time until a test of fio was steady, judged as the page inside a round judges it."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from benchagent.formats import parse
from benchagent.formats.over_time import OverTime
from benchagent.toml.tables import Parameters
from benchagent.tools import completed
from benchagent.tools.fio.steady_state import seconds_until_steady, with_steady_state
from benchdb.stats.settling import steady_windows
from tests.agents.formats.fio.test_reader import document, job

PARAMETERS: Parameters = {"tests": ["random_read"], "file_size": 4096, "seconds": 30, "steady_state": True}


def series(operations: list[int], step: float = 0.5, name: str = "operations") -> OverTime:
    return OverTime(name, "random_read", 0.0, step, tuple(operations))


@given(st.lists(st.integers(80, 125), max_size=14), st.lists(st.integers(0, 300), max_size=9), st.sampled_from([1, 3]))
def test_the_rule_is_that_of_the_page(near: list[int], wild: list[int], steps: int) -> None:
    """Steps of a third of a rate, or of a whole one."""
    rates = [*wild, *near]
    step = 1.5 / steps
    found = seconds_until_steady(series([part for rate in rates for part in [rate] * steps], step))
    windows = steady_windows(np.array(rates, dtype=np.float64))
    assert found == ((int(np.argmax(windows)) + 5) * 1.5 if windows.any() else None)


def test_it_replaces_the_judgement_of_fio() -> None:
    section = {"ss": "iops:5.000000%", "attained": 1}
    parsed = completed(parse(document(job(steadystate=section))), PARAMETERS)
    assert "steady_state" not in {result.test for result in parsed.results}
    [steady] = with_steady_state(parsed, [series([100] * 20), series([1] * 9, name="bytes")], PARAMETERS).results[
        len(parsed.results) :
    ]
    assert (steady.test, steady.metric, steady.unit, steady.values) == ("steady_state", "elapsed", "s", (7.5,))
    assert (steady.file_size, steady.record_size, steady.threads, steady.lines) == (4096, 4096, 1, ())
    assert steady.params == {
        "during": "random_read",
        "engine": "psync",
        "depth": 1,
        "seconds": 30,
        "steady_state": True,
    }
    never = with_steady_state(parsed, [series([1, 1000] * 20, step=1.5)], PARAMETERS).results[-1]
    assert (never.values, never.status, never.error) == ((None,), "failed", "not steady in this time")
    without = {**PARAMETERS, "steady_state": False}
    assert with_steady_state(parsed, [series([100] * 20)], without) == parsed
