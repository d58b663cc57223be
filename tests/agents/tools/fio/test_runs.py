"""fio as the agent runs it: real runs on a real file system, and everything that can go wrong with them."""

import os
import shutil
from pathlib import Path

import pytest

from benchagent.formats.packing.series import unpacked
from benchagent.formats.sampled import MOST_POINTS
from tests.agents.measuring.test_run import DIRECTORY, Agent, agent
from tests.agents.targets.test_prepare import loop_devices, root
from tests.ingest.sent import SentRun

__all__ = ["agent"]  # a fixture
pytestmark = pytest.mark.needs("fio", package="fio")
IMAGE = '[[targets]]\nkind = "image"\nsize = "64 MiB"\nfile_system = "ext4"\n'
TESTS = """
[[workloads]]
tool = "fio"
tests = ["write", "random_read", "random_mixed"]
file_size = "1 MiB"
threads = 2
engine = "libaio"
read_percent = 75
fsync = true
[workloads.vary]
depth = [1, 4]
"""
OVER_TIME = """
[[workloads]]
name = "over_time"
tool = "fio"
tests = ["write", "random_mixed"]
file_size = "1 MiB"
threads = 2
rate = 100
seconds = "2.6 s"
"""
WHOLE = ("run", "elapsed")
STEADY = """
[[workloads]]
name = "steady"
tool = "fio"
tests = ["random_read"]
file_size = "1 MiB"
rate = 100
seconds = "60 s"
steady_state = true
"""
JOBS = """
[global]
size=1m
[<b>log</b>]
rw=write
fdatasync=4
write_bw_log=log
filename=log
[tables]
stonewall
rw=randrw
bs=8k
ioengine=libaio
iodepth=4
direct=1
"""
LOGGED = """
[global]
size=1m
rate_iops=100
time_based
runtime=3300ms
log_avg_msec=400
[first]
rw=write
write_bw_log=bandwidth
[second]
stonewall
rw=randread
write_lat_log
"""
SYNTAX = "[a]\nrw=read\nsize=1m\nno_such_option=1\n"
FULL = "[a]\nrw=write\nsize=512m\n"
ENDLESS = "[a]\nrw=write\nsize=1m\ntime_based\nruntime=60\n"
# fio's own process is the parent of the one that runs the command.
KILLED = "[a]\nrw=write\nsize=1m\nexec_prerun=kill -9 $(cut -d' ' -f4 /proc/$PPID/stat)\n"


def jobs(name: str, text: str, timeout: str = "60 s") -> str:
    return f"[[workloads]]\nname = \"{name}\"\ntool = \"fio\"\ntimeout = \"{timeout}\"\njobs = '''\n{text}'''\n"


def params(document: SentRun, test: str, metric: str = "throughput") -> list[dict[str, object]]:
    return [dict(each.params) for each in document.results if (each.test, each.metric) == (test, metric)]


