"""The agent as a program: real runs of plans, documents that the server's contract accepts, nothing left behind."""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from benchagent import formats
from benchagent.formats.vocabulary import BONNIE_TESTS, IOZONE_TESTS
from benchagent.system.orphans import end_orphans, orphans
from benchagent.system.owned_directory import LOCK
from benchagent.targets import loop
from benchdb.ingest.contract import validate
from tests.agents.support.own_series import assert_work_over_time
from tests.agents.support.server import Say, serving
from tests.ingest.sent import SentRun, sent_run
from tests.support.signals import signalled
from tests.support.waiting import wait_until
from tests.texts import missing_in

AGENTS = Path(__file__).parents[3] / "agents"
iozone = pytest.mark.needs("iozone", package="iozone3")
cc = pytest.mark.needs("cc", package="gcc")
root = pytest.mark.needs("root", package=None)
loop_devices = pytest.mark.needs("loop devices", package=None)

WORKLOAD = """
[[workloads]]
tool = "iozone"
file_sizes = ["64 KiB", "256 KiB"]
record_sizes = ["4 KiB", "64 KiB"]
tests = ["write", "read"]
"""
DIRECTORY = '[[targets]]\nkind = "directory"\n'
IMAGE = '[[targets]]\nkind = "image"\nsize = "64 MiB"\nfile_system = ["ext2", "ext4"]\n'
# A run of a minute, to be stopped in the middle. Waiting children of iozone -t wake every 40 µs and preempt other
# processes: with 64 orphans, a starting Python got 0.5 s of processor time in 60 s. So there are only 16.
ENDLESS = """
[[workloads]]
name = "endless"
tool = "iozone"
file_sizes = ["48 MiB"]
record_sizes = ["4 KiB"]
threads = 16
"""


