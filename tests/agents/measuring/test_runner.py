"""Failing runs: crashes, lack of memory, errors of the machine; every point is accounted for."""

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.agents.measuring.test_evidence import FSLOAD
from tests.agents.measuring.test_run import DIRECTORY, Agent, agent, events, iozone, wait_for
from tests.agents.targets.test_prepare import loop_devices, root
from tests.ingest.sent import SentRun

__all__ = ["agent"]  # a fixture
WORKLOAD = '[[workloads]]\ntool = "fsload"\nfile_sizes = ["64 KiB"]\nrecord_sizes = ["4 KiB"]\n'
IMAGE = '[[targets]]\nkind = "image"\nsize = "400 MiB"\nfile_system = "ext4"\n'


def tool(agent: Agent, script: str) -> None:
    """A program that replaces fsload."""
    path = agent.state.parent / "tool"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    agent.environment["BENCHAGENT_FSLOAD"] = str(path)


def only(agent: Agent) -> SentRun:
    [document] = agent.documents().values()
    return document


def test_a_tool_that_crashes_fails_its_rounds_with_the_signal(agent: Agent) -> None:
    tool(agent, "touch left; echo half >&2; kill -SEGV $$")
    done = agent.run("rounds = 2\n" + DIRECTORY + WORKLOAD)
    assert done.returncode == 4
    document = only(agent)
    assert [round_.error for round_ in document.rounds] == ["half (SIGSEGV)"] * 2
    assert {result.status for result in document.results} == {"failed"}
    assert document.protocol.ended_by == "rounds"
    assert os.listdir(agent.directory) == []
    assert "Points: 1 failed." in done.stderr


def test_output_that_cannot_be_read_fails_the_round_and_is_kept(agent: Agent) -> None:
    tool(agent, "echo nonsense")
    assert agent.run("rounds = 1\n" + DIRECTORY + WORKLOAD).returncode == 4
    document = only(agent)
    assert "could not be read" in (document.rounds[0].error or "")
    assert [each.data for each in document.artifacts] == ["nonsense\n"]


@root
def test_what_the_kernel_reports_meanwhile_marks_the_round(agent: Agent) -> None:
    """The kernel reports an error in the second of two rounds, which is also sampled, because it takes a second."""
    output = agent.state.parent / "output"
    output.write_text(FSLOAD.replace("DEVICE", "null"))
    second = agent.state.parent / "second"
    say = 'echo "Buffer I/O error on dev sdz, logical block 5" > /dev/kmsg'
    tool(agent, f"[ -e {second} ] && {say} && sleep 1.2\ntouch {second}\ncat {output}")
    done = agent.run("rounds = 2\n" + DIRECTORY + WORKLOAD)
    assert done.returncode == 0, done.stderr
    assert {series.round for series in only(agent).series} == {1}  # the other round was too short
    first, second_ = (round_.evidence for round_ in only(agent).rounds)
    assert first is not None
    assert second_ is not None
    message = "Buffer I/O error on dev sdz, logical block 5"
    assert message not in first.kernel_messages
    assert message in second_.kernel_messages
    assert second_.disturbances["io_error"] >= 1
    assert isinstance(second_.noise["load_before"], float)
    assert second_.voluntary_context_switches is not None


@iozone
@root
@loop_devices
def test_want_of_memory_is_told_as_such(agent: Agent, in_memory: Path) -> None:
    """Sixteen processes use 16 MiB each with a limit of 32 MiB."""
    many = '[[workloads]]\ntool = "iozone"\nfile_sizes = ["16 MiB"]\nrecord_sizes = ["16 MiB"]\ntests = ["write"]\n'
    plan = 'rounds = 1\nmemory = "32 MiB"\n' + IMAGE + many + 'threads = 16\ntimeout = "60 s"\n'
    done = agent.run(plan, "--work-dir", str(in_memory / "work"))
    assert done.returncode == 4, done.stderr
    [failed] = agent.documents()["ext4/iozone"].rounds
    assert (failed.error or "").startswith("out of memory: the kernel killed ")
    assert failed.evidence is not None
    assert failed.evidence.disturbances["oom_kill"] >= 1
    messages = failed.evidence.kernel_messages
    assert not any(re.match(r"\[ *\d+\] ", line) for line in messages)  # the list of all programs


