"""`manage.py demo`, as run by `make demo`, with a plan that takes seconds."""

import os
import re
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchdb.embedded.config import PROJECT
from tests.support.signals import signalled

PLAN = """
name = "small"
rounds = 2

[[targets]]
kind = "directory"

[[workloads]]
tool = "fsload"
file_sizes = ["64 KiB", "256 KiB"]
record_sizes = ["4 KiB", "64 KiB"]
"""
ENDLESS = PLAN.replace("rounds = 2", "rounds = 100000")
MEASURED = ["a comparison", "a permalink to it", "a run", "a published article"]
RECORDED = ["the end of the page cache", "a trend with a change", "latencies", "response curves"]

pytestmark = pytest.mark.needs("cc", package="gcc")


@dataclass(frozen=True)
class FirstDemo:
    """A demo that measured and ended: its var directory, the directory that it measured, and what it printed."""

    var: Path
    files: Path
    output: str


def demo(var: Path, plan: str, *arguments: str) -> subprocess.Popen[str]:
    """Start the demo in a session of its own, on a free port."""
    file = var.parent / "plan.toml"
    file.write_text(plan)
    services = {"DATABASE_URL", "REDIS_URL", "BENCHDB_VAR"}
    given = os.environ if "--once" in arguments else signalled()  # without --once it runs until a signal
    environment = {name: value for name, value in given.items() if name not in services}
    return subprocess.Popen(
        [sys.executable, "manage.py", "demo", "--port", "0", "--idle", "0", "--plan", str(file), *arguments],
        cwd=PROJECT,
        env={**environment, "BENCHDB_VAR": str(var), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def running(var: Path) -> list[str]:
    """The command lines of processes whose environment or command line contains the var directory."""
    commands = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            text = process.joinpath("environ").read_bytes() + process.joinpath("cmdline").read_bytes()
            state = process.joinpath("stat").read_text().rpartition(")")[2].split()[0]
        except OSError:  # the process ended
            continue
        if str(var).encode() in text and state != "Z":
            commands.append(process.joinpath("cmdline").read_bytes().decode().replace("\0", " "))
    return commands


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> FirstDemo:
    """The first demo in a var directory. Further ones start sooner, because the database is there."""
    folder = tmp_path_factory.mktemp("demo")
    var, files = folder / "var", folder / "measure 'here'"
    files.mkdir()
    process = demo(var, PLAN, "--once", "--directory", str(files))
    output = process.communicate(timeout=300)[0]
    assert process.returncode == 0, output
    return FirstDemo(var, files, output)


def test_measures_stores_and_shows(first: FirstDemo) -> None:
    output = first.output
    assert re.findall(r"^    (.+?): +http://127\.0\.0\.1:\d+/\S+$", output, re.MULTILINE) == MEASURED + RECORDED
    assert "INFO" not in output
    assert len(output.splitlines()) < 30, output
    assert re.search(r"^Measured in \d+(\.\d+)? s$", output, re.MULTILINE)
    password = (first.var / "demo" / "password").read_text()
    assert re.search(rf"^Sign in at http://127\.0\.0\.1:\d+/login/ as demo, password {password}$", output, re.MULTILINE)
    assert running(first.var) == []
    assert (first.var / "postgres" / "PG_VERSION").exists()
    assert list(first.files.iterdir()) == []


def test_a_second_demo_keeps_the_runs_of_the_first(first: FirstDemo) -> None:
    sent = first.var / "demo" / "spool" / "sent"
    before = set(sent.glob("*.answer.json"))
    process = demo(first.var, PLAN, "--once", "--directory", str(first.files))
    output = process.communicate(timeout=300)[0]
    assert process.returncode == 0, output
    assert "Measured now (1 run):" in output
    assert before < set(sent.glob("*.answer.json"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_it_measures_leaves_nothing_running(first: FirstDemo, number: int) -> None:
    process = demo(first.var, ENDLESS, "--directory", str(first.files))
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("Round 1 "):
            break
    if number == signal.SIGINT:
        os.killpg(process.pid, number)  # a terminal also signals the agent
    else:
        process.send_signal(number)
    output = process.communicate(timeout=120)[0]

    assert process.returncode in (0, 128 + number), output
    assert running(first.var) == []
    assert list(first.files.iterdir()) == []


def test_a_directory_that_is_not_there_starts_nothing(tmp_path: Path) -> None:
    process = demo(tmp_path / "var", PLAN, "--once", "--directory", str(tmp_path / "nowhere"))
    output = process.communicate(timeout=60)[0]

    assert process.returncode != 0
    assert "is not a directory" in output
    assert not (tmp_path / "var" / "postgres").exists()
