"""Somebody sets the clock while the agent measures: durations stay right, and the rounds say that the clock was set."""

import itertools
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest

from tests.agents.measuring.test_run import DIRECTORY, Agent

LIBRARY = "/usr/$LIB/faketime/libfaketimeMT.so.1"  # the dynamic linker replaces $LIB
ROUNDS = 5
PLAN = f"""
rounds = {ROUNDS}
[[workloads]]
tool = "fsload"
file_sizes = ["64 MiB"]
record_sizes = ["4 KiB"]
tests = ["write"]
"""
INTERVAL = 0.02  # seconds; a round takes longer
pytestmark = [pytest.mark.needs("cc", package="gcc"), pytest.mark.needs("faketime", package="faketime")]


@contextmanager
def jumping(agent: Agent, step: str) -> Iterator[None]:
    """The agent and its tools see the date jump by a step such as +1d, again and again, but not the monotonic clock."""
    shift, ended = agent.state.parent / "shift", Event()
    sign, length, unit = step[0], int(step[1:-1]), step[-1]

    def jump() -> None:
        for number in itertools.count():
            shift.with_suffix(".new").write_text(f"{sign}{number * length}{unit}")
            os.replace(shift.with_suffix(".new"), shift)
            if ended.wait(INTERVAL):
                return

    agent.environment |= {
        "LD_PRELOAD": LIBRARY,
        "FAKETIME_TIMESTAMP_FILE": str(shift),
        "FAKETIME_NO_CACHE": "1",
        "DONT_FAKE_MONOTONIC": "1",
    }
    shift.write_text("+0d")
    thread = Thread(target=jump)
    thread.start()
    yield
    ended.set()
    thread.join()


@pytest.mark.parametrize("step", ["+1d", "-1d"])
def test_durations_do_not_follow_the_date(tmp_path: Path, step: str) -> None:
    agent = Agent(tmp_path)
    with jumping(agent, step):
        done = agent.run(PLAN + DIRECTORY)
    assert done.returncode == 0, done.stderr

    (document,) = agent.documents().values()
    assert len(document.rounds) == ROUNDS
    assert document.started_at <= document.finished_at
    assert len({measured.started_at.date() for measured in document.rounds}) > 1
    assert all("clock_step" in measured.evidence.disturbances for measured in document.rounds if measured.evidence)
    (result,) = (each for each in document.results if each.metric == "throughput")
    # A duration that followed the date would make these a millionth, or negative.
    assert all(value and 10e6 < value < 1e11 for value in result.values)
