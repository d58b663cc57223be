"""A local user attacks root's agent at random moments: nothing of root's is removed or overwritten.

`make test-faults` does this sixty times (BENCHDB_SWAPS), the test suite three times.
"""

import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.agents.measuring.test_run import DIRECTORY, Agent
from tests.agents.support.stranger import names, owned_by_stranger, reachable, swapping, treasure

pytestmark = [pytest.mark.needs("root", package=None), pytest.mark.needs("cc", package="gcc")]

SWAPS = int(os.environ.get("BENCHDB_SWAPS", "3"))
PLAN = """
rounds = 2
[[workloads]]
tool = "fsload"
file_sizes = ["16 MiB"]
record_sizes = ["4 KiB"]
tests = ["write"]
"""
LONGEST = 0.3  # seconds from the creation of the agent's directory to the swap
DONE, FAILED, NOTHING = 0, 4, 10


def with_mode(mode: int) -> Callable[[Path], Path]:
    """A function that makes a directory of root with this mode."""

    def make(path: Path) -> Path:
        path.mkdir()
        path.chmod(mode)
        return path

    return make


PLACES = {
    "belongs to the user": (owned_by_stranger, {NOTHING}),
    "may be written by all": (with_mode(0o777), {NOTHING}),
    "has the sticky bit": (with_mode(0o1777), {DONE, FAILED, NOTHING}),
}


def test_a_local_user_makes_root_remove_nothing(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    agent, ended = Agent(tmp_path), Counter[str]()
    for number in range(SWAPS):
        place = list(PLACES)[number % len(PLACES)]
        make, codes = PLACES[place]
        with reachable() as base:
            agent.directory = make(base / "target")
            before = treasure(base / "treasure")
            with swapping(agent.directory, base / "treasure", rounds=10, longest=LONGEST):
                run = agent.run(PLAN + DIRECTORY)
            assert run.returncode in codes, run.stderr
            assert names(base / "treasure") == before
        ended[place] += 1
    attacks = ", ".join(f"{count} × a directory that {place}" for place, count in ended.items())
    record_property("result", f"{attacks}; nothing removed")
