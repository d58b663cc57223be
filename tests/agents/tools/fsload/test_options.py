"""The agent's tables of fsload's commands compared with the help of the real program."""

import re
import subprocess
from pathlib import Path

import pytest

from benchagent.errors import PlanError
from benchagent.plan.reading import load
from benchagent.tools.fsload.options import COMMANDS, COMMON

OF_THE_AGENT = {"directory", "repetitions", "seed", "min_free"}  # set by the agent, or left at the default
NOT_IN_PLANS = {"keep", "cold"}  # the agent decides about files left behind and about caches

pytestmark = [pytest.mark.needs("cc", package="gcc"), pytest.mark.needs("make", package="make")]


def said(program: Path, *words: str) -> str:
    return subprocess.run([program, *words, "--help"], check=True, capture_output=True, text=True).stdout


def options(text: str) -> set[str]:
    """The options in a help text, as parameters."""
    return {name.replace("-", "_") for name in re.findall(r"^  --([a-z-]+)", text, re.MULTILINE)} - {"version", "help"}


def test_the_commands_are_those_of_the_program(program: Path) -> None:
    listed = said(program).partition("Options of every command:")[0]
    assert set(re.findall(r"^  ([a-z]+) ", listed, re.MULTILINE)) == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_each_option_is_a_parameter(program: Path, name: str) -> None:
    command = COMMANDS[name]
    expected = {*command.parameters, *COMMON, *OF_THE_AGENT} - {command.argument}
    assert options(said(program, name)) - NOT_IN_PLANS == expected


SWEEP = """name = "p"
[[targets]]
kind = "directory"
[[workloads]]
tool = "fsload"
file_sizes = ["1 MiB"]
record_sizes = ["4 KiB"]
"""


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        ("depth = 4", "engine = 'io_uring' beside it"),
        ("registered = true", "engine = 'io_uring' beside it"),
        ("engine = 'io_uring'\ndepth = 4\nbatch = 5", "at most the depth, 4"),
        ("engine = 'io_uring'\nmethod = 'mmap'", "read_write beside engine = 'io_uring'"),
        ("engine = 'io_uring'\ntests = ['read', 'fread']", "no fread with io_uring"),
        ("arrivals = 'poisson'", "a rate beside it"),
        ("seconds = 5", "a rate or engine = 'io_uring' beside it"),
        ("rate = 5\nmethod = 'mmap'", "a method with calls"),
        ("rate = 0.5", "less than the timeout"),
    ],
)
def test_parameters_that_do_not_fit_together_are_faults_of_the_plan(lines: str, fault: str) -> None:
    with pytest.raises(PlanError, match=re.escape(fault)):
        load(f"{SWEEP}{lines}\n")