class Agent:
    """`benchagent` with a state directory of its own."""

    def __init__(self, directory: Path) -> None:
        self.state, self.directory = directory / "state", directory / "target"
        self.spool, self.work = self.state / "spool", self.state / "work"
        self.directory.mkdir()
        self.environment = {**os.environ, "PYTHONPATH": str(AGENTS), "BENCHAGENT_STATE": str(self.state)}
        for name in ("BENCHAGENT_SERVER", "BENCHAGENT_TOKEN", "BENCHAGENT_SPOOL"):
            self.environment.pop(name, None)

    def plan(self, text: str) -> str:
        path = self.state.parent / "plan.toml"
        path.write_text('name = "test"\n' + text)
        return str(path)

    def start(self, *arguments: str, **popen: Any) -> subprocess.Popen[str]:
        """Start the agent without waiting for it, so that the test can send it a signal."""
        return self._popen(arguments, signalled(self.environment), **popen)

    def _popen(self, arguments: Sequence[str], environment: dict[str, str], **popen: Any) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "benchagent", *arguments]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, text=True, **popen)

    def __call__(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        with self._popen(arguments, self.environment) as process:
            out, err = process.communicate(timeout=120)
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)

    def run(self, plan: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self("run", self.plan(plan), "--directory", str(self.directory), *arguments)

    def documents(self, state: str = "pending") -> dict[str, SentRun]:
        """The documents of the spool by point, checked by the server's contract."""
        paths = [path for path in (self.spool / state).iterdir() if ".answer." not in path.name]
        found = [sent_run(path.read_bytes()) for path in paths]
        return {each.campaign.point: each for each in found if each.campaign}


@pytest.fixture
def agent(tmp_path: Path) -> Agent:
    return Agent(tmp_path)


def events(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


def kinds(found: Sequence[dict[str, Any]]) -> list[str]:
    return [event["event"] for event in found]


@iozone
def test_a_directory_is_measured_and_left_as_it_was(agent: Agent) -> None:
    (agent.directory / "mine").touch()
    done = agent.run("rounds = 3\n" + DIRECTORY + WORKLOAD, "--label", "purpose=test", "--visibility", "unlisted")
    assert done.returncode == 0, done.stderr
    assert os.listdir(agent.directory) == ["mine"]
    [document] = agent.documents().values()
    assert document.campaign is not None
    assert (document.campaign.point, document.labels) == ("directory/iozone", {"plan": "test", "purpose": "test"})
    assert (document.visibility, document.target.kind) == ("unlisted", "directory")
    assert [round_.position for round_ in document.rounds] == [0, 1, 2]
    assert (document.protocol.prepare, document.protocol.order) == ("none", "rotated")
    assert document.workload.tool_version is not None
    assert document.workload.command[0] == "iozone"
    assert " left" in done.stderr


@iozone
def test_every_value_is_the_one_its_line_holds(agent: Agent) -> None:
    agent.run("rounds = 2\n" + DIRECTORY + WORKLOAD)
    [document] = agent.documents().values()
    texts = {artifact.name: artifact.data for artifact in document.artifacts}
    assert set(texts) == {"round-1/iozone.txt", "round-2/iozone.txt"}
    checked = 0
    for result in document.results:
        for value, name, number in zip(result.values, result.artifacts, result.lines, strict=bool(result.artifacts)):
            assert value is not None
            assert name is not None
            assert number is not None
            line = texts[name].splitlines()[number - 1]
            assert value / 1024 in [float(number) for number in re.findall(r"\d+", line)]
            checked += 1
    assert checked == 2 * 4 * 4  # rounds, tests, pairs of sizes: each file size has both record sizes
    again = formats.parse(texts["round-2/iozone.txt"])
    stored = {(r.test, r.file_size, r.record_size): r.values[1] for r in document.results if r.values and r.artifacts}
    assert stored == {(r.test, r.file_size, r.record_size): r.values[0] for r in again.results}


BONNIE = """
[[workloads]]
tool = "bonnie++"
files = 1024
"""
FSLOAD = """
[[workloads]]
tool = "fsload"
file_sizes = ["1 MiB"]
record_sizes = ["4 KiB", "64 KiB"]
"""


@pytest.mark.needs("bonnie++", package="bonnie++")
def test_bonnie_runs_and_is_read(agent: Agent) -> None:
    done = agent.run("rounds = 2\n" + DIRECTORY + BONNIE)
    assert done.returncode == 0, done.stderr
    document = agent.documents()["directory/bonnie++"]
    assert document.workload.tool_version is not None
    rates = {result.test: result for result in document.results if result.metric == "rate"}
    assert set(rates) == set(BONNIE_TESTS[6:])
    assert all(result.params["files"] == 1024 for result in rates.values())
    assert ",benchagent," in document.artifacts[0].data


PROFILE = """
num_filesystems=1
num_threadgroups=1
time=60
[filesystem0]
location=/mnt/ffsb
num_files=20
num_dirs=2
min_filesize=4096
max_filesize=16384
[end0]
[threadgroup0]
num_threads=2
read_weight=4
create_weight=1
read_size=4096
read_blocksize=4096
write_blocksize=4096
[end0]
"""
WML = """
define fileset name="small",path="/mnt/fb",entries=20,filesize=1k,prealloc
define process name="reader",instances=1 {
  thread name="reader",instances=2 {
    flowop openfile name="open",filesetname="small"
    flowop readwholefile name="read",filesetname="small"
    flowop closefile name="close"
  }
}
run 60
"""
COMMANDS = {
    "mix": ('profile = "profiles/small.ffsb"\nseconds = "0.1 s"', {"mix", "read", "create"}),
    "wml": ('file = "small.f"\nseconds = "2 s"', {"flowops", "openfile", "readwholefile", "closefile"}),
    "tree": ("levels = 1\ndirectories = 2\nfiles = 2", {"directory_create", "file_create"}),
    "metadata": ("files = 50\ndirectories = 50\ndata_files = 5\nsource_files = 20", {"file_walk", "source_stat"}),
    "bulk": ('total_size = "1 MiB"\nfile_size = "64 KiB"\nflush_multiple = 0', set()),
    "age": ('capacity = "16 MiB"\noverwrites = 1\nfullness = 0.5', {"age", "age_fill"}),
}


@pytest.fixture
def with_fsload(agent: Agent, program: Path) -> Agent:
    """The agent, with a fresh build of the engine."""
    agent.environment["BENCHAGENT_FSLOAD"] = str(program)
    return agent


@cc
def test_every_command_of_fsload_runs_and_is_read(with_fsload: Agent) -> None:
    agent, folder = with_fsload, with_fsload.state.parent
    (folder / "profiles").mkdir()
    (folder / "profiles" / "small.ffsb").write_text(PROFILE)
    (folder / "small.f").write_text(WML)
    workloads = "".join(
        f'[[workloads]]\nname = "{name}"\ntool = "fsload"\ncommand = "{name}"\n{parameters}\n'
        for name, (parameters, _) in COMMANDS.items()
    )
    done = agent.run("rounds = 2\n" + DIRECTORY + workloads)
    assert done.returncode == 0, done.stderr
    documents = agent.documents()
    assert {point.removeprefix("directory/") for point in documents} == set(COMMANDS)
    for name, (_, tests) in COMMANDS.items():
        document = documents[f"directory/{name}"]
        rates = {result.test: result.values for result in document.results if result.metric == "rate"}
        assert tests <= set(rates), name
        assert rates, name
        assert all(values is not None and len(values) == 2 for values in rates.values()), name
        assert document.extra == {}, name
    assert_work_over_time(documents["directory/wml"], "flowops")
    mix = documents["directory/mix"]
    assert mix.workload.parameters["profile_sha256"] == hashlib.sha256(PROFILE.encode()).hexdigest()
    assert mix.workload.command[:3] == ["fsload", "mix", "profiles/small.ffsb"]
    texts = {artifact.name: artifact.data for artifact in mix.artifacts}
    assert texts["files/profiles/small.ffsb"] == PROFILE
    assert '"fsload","mix","profiles/small.ffsb"' in texts["round-2/fsload.jsonl"]
    assert os.listdir(agent.work) == [LOCK]


def test_a_profile_that_is_not_there_is_a_fault_of_the_plan(agent: Agent) -> None:
    done = agent.run(DIRECTORY + '[[workloads]]\ntool = "fsload"\ncommand = "mix"\nprofile = "none.ffsb"\n')
    assert done.returncode == 3
    assert "profile: cannot read none.ffsb: No such file or directory" in done.stderr


@cc
def test_fsload_runs_and_is_read(with_fsload: Agent) -> None:
    agent = with_fsload
    done = agent.run("rounds = 2\n" + DIRECTORY + FSLOAD)
    assert done.returncode == 0, done.stderr
    document = agent.documents()["directory/fsload"]
    throughput = [result for result in document.results if result.metric == "throughput"]
    assert {(result.test, result.record_size) for result in throughput} == {
        (test, size) for test in IOZONE_TESTS for size in (4096, 65536)
    }
    assert all(result.values is not None and None not in result.values for result in throughput)
    assert document.workload.clock_resolution is not None
    assert [artifact.name for artifact in document.artifacts] == ["round-1/fsload.jsonl", "round-2/fsload.jsonl"]


@iozone
@root
@loop_devices
def test_images_are_prepared_anew_each_round_and_timed(agent: Agent) -> None:
    done = agent.run("rounds = 2\n" + IMAGE + WORKLOAD, "--json")
    assert done.returncode == 0, done.stderr
    all_events = events(done.stdout)
    order = [(event["round"], event["point"]) for event in all_events if event["event"] == "point_finished"]
    on_ext2, on_ext4 = ["ext2/mkfs", "ext2/iozone"], ["ext4/mkfs", "ext4/iozone"]
    rounds = {"1": [*on_ext2, *on_ext4], "2": [*on_ext4, *on_ext2]}
    assert order == [(number, point) for number, points in rounds.items() for point in points]
    assert kinds(all_events)[0] == "events"
    assert kinds(all_events)[-1] == "finished"
    documents = agent.documents()
    assert sorted(documents) == sorted([*on_ext2, *on_ext4])
    timed = documents["ext4/mkfs"]
    assert {(r.test, r.metric) for r in timed.results} == {
        (test, metric) for test in ("mkfs", "mount") for metric in ("elapsed", "user_time", "system_time")
    }
    assert all(r.values is not None and len(r.values) == 2 and r.unit == "s" for r in timed.results)
    for document in documents.values():
        assert (document.target.kind, document.target.mount.point, document.protocol.prepare) == ("image", None, "mkfs")
    assert documents["ext4/iozone"].target == timed.target
    assert documents["ext2/iozone"].target.file_system.mkfs_command == ["mkfs.ext2", "-F"]
    assert os.listdir(agent.work) == [LOCK]
    evidence = documents["ext4/iozone"].rounds[0].evidence
    assert evidence is not None
    assert evidence.device_write_bytes is not None


@iozone
@root
@loop_devices
def test_the_same_settings_give_the_same_target(agent: Agent) -> None:
    agent.run("rounds = 1\n" + IMAGE + WORKLOAD)
    first = agent.documents()["ext4/iozone"]
    for path in (agent.spool / "pending").iterdir():
        path.unlink()
    agent.run("rounds = 1\n" + IMAGE + WORKLOAD, "--work-dir", str(agent.state / "elsewhere"))
    second = agent.documents()["ext4/iozone"]
    assert (first.target, first.workload) == (second.target, second.workload)
    assert first.environment == second.environment


@iozone
@root
@loop_devices
def test_a_failed_round_keeps_the_words_of_the_tool(agent: Agent) -> None:
    full = WORKLOAD.replace('"256 KiB"', '"128 MiB"')
    done = agent.run("rounds = 1\n" + IMAGE.replace('["ext2", "ext4"]', '"ext4"') + full)
    assert done.returncode == 4, done.stderr
    assert "1 of 2 points failed" in done.stderr
    document = agent.documents()["ext4/iozone"]
    assert [round_.status for round_ in document.rounds] == ["failed"]
    assert "No space left on device" in (document.rounds[0].error or "")
    assert all(result.status == "failed" and result.values == [None] for result in document.results)
    assert any("No space left" in artifact.data for artifact in document.artifacts)


@root
@loop_devices
def test_a_target_that_cannot_be_made_fails_with_its_words(agent: Agent) -> None:
    done = agent.run(
        "rounds = 2\n" + IMAGE.replace("file_system", 'mkfs_options = ["-O", "none_such"]\nfile_system') + WORKLOAD
    )
    assert done.returncode == 4
    for document in agent.documents().values():
        assert [round_.status for round_ in document.rounds] == ["failed", "failed"]
        assert "none_such" in (document.rounds[0].error or "")
        assert {result.status for result in document.results} == {"failed"}


@iozone
def test_a_tool_that_hangs_is_stopped_by_its_timeout(agent: Agent) -> None:
    assert agent.run("rounds = 1\n" + DIRECTORY + ENDLESS + 'timeout = "1 s"\n').returncode == 4
    [document] = agent.documents().values()
    assert "the workload's timeout" in (document.rounds[0].error or "")
    assert os.listdir(agent.directory) == []


@iozone
def test_a_missing_tool_is_skipped_with_its_package(agent: Agent) -> None:
    agent.environment["BENCHAGENT_FSLOAD"] = "/nonexistent"
    fsload = '[[workloads]]\ntool = "fsload"\nfile_sizes = ["1 MiB"]\nrecord_sizes = ["4 KiB"]\n'
    done = agent.run("rounds = 1\n" + DIRECTORY + fsload + WORKLOAD)
    assert done.returncode == 0
    why = "BENCHAGENT_FSLOAD names /nonexistent, which is not a program"
    assert not missing_in(done.stderr, f"Skipped directory/fsload: {why}.", "Points: 1 measured, 1 skipped.")
    assert list(agent.documents()) == ["directory/iozone"]
    only = agent.run("rounds = 1\n" + DIRECTORY + fsload)
    assert only.returncode == 10
    assert "Nothing was measured" in only.stderr


def wait_for(process: subprocess.Popen[str], sign: str) -> list[dict[str, Any]]:
    """Read events up to the first that contains `sign`."""
    assert process.stdout is not None
    seen = []
    for line in process.stdout:
        seen.append(json.loads(line))
        if sign in line:
            return seen
    raise AssertionError("the agent ended by itself")


@iozone
@root
@loop_devices
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_keeps_what_was_measured_and_leaves_nothing(agent: Agent, number: signal.Signals) -> None:
    plan = agent.plan("rounds = 1\n" + IMAGE.replace('"64 MiB"', '"1 GiB"') + WORKLOAD + ENDLESS)
    with agent.start("run", plan, "--json") as process:
        wait_for(process, '"ext2/endless"')
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert f"Stopped by {number.name}." in err
    assert kinds(events(out)) == ["stopped", "spooled", "spooled", "finished"]
    assert sorted(agent.documents()) == ["ext2/iozone", "ext2/mkfs"]
    wait_until(lambda: not loop.loops_under(agent.work))
    assert loop.mounts_under(agent.work) == []
    assert os.listdir(agent.work) == [LOCK]


@iozone
@root
@loop_devices
def test_after_kill_the_next_start_cleans_up_and_says_so(agent: Agent) -> None:
    endless = agent.plan("rounds = 1\n" + IMAGE.replace('"64 MiB"', '"1 GiB"') + ENDLESS)
    with agent.start("run", endless, "--json") as process:
        wait_for(process, '"ext2/endless"')
        wait_until(lambda: len(orphans(agent.work)) > 10)  # iozone and its children
        for tool in orphans(agent.work):  # otherwise they might end before the next agent looks
            with suppress(ProcessLookupError):
                os.kill(tool, signal.SIGSTOP)
        process.kill()
    assert loop.mounts_under(agent.work) != []
    try:
        done = agent.run("rounds = 1\n" + IMAGE + WORKLOAD)
    finally:
        assert end_orphans(agent.work) == []  # even after a failure, they must not slow down other tests
    assert done.returncode == 0, done.stderr
    assert not missing_in(
        done.stderr, "An earlier run was killed; ended process ", "An earlier run was killed; unmounted "
    )
    wait_until(lambda: not loop.loops_under(agent.work))
    assert os.listdir(agent.work) == [LOCK]


@iozone
def test_the_time_budget_ends_after_a_round(agent: Agent) -> None:
    assert agent.run('time_budget = "0.1 s"\nmin_rounds = 2\n' + DIRECTORY + WORKLOAD).returncode == 0
    [document] = agent.documents().values()
    assert len(document.rounds) == 2


@iozone
def test_a_warm_up_is_measured_and_discarded(agent: Agent) -> None:
    done = agent.run('rounds = 1\ncache = "warm"\n' + DIRECTORY + WORKLOAD)
    assert "round warm-up" in done.stderr
    [document] = agent.documents().values()
    assert (document.protocol.cache, document.protocol.warmup_discarded) == ("warm", 1)
    assert [each.position for each in document.rounds] == [1]


@iozone
@root
@loop_devices
def test_a_cold_cache_is_one_after_a_remount(agent: Agent) -> None:
    done = agent.run('rounds = 1\ncache = "cold"\n' + IMAGE.replace('["ext2", "ext4"]', '"ext4"') + WORKLOAD)
    assert done.returncode == 0, done.stderr
    assert agent.documents()["ext4/iozone"].protocol.cache == "cold"


@iozone
def test_nothing_private_gets_into_a_document(agent: Agent) -> None:
    agent.run("rounds = 1\n" + DIRECTORY + WORKLOAD)
    [path] = (agent.spool / "pending").iterdir()
    text = path.read_text()
    if (machine_id := Path("/etc/machine-id")).exists():
        assert machine_id.read_text().strip() not in text
    if len(socket.gethostname()) > 4:
        assert socket.gethostname() not in text


@iozone
def test_documents_go_to_the_server_and_the_run_ids_are_version_7(agent: Agent) -> None:
    (agent.state.parent / "token").write_text("secret\n")
    with serving(Say(201, {"url": "/runs/1", "state": "received"})) as server:
        token = str(agent.state.parent / "token")
        done = agent.run("rounds = 1\n" + DIRECTORY + WORKLOAD, "--server", server.url, "--token-file", token)
    assert done.returncode == 0, done.stderr
    assert "Uploaded directory/iozone: /runs/1 (received)" in done.stderr
    [request] = server.received
    document = validate(request.document).frame
    assert request.path == f"/api/v1/runs/{document.run_id}"
    assert isinstance(document.run_id, UUID)
    assert document.run_id.version == 7
    assert list(agent.documents("sent")) == ["directory/iozone"]


@iozone
def test_the_agent_stays_small(agent: Agent) -> None:
    """While a tool runs, the agent must not use memory that the tool needs for its caches."""
    plan = agent.plan("rounds = 1\n" + DIRECTORY + WORKLOAD + ENDLESS)
    with agent.start("run", plan, "--directory", str(agent.directory), "--json") as process:
        wait_for(process, '"directory/endless"')
        status = Path(f"/proc/{process.pid}/status").read_text()
        process.terminate()
        process.communicate(timeout=60)
    [peak] = re.findall(r"VmHWM:\s+(\d+) kB", status)
    assert int(peak) < 40 * 1024
