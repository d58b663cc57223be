"""The agent stays small while a tool runs, to leave the memory to the tool's caches."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.agents.tools.fsload.test_build import AGENTS, script

LIMIT = 40 * 1024  # KiB
# The allocator keeps some of what a large output needed; it keeps no more after ten times as much.
KEPT = 10 * 1024
# Records the memory of its parent, the agent, and prints the given output.
TOOL = """#!/bin/sh
sed -n 's/^VmRSS:[^0-9]*\\([0-9]*\\) kB$/\\1/p' /proc/$PPID/status >> {folder}/resident
cat {folder}/output
"""
PLAN = """
name = "memory"
rounds = {rounds}
[[targets]]
kind = "directory"
[[workloads]]
name = "first"
tool = "fsload"
file_sizes = ["1 MiB"]
record_sizes = ["4 KiB"]
[[workloads]]
name = "second"
tool = "fsload"
file_sizes = ["1 MiB"]
record_sizes = ["4 KiB"]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "target").mkdir()
    script(tmp_path / "fsload", TOOL.format(folder=tmp_path))
    return tmp_path


def output(lines: int) -> str:
    """The output of a long sweep, with some ten results per line."""
    golden = (Path(__file__).parents[1] / "formats" / "golden" / "fsload-threads.jsonl").read_text().splitlines()
    header, result = golden[0], next(json.loads(line) for line in golden[1:])
    results = (json.dumps({**result, "file_size": 65536 * number}) for number in range(1, lines + 1))
    end = {"type": "end", "results": lines, "failed": 0, "signal": None}
    return "\n".join([header, *results, json.dumps(end), ""])


def resident(folder: Path, rounds: int) -> list[int]:
    """Run the plan; returns the agent's memory at each start of the tool, in KiB."""
    (folder / "plan.toml").write_text(PLAN.format(rounds=rounds))
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(AGENTS),
        "BENCHAGENT_STATE": str(folder / "state"),
        "BENCHAGENT_FSLOAD": str(folder / "fsload"),
    }
    command = [sys.executable, "-m", "benchagent", "run", folder / "plan.toml", "--directory", folder / "target"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 4), done.stderr
    return [int(line) for line in (folder / "resident").read_text().split()]


def test_many_results_do_not_pile_up(folder: Path) -> None:
    (folder / "output").write_text(output(150))
    found = resident(folder, rounds=8)
    assert len(found) == 16
    assert max(found) < LIMIT, found


def test_a_tool_that_prints_very_much(folder: Path) -> None:
    (folder / "output").write_text("this is not a result, and there is no end of it\n" * 50_000)
    found = resident(folder, rounds=2)
    assert len(found) == 4
    assert max(found) - found[0] < KEPT, found
