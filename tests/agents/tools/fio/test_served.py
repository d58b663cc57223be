"""Job files from a server, written by an attacker: each line that could do harm is refused with its number."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from benchagent.plan.reading import load
from benchagent.plan.served import faults_of
from benchagent.tools.fio.job_file import job_lines
from benchagent.tools.fio.served import ALLOWED, MOST_FAULTS, served_faults

GOOD = """; a comment
[global]
size=256m
runtime=30s
time_based
group_reporting
[log]
rw=write
bs=16k
fdatasync=1
write_lat_log=log
log_avg_msec=1000
[tables]
stonewall
rw=randrw
rwmixread=70
bssplit=4k/60:16k/40
iodepth=16
ioengine=libaio
direct=1
numjobs=4
rate_iops=2000,500
random_distribution=zipf:1.2
filename=table1:table2
"""


def test_usual_jobs_are_accepted() -> None:
    assert served_faults({}, GOOD) == []


ATTACKS = [
    "exec_prerun=touch /tmp/x",
    "exec_postrun = touch /tmp/x",
    "ioengine=exec",
    "ioengine=external:/tmp/x.so",
    "ioengine=external:x.so",
    "ioengine=sg",
    "ioengine=net",
    "ioengine=io_uring_cmd",
    "program=/bin/sh",
    "filename=/dev/sda",
    "filename=a:/dev/sda",
    "filename=../a",
    "filename=a\\:b",
    "filename=",
    "filename=-",
    "filename=.hidden",
    "directory=/etc",
    "directory=.",
    "opendir=.",
    "lockfile=exclusive",
    "filename_format=/etc/$jobname",
    "name=../../etc/x",
    "read_iolog=trace",
    "write_iolog=trace",
    "replay_redirect=/dev/sda",
    "merge_blktrace_file=x",
    "include other.fio",
    "include=/etc/passwd",
    "includes",
    "size=${HOME}",
    "size=$mb_memory",
    "size=`id`",
    "size=8*$ncpus+1",
    "size=1m'; id; '",
    "size=50%",
    "description=${PATH}",
    "description=a=b",
    "write_bw_log=/tmp/x",
    "write_bw_log=../x",
    "cgroup=system.slice",
    "uid=0",
    "prio=0",
    "prioclass=1",
    "nice=-20",
    "ioscheduler=none",
    "lockmem=64g",
    "mem=mmaphuge:/mnt/x",
    "mem=shmhuge",
    "hugepage-size=1g",
    "allow_mounted_write=1",
    "zonemode=zbd",
    "profile=tiobench",
    "rw=trim",
    "rw=randtrim",
    "buffer_pattern='/etc/shadow'",
    "verify_pattern='x'",
    "verify_state_save=1",
    "error_dump=1",
    "fill_device=1",
    "thinktime_blocks_type=issue",
    "numa_mem_policy=bind:0",
    "steadystate=iops:1%",
    "an_unknown_option=1",
    "size",
    "direct=2",
    "NUMJOBS=1",
    "bs=4k\x0b",
    "bs=٤k",
    "[/dev/sda]",
    "[../x]",
    "[a b]",
    "[<script>]",
    "[a",
    "[]",
    "[a] x",
    "description=" + "x" * 4090 + "exec_prerun=id",
]


@pytest.mark.parametrize("attack", ATTACKS)
def test_each_attack_is_refused_with_its_line(attack: str) -> None:
    faults = served_faults({}, f"[job]\nrw=read\n{attack}\nbs=4k\n")
    assert faults
    assert {fault.split(":")[0] for fault in faults} == {"line 3"}


def test_a_flag_needs_no_value() -> None:
    assert served_faults({}, "[job]\ndirect\nstonewall\nwrite_bw_log\n") == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[a]\nnumjobs=1000\n[b]\nnumjobs=100\n", "its jobs have 1100 processes; a queued plan has at most 1024"),
        ("[global]\nnumjobs=100\n" + "[a]\n" * 20, "its jobs have 2000 processes"),
        ("[a]\n" * 101, "101 jobs; a queued plan has at most 100"),
        ("[a]\nbs=64m\niodepth=32\n", "its jobs hold 2 GiB of records; a queued plan has at most 1 GiB"),
        ("[global]\nbssplit=4k/50:64m/50\n[a]\nnumjobs=32\n", "its jobs hold 2 GiB of records"),
        ("[a]\nbs=4k,2g\n", "its jobs hold 2 GiB of records"),
        ("[a]\nnrfiles=2000\nnumjobs=1000\n", "its jobs have 2000000 files"),
    ],
)
def test_jobs_that_exhaust_the_machine_are_refused(text: str, fault: str) -> None:
    assert [each for each in served_faults({}, text) if each.startswith(fault)]


def test_many_faults_are_cut() -> None:
    assert len(served_faults({}, "[job]\nexec_prerun=id\n" * 40_000)) == MOST_FAULTS


def served(workload: str, files: dict[str, str] | None = None) -> list[str]:
    plan = load(f'name = "p"\n[[targets]]\nkind = "directory"\n[[workloads]]\nname = "w"\ntool = "fio"\n{workload}\n')
    return faults_of(plan, files or {})


def test_the_text_in_a_queued_plan_and_its_files_are_checked() -> None:
    assert served(f'jobs = """\n{GOOD}"""') == []
    [inside] = served('jobs = """\n[a]\nexec_prerun=id\n"""')
    assert inside.startswith("workload w: line 2: 'exec_prerun=id'; a queued plan may not have the option exec_prerun")
    assert served('job_file = "a.fio"', {"a.fio": GOOD, "other": "[a]\nexec_prerun=id\n"}) == []
    assert served('job_file = "a.fio"', {"a.fio": "[a]\nexec_prerun=id\n"}) == [inside]
    [outside] = served('jobs = "[a]"\noutside = ["/srv"]')
    assert "outside" in outside


def test_a_queued_plans_tests_hold_a_gibibyte_of_records() -> None:
    tests = 'tests = ["write"]\nfile_size = "1 GiB"\nrecord_size = "1 MiB"\nengine = "io_uring"\ndepth = 1024\n'
    assert served(tests) == []
    assert served(tests + "threads = 2")


PIECES = st.sampled_from(
    [
        "[a]",
        "rw=read",
        "exec_prerun",
        "=",
        " ",
        ";",
        "#",
        "\t",
        "\r",
        "\n",
        "\\",
        ":",
        "$",
        "`",
        "/",
        "size=1m",
        "x",
        "\x0c",
    ]
)


@given(st.lists(PIECES, max_size=12).map("".join))
@example("[x]\n=x")
def test_accepted_texts_have_only_listed_options(text: str) -> None:
    """Read once more, line by line and without the reader of job files."""
    if served_faults({}, text):
        return
    assert "exec_prerun" not in {line.option for line in job_lines(text)}
    for line in text.split("\n"):
        plain = line.strip()
        if plain and plain[0] not in ";#[":
            assert plain.replace("#", ";").split(";")[0].partition("=")[0].strip() in ALLOWED
