"""The parameters of fio's tests: faults in plans, command lines, bytes and times."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchagent.errors import PlanError
from benchagent.plan.model import Workload
from benchagent.plan.reading import load
from benchagent.plan.workloads import bytes_written, own_seconds
from benchagent.planning.files import with_files
from benchagent.toml.tables import Parameters
from benchagent.tools import TOOLS, CommandContext

USER = CommandContext(seed=7, root=False)
MIB = 1024**2
TARGET = 'name = "p"\n[[targets]]\nkind = "directory"\n[[workloads]]\ntool = "fio"\n'
TESTS = 'tests = ["write"]\nfile_size = "1 MiB"\n'
BASE: Parameters = {"tests": ["write"], "file_size": MIB}


def workload(text: str) -> Workload:
    [only] = load(TARGET + text).workloads
    return only


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "workloads[0]; expected one of tests, job_file and jobs"),
        (TESTS + 'job_file = "a.fio"', "workloads[0].job_file is 'a.fio'; expected one of tests, job_file and jobs"),
        ('tests = ["trim"]\nfile_size = "1 MiB"', "expected one of write, read, random_write, random_read, mixed"),
        ('tests = ["write"]', "workloads[0].file_size; expected a value; it is required"),
        (TESTS + 'record_size = "3 KiB"', "expected a multiple of the record size, 3072 B"),
        (TESTS + "depth = 8", "expected 1 with psync; io_uring, libaio and posixaio have several requests in flight"),
        (TESTS + 'engine = "exec"', "expected one of sync, psync,"),
        (TESTS + 'arrivals = "poisson"', "expected a rate beside it"),
        (TESTS + 'rate = 10\nbytes_per_second = "1 MiB"', "expected either a rate or bytes_per_second, not both"),
        (TESTS + 'rate = 10\narrivals = "poisson"\nfsync = 8', "fio 3.33 crashes when it times single fsyncs"),
        (TESTS + "ramp_seconds = 1", "expected seconds beside it"),
        (TESTS + "steady_state = true", "expected seconds beside it, the longest time of a test"),
        (TESTS + 'steady_state = true\nseconds = "16 min"', "expected at most 15 min beside steady_state"),
        (TESTS + "read_percent = 70", "expected mixed or random_mixed among the tests"),
        (TESTS + "fsync = 0", "expected true, false, or a number of writes"),
        (TESTS + 'seconds = "2 h"', "expected less than the timeout, 3600 s"),
        (
            TESTS.replace('"]', '", "read"]') + 'seconds = "40 min"',
            "less than the timeout, 3600 s; all tests take 4800",
        ),
        ('jobs = "[a]"\ndepth = 2', "workloads[0].depth is 2; expected one of job_file, jobs, name, outside, timeout"),
        ('jobs = "[a]"\noutside = ["srv"]', "expected a list of 1 to 100 absolute paths"),
        ('jobs = "[a]"\noutside = ["/srv/../etc"]', "expected a list of 1 to 100 absolute paths"),
        ('job_file = "../a.fio"', "expected a file beside the plan"),
    ],
)
def test_faults_are_named(text: str, fault: str) -> None:
    with pytest.raises(PlanError) as caught:
        workload(text)
    assert fault in str(caught.value)


@pytest.mark.parametrize(
    ("parameters", "line"),
    [
        (
            {},
            "--size=1048576 --bs=4096 --filename_format=file.$jobnum --numjobs=1 --group_reporting --ioengine=psync "
            "--iodepth=1 --name=write --rw=write",
        ),
        (
            {"threads": 2, "depth": 4, "engine": "io_uring", "shared_file": True, "record_size": 512},
            "--size=1048576 --bs=512 --filename=file --numjobs=2 --group_reporting --ioengine=io_uring "
            "--iodepth=4 --name=write --rw=write",
        ),
    ],
)
def test_command_line(parameters: Parameters, line: str) -> None:
    command = TOOLS["fio"].command({**BASE, **parameters}, USER)
    logs = ["--write_iops_log=write", "--write_bw_log=write"]
    steps = "--log_avg_msec=500 --log_unix_epoch=1 --per_job_logs=0"
    assert (
        " ".join(command[:-2]) == f"fio --output-format=json+ --eta=never {line.replace(' --name', f' {steps} --name')}"
    )
    assert command[-2:] == logs


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"fsync": True}, ["--end_fsync=1"]),
        ({"fsync": 8, "sync": "dsync", "direct": True}, ["--direct=1", "--sync=dsync", "--fsync=8"]),
        ({"seconds": 0.5, "ramp_seconds": 2.0}, ["--time_based", "--runtime=500000us", "--ramp_time=2000000us"]),
        ({"rate": 100, "arrivals": "poisson"}, ["--rate_iops=100", "--rate_process=poisson"]),
        (
            {"seconds": 60, "ramp_seconds": 2.0, "steady_state": True},
            [
                *("--time_based", "--runtime=60000000us", "--ramp_time=2000000us", "--steadystate=iops:5%"),
                *("--steadystate_duration=8s", "--steadystate_ramp_time=2000000us"),
            ],
        ),
        ({"rate": 100}, ["--rate_iops=100", "--rate_process=linear"]),
        ({"bytes_per_second": MIB}, [f"--rate={MIB}"]),
        ({"compressibility": 50, "invalidate": False}, ["--buffer_compress_percentage=50", "--refill_buffers"]),
        ({"fsync": False, "sync": "none", "invalidate": True}, []),
    ],
)
def test_other_parameters_become_options(parameters: Parameters, words: list[str]) -> None:
    plain = TOOLS["fio"].command(BASE, USER)
    command = TOOLS["fio"].command({**BASE, **parameters}, USER)
    assert [word for word in command if word not in plain and word != "--invalidate=0"] == words
    assert ("--invalidate=0" in command) is (parameters.get("invalidate") is False)


def test_tests_run_one_after_the_other_and_alone_with_cold_caches() -> None:
    parameters: Parameters = {**BASE, "tests": ["write", "random_mixed"], "read_percent": 70}
    [command] = TOOLS["fio"].commands(parameters, USER, cold=False)
    command = [word for word in command if "_log=" not in word]
    tail = ["--name=write", "--rw=write", "--name=random_mixed", "--rw=randrw", "--rwmixread=70"]
    assert command[-6:] == [*tail, "--stonewall"]
    first, second = TOOLS["fio"].commands(parameters, USER, cold=True)
    assert first == TOOLS["fio"].command(BASE, USER)
    assert [word for word in second if "_log=" not in word][-3:] == tail[2:]


def test_cold_reading_drops_the_files_that_fio_has_just_written() -> None:
    text = TARGET.replace("[[targets]]", 'cache = "cold"\n[[targets]]', 1) + TESTS
    assert load(text).cache == "cold"
    with pytest.raises(PlanError, match="expected invalidate = true in fio's tests"):
        load(text + "invalidate = false")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("[global]\ninvalidate=0\n[a]\nrw=randread\n[b]\nreadwrite=rw\n", [2]),
        ("[a]\nsize=1m\ninvalidate=0\npre_read=1\n", [3, 4]),  # reading is fio's default
        ("[global]\ninvalidate=0\n[a]\ninvalidate=1\nrw=read\n[b]\nrw=write\n", []),
        ("[a]\ninvalidate=0\nrw=read\ndirect=1\n", []),
        ("[a]\n; invalidate=0\nrw=read\n", []),
    ],
)
def test_job_files_that_read_from_the_cache_are_refused_with_cold_caches(
    text: str, lines: list[int], tmp_path: Path
) -> None:
    (tmp_path / "a.fio").write_text(text)
    inside, beside = f'jobs = """{text}"""\n', 'job_file = "a.fio"\n'
    cold = TARGET.replace("[[targets]]", 'cache = "cold"\n[[targets]]', 1)
    assert with_files(load(TARGET + beside), tmp_path).workloads
    if not lines:
        assert load(cold + inside)
        assert with_files(load(cold + beside), tmp_path).workloads
        return
    with pytest.raises(PlanError, match=f"expected another job file: line {lines[0]}: "):
        load(cold + inside)
    with pytest.raises(PlanError) as refused:
        with_files(load(cold + beside), tmp_path)
    assert [f"a.fio: line {line}: " in str(refused.value) for line in lines] == [True] * len(lines)


def test_a_job_file_is_recorded_by_its_name_and_opened_where_it_is_placed() -> None:
    beside: Parameters = {"job_file": "jobs/a.fio"}
    placed = CommandContext(seed=7, root=False, files={"jobs/a.fio": "placed/5a-a.fio"})
    assert TOOLS["fio"].command(beside, USER)[-1] == "jobs/a.fio"
    assert TOOLS["fio"].commands(beside, placed, cold=True)[0][-1] == "placed/5a-a.fio"
    names = {TOOLS["fio"].command({"jobs": text}, USER)[-1] for text in ("[a]", "[a]", "[b]")}
    assert len(names) == 2, "the same text has the same name"


@pytest.mark.parametrize(
    ("parameters", "written", "seconds"),
    [
        ({}, MIB, None),
        ({"tests": ["read"], "threads": 4}, 4 * MIB, None),  # the files that fio makes before
        ({"tests": ["write", "read", "random_write"], "threads": 2}, 4 * MIB, None),
        ({"tests": ["random_write"], "threads": 2, "shared_file": True}, 2 * MIB, None),
        ({"tests": ["random_mixed"], "read_percent": 75}, MIB + MIB // 4, None),
        ({"seconds": 2.0}, None, 2.0),
        ({"tests": ["read", "random_read"], "seconds": 2.0, "ramp_seconds": 1.0}, MIB, 6.0),
    ],
)
def test_bytes_and_time_are_counted(parameters: Parameters, written: int | None, seconds: float | None) -> None:
    whole = {**BASE, **parameters}
    assert bytes_written(Workload("w", "fio", whole), None) == written
    assert own_seconds("fio", whole) == seconds


def test_a_job_file_decides_about_bytes_and_time_itself() -> None:
    assert bytes_written(Workload("w", "fio", {"jobs": "[a]"}), None) is None
    assert own_seconds("fio", {"jobs": "[a]\nruntime=5"}) is None