@root
@loop_devices
def test_tests_and_job_files_on_a_loop_device(agent: Agent) -> None:
    broken = jobs("syntax", SYNTAX) + jobs("full", FULL) + jobs("endless", ENDLESS, "1 s") + jobs("killed", KILLED)
    good = TESTS + OVER_TIME + STEADY + jobs("jobs", JOBS) + jobs("logged", LOGGED)
    done = agent.run("rounds = 1\n" + IMAGE + good + broken)
    assert done.returncode == 4, done.stderr
    documents = agent.documents()

    deep = documents["ext4/fio-depth-4"]
    common = {"engine": "libaio", "depth": 4, "fsync": True}
    mixed = {**common, "rw": "randrw", "read_percent": 75}
    own = [each for each in params(deep, "random_read") if "view" not in each]
    assert own == [common, mixed]
    assert common in params(deep, "write")
    assert {(each.file_size, each.record_size, each.threads) for each in deep.results if each.test != "run"} == {
        (1024**2, 4096, 2)
    }
    assert [each.name for each in deep.artifacts] == ["round-1/fio.json"]
    assert deep.workload.tool_version

    over_time = documents["ext4/over_time"]
    own = {(each.test, each.name): each for each in over_time.series if each.source == "fio"}
    assert set(own) == {(test, name) for test in ("write", "random_mixed") for name in ("operations", "bytes")}
    for (test, name), series in own.items():
        points = unpacked(series.packed, MOST_POINTS)
        clones, directions, size = 2, 1 + (test == "random_mixed"), 4096 if name == "bytes" else 1
        assert points[-1] == pytest.approx(clones * directions * 100 * size * series.step * len(points), rel=0.25)
    assert 0 < own["write", "bytes"].start < own["random_mixed", "bytes"].start

    [found] = [each for each in documents["ext4/steady"].results if each.test == "steady_state"]
    assert found.values[0] is not None
    [[elapsed]] = [each.values for each in documents["ext4/steady"].results if (each.test, each.metric) == WHOLE]
    assert 7 <= found.values[0] < elapsed < 60
    assert (found.metric, found.file_size, found.threads, found.artifacts) == ("elapsed", 1024**2, 1, [])
    assert dict(found.params).items() >= {"during": "random_read", "rate": 100, "steady_state": True}.items()

    logged = {(each.test, each.name): each for each in documents["ext4/logged"].series if each.source == "fio"}
    assert set(logged) == {("write", "bytes"), ("random_read", "latency_mean")}
    written = unpacked(logged["write", "bytes"].packed, MOST_POINTS)
    # At a slow moment fio logs two steps as one.
    assert written[-1] / (100 * 4096 * 0.4) == pytest.approx(len(written), abs=2)
    assert logged["random_read", "latency_mean"].start == pytest.approx(logged["write", "bytes"].start + 3.3, abs=0.5)
    assert os.listdir(agent.directory) == []

    database = documents["ext4/jobs"]
    digest = str(database.workload.parameters["job_file_sha256"])[:8]
    assert database.workload.command[-1] == f"jobs-{digest}.fio"
    assert {artifact.name: artifact.data for artifact in database.artifacts}[f"files/jobs-{digest}.fio"] == JOBS
    assert {"job": "log", "job_file": digest} in params(database, "write"), "markup is taken out of texts that are read"
    assert {"job": "tables", "job_file": digest, "rw": "randrw"} in params(database, "random_write")
    assert params(database, "sync", "latency_mean")

    errors = {name: documents[f"ext4/{name}"].rounds[0].error or "" for name in ("syntax", "full", "endless", "killed")}
    assert "no_such_option" in errors["syntax"]
    assert "No space left on device" in errors["full"]
    assert errors["endless"].startswith("stopped after 1 s, the workload's timeout")
    assert "SIGKILL" in errors["killed"]
    assert all(result.status == "failed" for name in errors for result in documents[f"ext4/{name}"].results)


def test_noise_of_fio_and_a_missing_fio(agent: Agent) -> None:
    program, folder = shutil.which("fio"), agent.state.parent / "bin"
    folder.mkdir()
    noisy, buffered = folder / "fio", JOBS.replace("direct=1\n", "")  # not every file system has O_DIRECT
    noisy.write_text(f'#!/bin/sh\nhead -c 100000 /dev/urandom >&2\n{program} "$@"\nexit $?\n')
    noisy.chmod(0o755)
    agent.environment["PATH"] = f"{folder}:{agent.environment['PATH']}"
    done = agent.run("rounds = 1\n" + DIRECTORY + jobs("jobs", buffered))
    assert done.returncode == 0, done.stderr
    [document] = agent.documents().values()
    assert [artifact.name for artifact in document.artifacts][:2] == ["round-1/fio.json", "round-1/fio.stderr.txt"]
    assert params(document, "write")
    assert os.listdir(agent.directory) == []

    noisy.unlink()
    tools = [Path(path) for path in agent.environment["PATH"].split(":")]
    for name in ("sh", "env", "uname"):
        (folder / name).symlink_to(next(path / name for path in tools if (path / name).exists()))
    agent.environment["PATH"] = str(folder)
    done = agent.run("rounds = 1\n" + DIRECTORY + jobs("jobs", buffered))
    assert "fio is not installed (Debian package: fio)" in done.stderr


def test_a_job_file_that_leads_out_of_the_directory_is_not_run(agent: Agent) -> None:
    done = agent.run("rounds = 1\n" + DIRECTORY + jobs("jobs", "[a]\nfilename=/dev/null\n"))
    assert done.returncode != 0
    assert "line 2: filename '/dev/null' is outside of the target's directory" in done.stderr
    assert not (agent.spool / "pending").exists() or not list((agent.spool / "pending").iterdir())
