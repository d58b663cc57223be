"""Job files of a person: run unchanged, unless they lead out of the target's directory."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchagent.errors import NotConfirmed, PlanError, UsageError
from benchagent.inventory import Source
from benchagent.plan.model import Plan, Target, Workload
from benchagent.planning.files import with_files
from benchagent.targets.wipe_agreement import agree_on_wiping
from benchagent.tools.fio.job_file import JobLine, job_lines, local_faults

MIB = 1024**2


def faults(text: str, *outside: str) -> list[str]:
    return local_faults({"outside": list(outside)} if outside else {}, text)


def test_lines_are_read_as_fio_reads_them() -> None:
    text = "; note\n[global]\n size = 4m # small\n\n[a b]\ngroup_reporting\nfilename=x=y;z\r\n"
    assert list(job_lines(text)) == [
        JobLine(2, "global"),
        JobLine(3, "global", "size", "4m"),
        JobLine(5, "a b"),
        JobLine(6, "a b", "group_reporting"),
        JobLine(7, "a b", "filename", "x=y"),
    ]


@pytest.mark.parametrize(
    "lines",
    [
        "exec_prerun=sync\nioengine=libaio",  # a person may run fio anyway
        "filename=a:b/c\ndirectory=sub",
        "filename_format=$jobname.$jobnum.$filenum",
        "filename=a..b",
        "description=see /dev/sda",
        "write_bw_log=log\nmem=mmap:buffer",
        "rw=randrw:8k\nbssplit=4k/50:8k/50\nbuffer_pattern=0xdeadbeef",
        "an_unknown_option=1",  # fio's own words are better
    ],
)
def test_what_stays_in_the_directory_is_run(lines: str) -> None:
    assert faults(f"[global]\nsize=1m\n[job]\n{lines}\n") == []


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("filename=/dev/sda", "/dev/sda"),
        ("filename = /dev/sda ; disk", "/dev/sda"),
        ("filename=a:/etc/passwd", "/etc/passwd"),
        ("filename=../a", "../a"),
        ("filename=a/../../b", "a/../../b"),
        ("directory=/mnt/other", "/mnt/other"),
        ("opendir=/etc", "/etc"),
        ("filename_format=/srv/$jobname", "/srv/x"),
        ("name=/tmp/x", "/tmp/x"),
        ("write_lat_log=/tmp/x", "/tmp/x"),
        ("replay_redirect=/dev/sdb", "/dev/sdb"),
        ("mem=mmaphuge:/mnt/huge/x", "/mnt/huge/x"),
        ("verify_pattern='/etc/shadow'", "/etc/shadow"),
        ("[/dev/sdc]", "/dev/sdc"),
    ],
)
def test_what_leads_out_of_it_is_refused_unless_the_plan_says_so(line: str, path: str) -> None:
    text = f"[global]\nsize=1m\n[job]\n{line}\n"
    [fault] = faults(text)
    assert fault.startswith("line 4: ")
    assert repr(path) in fault
    assert "outside of the target's directory; `outside` in the plan would allow it" in fault
    assert (faults(text, "/dev/sda", "/etc", "/mnt", "/srv", "/tmp", "/dev") == []) is path.startswith("/")


def test_outside_names_whole_folders() -> None:
    assert faults("[a]\nfilename=/srv/data/x\n", "/srv/data") == []
    assert faults("[a]\nfilename=/srv/database\n", "/srv/data")
    assert faults("[a]\nfilename=/srv/data/../x\n", "/srv/data")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[a]\nsize=${SIZE}\n", "line 2: size has a variable of the environment"),
        ("[a]\ninclude other.fio\n", "line 2: include; the agent gives fio one file"),
        ("[a]\nread_iolog=trace\n", "line 2: read_iolog replays a trace, which can name any file"),
        ("[a]\ndescription=" + "x" * 4090 + "\n", "line 2: more than 4000 characters"),
        ("", "line 1: no job"),
        ("[global]\nrw=read\n", "line 1: no job"),
    ],
)
def test_what_the_agent_cannot_record_is_refused(text: str, fault: str) -> None:
    assert [each for each in faults(text) if each.startswith(fault)]


def test_a_mebibyte_of_faults_is_read_at_once_and_named_in_part() -> None:
    text = "[job]\nfilename=/dev/sda\n" * (MIB // 24)
    assert len(text) > MIB * 0.9
    assert len(faults(text)) == 20
    assert faults("[job]\n" + ":" * 4000) == []


def plan(parameters: dict[str, str | list[str]]) -> Plan:
    return Plan("p", (Target("directory", "directory"),), (Workload("w", "fio", dict(parameters)),))


def test_the_text_in_a_plan_becomes_a_file_with_its_digest(tmp_path: Path) -> None:
    text = "[global]\ndirect=1\n[a]\nrw=read\nsize=1m\n"
    (tmp_path / "a.fio").write_text(text)
    [inside] = with_files(plan({"jobs": text}), tmp_path).workloads
    [beside] = with_files(plan({"job_file": "a.fio"}), tmp_path).workloads
    digest = beside.parameters["job_file_sha256"]
    assert inside.parameters == {"job_file": f"jobs-{str(digest)[:8]}.fio", "job_file_sha256": digest, "direct": True}
    assert [file.text for file in inside.files] == [file.text for file in beside.files] == [text]


def test_faults_carry_workload_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "a.fio").write_text("[a]\nfilename=/dev/sda\n[<b>]\ndirectory=/<script>\n")
    with pytest.raises(PlanError) as caught:
        with_files(plan({"job_file": "a.fio"}), tmp_path)
    assert [line.partition("; ")[0] for line in str(caught.value).splitlines()[1:]] == [
        "workload w: a.fio: line 2: filename '/dev/sda' is outside of the target's directory",
        "workload w: a.fio: line 4: directory '/<script>' is outside of the target's directory",
    ]


def test_a_device_needs_a_second_agreement(tmp_path: Path) -> None:
    text = "[a]\nfilename=/dev/null\n[b]\nfilename=/srv/data/x\n"
    read = with_files(plan({"jobs": text, "outside": ["/dev/null", "/srv/data"]}), tmp_path)
    with pytest.raises(NotConfirmed, match=r"may write to /dev/null, and there is no terminal.*--yes-wipe /dev/null"):
        agree_on_wiping(read, [], Source())
    assert agree_on_wiping(read, ["/dev/null"], Source()) == {}
    with pytest.raises(UsageError, match="no job file names it"):
        agree_on_wiping(read, ["/dev/null", "/dev/zero"], Source())
