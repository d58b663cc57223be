"""Files that workloads name: found beside the plan, the same in every round, and recorded."""

import hashlib
from pathlib import Path

import pytest

from benchagent.errors import PlanError
from benchagent.plan.model import Plan, Target, Workload
from benchagent.planning.files import MOST_TEXT, placed, with_files

TEXT = "[filesystem0]\nlocation=/mnt/test\n"


@pytest.fixture(autouse=True)
def any_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHAGENT_FSLOAD", "true")  # it finds no fault in a profile


def plan(*parameters: dict[str, str]) -> Plan:
    workloads = tuple(Workload(f"w{i}", "fsload", dict(each)) for i, each in enumerate(parameters))
    return Plan("p", (Target("directory", "directory"),), workloads)


def mix(name: str) -> dict[str, str]:
    return {"command": "mix", "profile": name}


def test_a_text_and_its_digest_are_part_of_the_workload(tmp_path: Path) -> None:
    (tmp_path / "profiles").mkdir()
    (tmp_path / "profiles" / "large.ffsb").write_text(TEXT)
    [workload] = with_files(plan(mix("profiles/large.ffsb")), tmp_path).workloads
    digest = hashlib.sha256(TEXT.encode()).hexdigest()
    assert workload.parameters == {"command": "mix", "profile": "profiles/large.ffsb", "profile_sha256": digest}
    assert [(file.name, file.text) for file in workload.files] == [("profiles/large.ffsb", TEXT)]


def test_an_archive_is_known_by_its_digest_alone(tmp_path: Path) -> None:
    content = b"\xff" * (MOST_TEXT + 1)
    (tmp_path / "linux.tar").write_bytes(content)
    read = with_files(plan({"command": "metadata", "tar": "linux.tar"}), tmp_path)
    [file] = read.workloads[0].files
    assert (file.text, file.sha256) == (None, hashlib.sha256(content).hexdigest())
    work = tmp_path / "work"
    work.mkdir()
    with placed(read, work) as paths:
        assert paths == {"linux.tar": str(tmp_path / "linux.tar")}
        assert list(work.iterdir()) == []


def test_who_edits_a_profile_meanwhile_changes_no_later_round(tmp_path: Path) -> None:
    work, profile = tmp_path / "work", tmp_path / "large.ffsb"
    work.mkdir()
    profile.write_text(TEXT)
    read = with_files(plan(mix("large.ffsb"), mix("large.ffsb")), tmp_path)
    profile.write_text("another")
    with placed(read, work) as paths:
        assert Path(paths["large.ffsb"]).read_text() == TEXT
        assert Path(paths["large.ffsb"]).parent == work
    assert list(work.iterdir()) == []


def test_an_empty_file_is_a_text_too(tmp_path: Path) -> None:
    work, profile = tmp_path / "work", tmp_path / "empty.ffsb"
    work.mkdir()
    profile.touch()
    read = with_files(plan(mix("empty.ffsb")), tmp_path)
    profile.unlink()
    with placed(read, work) as paths:
        assert Path(paths["empty.ffsb"]).read_text() == ""
        assert Path(paths["empty.ffsb"]).parent == work


def test_every_file_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff")
    (tmp_path / "long").write_bytes(b"x" * (MOST_TEXT + 1))
    (tmp_path / "folder").mkdir()
    with pytest.raises(PlanError) as caught:
        with_files(plan(*map(mix, ("missing", "binary", "long", "folder"))), tmp_path)
    assert str(caught.value).splitlines()[1:] == [
        "workload w0: profile: cannot read missing: No such file or directory",
        "workload w1: profile: cannot read binary: it is not UTF-8 text",
        f"workload w2: profile: cannot read long: it is larger than {MOST_TEXT} bytes",
        "workload w3: profile: cannot read folder: it is no regular file",
    ]