@pytest.fixture
def small(in_memory: Path) -> Iterator[Path]:
    """A file system of 48 MiB."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=48m", "none", str(in_memory)], check=True)
    yield in_memory
    subprocess.run(["umount", str(in_memory)], check=True)


@iozone
@root
@loop_devices
def test_a_disk_that_fills_up_under_a_sparse_image_fails_the_round(agent: Agent, small: Path) -> None:
    """The tool writes into the page cache and continues; only the kernel reports the error."""
    much = '[[workloads]]\ntool = "iozone"\nfile_sizes = ["128 MiB"]\nrecord_sizes = ["1 MiB"]\ntests = ["write"]\n'
    done = agent.run("rounds = 1\n" + IMAGE + much + "fsync = true\n", "--work-dir", str(small / "work"))
    assert done.returncode == 4, done.stderr
    [failed] = agent.documents()["ext4/iozone"].rounds
    assert failed.status == "failed"
    assert failed.evidence is not None
    assert failed.evidence.disturbances["io_error"] >= 1


@root
@loop_devices
def test_a_target_that_somebody_unmounted_fails_the_round(agent: Agent) -> None:
    """After that, the mount point is a directory of another file system."""
    output = agent.state.parent / "output"
    output.write_text(FSLOAD.replace("DEVICE", "null"))
    tool(agent, f'umount --lazy "$PWD"; cat {output}')
    done = agent.run("rounds = 1\n" + IMAGE + WORKLOAD)
    assert done.returncode == 4, done.stderr
    [failed] = agent.documents()["ext4/fsload"].rounds
    assert failed.error == "the target was unmounted during the round, so the measured file system is unknown"


def test_output_without_its_end_fails_the_round(agent: Agent) -> None:
    tool(agent, "echo '" + FSLOAD.replace("DEVICE", "null").replace('{"type":"end"}\n', "") + "'")
    assert agent.run("rounds = 1\n" + DIRECTORY + WORKLOAD).returncode == 4
    assert only(agent).rounds[0].error == "its output is not complete, although its exit code is 0"


def named(name: str, text: str) -> str:
    return text.replace("[[workloads]]\n", f'[[workloads]]\nname = "{name}"\n')


def finished(found: list[dict[str, Any]]) -> dict[str, int]:
    [event] = [each for each in found if each["event"] == "finished"]
    return {key: event[key] for key in ("measured", "failed", "skipped", "missing")}


def test_every_point_is_accounted_for(agent: Agent) -> None:
    """One is measured, one fails in the second round, one is skipped."""
    output, second = agent.state.parent / "output", agent.state.parent / "second"
    output.write_text(FSLOAD.replace("DEVICE", "null"))
    tool(agent, f"case $* in *131072*) [ -e {second} ] && exit 9; touch {second};; esac\ncat {output}")
    failing = named("failing", WORKLOAD.replace("64 KiB", "128 KiB"))
    skipped = named("skipped", '[[workloads]]\ntool = "maintenance"\n')
    done = agent.run("rounds = 2\n" + DIRECTORY + WORKLOAD + failing + skipped, "--json")
    assert done.returncode == 4
    assert finished(events(done.stdout)) == {"measured": 1, "failed": 1, "skipped": 1, "missing": 0}
    documents = agent.documents()
    assert set(documents) == {"directory/fsload", "directory/failing"}
    assert [round_.status for round_ in documents["directory/failing"].rounds] == ["ok", "failed"]
    [why] = [event["why"] for event in events(done.stdout) if event["event"] == "skipped"]
    assert "maintenance tests need an image or a device" in why


def test_points_that_a_signal_kept_from_being_measured_are_missing(agent: Agent) -> None:
    output = agent.state.parent / "output"
    output.write_text(FSLOAD.replace("DEVICE", "null"))
    tool(agent, f"case $* in *131072*) exec sleep 60;; esac\ncat {output}")
    endless = named("endless", WORKLOAD.replace("64 KiB", "128 KiB"))
    plan = agent.plan("rounds = 2\n" + DIRECTORY + WORKLOAD + endless)
    with agent.start("run", plan, "--directory", str(agent.directory), "--json") as process:
        wait_for(process, '"directory/endless"')
        process.terminate()
        out, _ = process.communicate(timeout=60)
    assert finished(events(out)) == {"measured": 1, "failed": 0, "skipped": 0, "missing": 1}
    document = only(agent)
    assert (len(document.rounds), document.protocol.ended_by) == (1, "stopped")


@pytest.mark.parametrize("rounds", ["rounds = 2", 'time_budget = "0.01 s"\nmin_rounds = 2'])
def test_a_document_says_what_ended_its_rounds(agent: Agent, rounds: str) -> None:
    output = agent.state.parent / "output"
    output.write_text(FSLOAD.replace("DEVICE", "null"))
    tool(agent, f"cat {output}")
    agent.run(rounds + "\n" + DIRECTORY + WORKLOAD)
    document = only(agent)
    assert len(document.rounds) == 2
    assert (document.protocol.ended_by, document.protocol.precision) == (rounds.split()[0], None)
