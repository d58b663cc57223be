"""`benchagent gate` against a running server: verdicts, exit codes, reports, and everything that can go wrong."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest

from benchagent.client import Server as Client
from benchdb.embedded.config import PROJECT
from tests.support.signals import signalled
from tests.system.server import Server

pytestmark = pytest.mark.needs("iozone", package="iozone3")
PATIENCE = 240
BUDGET = 'name = "gate"\nrounds = 16\nmin_rounds = 4\nmargin = "20 %"\n'
WORKLOAD = """
[[workloads]]
tool = "iozone"
file_sizes = ["256 KiB"]
record_sizes = ["64 KiB"]
tests = ["write", "read"]
"""
DIRECTORY = '[[targets]]\nkind = "directory"\n'
IMAGE = '[[targets]]\nkind = "image"\nsize = "32 MiB"\nfile_system = "ext4"\n'
ALIKE = "[sides.old]\n[sides.new]\n"


class Gate:
    """The command with a state directory, a token and a directory of its own."""

    def __init__(self, server: Server, base: Path, secret: str) -> None:
        self.base, self.directory = base, base / "target"
        self.directory.mkdir()
        self.junit, self.summary = base / "junit.xml", base / "summary.md"
        self.environment = {
            **os.environ,
            "PYTHONPATH": str(PROJECT / "agents"),
            "BENCHAGENT_STATE": str(base / "state"),
            "BENCHAGENT_SERVER": server.url,
            "BENCHAGENT_TOKEN": secret,
            "GITHUB_STEP_SUMMARY": str(self.summary),
        }

    def command(self, plan: str, *options: str, name: str = "gate.toml") -> list[str]:
        path = self.base / name
        path.write_text(plan)
        command = [sys.executable, "-m", "benchagent", "gate", str(path), "--json", "--junit", str(self.junit)]
        return [*command, "--directory", str(self.directory), *options]

    def __call__(self, plan: str, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(plan, *options),
            env={**self.environment, **environment},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def cases(self) -> dict[str, str]:
        """What JUnit says of each test."""
        suite = Xml.fromstring(self.junit.read_bytes())[0]
        return {str(case.get("name")): case[0].tag for case in suite.iter("testcase")}


@pytest.fixture(scope="module")
def token(server: Server) -> str:
    scopes = ("--scope", "upload", "--scope", "read")
    return server.manage("token", "gwen", "--create-owner", *scopes, "--visibility", "public")


@pytest.fixture
def gate(server: Server, tmp_path: Path, token: str) -> Gate:
    return Gate(server, tmp_path, token)


def events(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


def looks(output: str) -> list[int]:
    return [event["rounds"] for event in events(output) if event["event"] == "looked"]


def judged(output: str) -> dict[str, Any]:
    [found] = [event for event in events(output) if event["event"] == "judged"]
    return found


def tool(path: Path, script: str) -> str:
    """An iozone of one side."""
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o700)
    return f'programs = {{iozone = "{path}"}}\n'


@pytest.mark.needs("root", package=None)
@pytest.mark.needs("loop devices", package=None)
def test_slower_mount_options_are_found_and_shared(server: Server, gate: Gate, token: str) -> None:
    slower = BUDGET + IMAGE + WORKLOAD + '[sides.old]\n[sides.new]\nmount_options = ["sync"]\n'

    done = gate(slower)

    assert done.returncode == 19, done.stderr
    assert "new is worse than old in" in done.stderr
    assert gate.cases()["write, 256 KiB file, 64 KiB records"] == "failure"
    link = judged(done.stdout)["url"]
    assert f"]({link})" in gate.summary.read_text()
    assert gate.summary.read_text().startswith("### gate: worse\n")
    table = Client(server.url).table(link)
    assert table.baseline == "old"
    writes = [cell for cell in table.cells if cell.column == "Write" and cell.row == "new"]
    assert [cell.verdict for cell in writes] == ["worse"]


def test_equal_sides_are_never_worse(gate: Gate) -> None:
    done = gate(BUDGET.replace("20 %", "90 %") + DIRECTORY + WORKLOAD + ALIKE, "--allow-undecided")

    assert done.returncode == 0, done.stderr
    assert judged(done.stdout)["outcome"] in ("passed", "out of budget")
    assert set(looks(done.stdout)) <= {4, 8, 12, 16}
    assert set(gate.cases().values()) <= {"system-out", "skipped"}


def test_budget_for_one_look_leaves_tests_undecided(gate: Gate) -> None:
    plan = BUDGET.replace("20 %", "0.1 %") + "time_budget = 0.05\n" + DIRECTORY + WORKLOAD + ALIKE

    done = gate(plan)

    assert done.returncode == 21, done.stderr
    assert looks(done.stdout) == [4]
    assert "4 rounds cannot show a difference" in gate.summary.read_text()


def test_failing_side_and_missing_tool(gate: Gate) -> None:
    counter = gate.base / "count"
    failing = tool(
        gate.base / "iozone",
        f'echo >> {counter}; [ $(wc -l < {counter}) -lt 3 ] || {{ echo "no luck" >&2; exit 9; }}; exec iozone "$@"',
    )
    done = gate(BUDGET + DIRECTORY + WORKLOAD + f"[sides.old]\n[sides.new]\n{failing}")
    assert done.returncode == 20, done.stderr
    assert gate.cases()["new runs"] == "error"
    assert "no luck" in gate.summary.read_text()

    done = gate(BUDGET + DIRECTORY + WORKLOAD + '[sides.old]\n[sides.new]\nprograms = {iozone = "/none/iozone"}\n')
    assert done.returncode == 20, done.stderr
    assert "/none/iozone, is not an executable file" in gate.summary.read_text().replace("\\", "")
    assert sum(event["event"] == "round_finished" for event in events(done.stdout)) == 1


def until(process: subprocess.Popen[str], kind: str, times: int = 1) -> None:
    """Read events until one of this kind came so often."""
    assert process.stdout is not None
    for line in process.stdout:
        times -= json.loads(line)["event"] == kind
        if times == 0:
            return
    pytest.fail(f"no {kind}: {process.stderr.read() if process.stderr else ''}")


def started(gate: Gate, plan: str) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    return subprocess.Popen(gate.command(plan), env=signalled(gate.environment), stdout=pipe, stderr=pipe, text=True)


LONG = BUDGET.replace("20 %", "0.1 %").replace("16", "80") + DIRECTORY + WORKLOAD + ALIKE  # the most with 4 a look


def test_interrupt_keeps_the_rounds_and_reports_them(gate: Gate) -> None:
    with started(gate, LONG) as process:
        until(process, "looked")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)

    assert process.returncode == 130
    assert gate.summary.read_text().startswith("### gate: stopped\n")
    assert len(list((gate.base / "state" / "spool" / "pending").glob("*.json"))) == 2


def test_killed_gate_leaves_its_rounds_to_the_next_one(gate: Gate) -> None:
    with started(gate, LONG) as process:
        until(process, "round_finished", 2)
        process.kill()
        process.communicate(timeout=PATIENCE)

    done = gate("time_budget = 0.05\n" + LONG, "--allow-undecided")

    kinds = [event["event"] for event in events(done.stdout)]
    assert done.returncode == 0, done.stderr
    assert kinds.count("campaign_killed") == 1
    assert kinds.count("uploaded") == 4


def test_two_gates_at_once_do_not_disturb_each_other(gate: Gate) -> None:
    with started(gate, LONG) as process:
        until(process, "round_finished")
        second = gate(LONG)
        process.kill()
        process.communicate(timeout=PATIENCE)

    assert second.returncode == 5
    assert "another" in second.stderr


def test_refused_before_anything_is_measured(server: Server, gate: Gate) -> None:
    uploads_only = server.manage("token", "gwen", "--create-owner", "--scope", "upload")
    no_sides = 'name = "gate"\n' + DIRECTORY + WORKLOAD
    for plan, environment, code, words in (
        (LONG, {"BENCHAGENT_TOKEN": uploads_only}, 2, "The token lacks the scope read."),
        (no_sides, {}, 3, "expected two tables, [sides.OLD] and [sides.NEW]"),
        (LONG + "colour = 1\n[sides.third]\n", {}, 3, "sides.new.colour is 1; expected one of"),
    ):
        done = gate(plan, **environment)

        assert (done.returncode, words in done.stderr) == (code, True), done.stderr
        assert "point_started" not in done.stdout
