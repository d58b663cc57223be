"""`benchagent parse` of directories and compressed files."""

import gzip
import json
import lzma
import os
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Callable

import pytest

from benchagent import errors
from benchagent.cli import main
from benchagent.commands import outputs
from tests.agents.formats.texts import GOLDEN, golden
from tests.texts import missing_in

ARCHIVE = GOLDEN / "archives/mmtests.tar.xz"
IOZONE = golden("iozone-auto_rw.txt").encode()


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """The result directory of two runs of mmtests with two iterations each."""
    with tarfile.open(ARCHIVE) as archive:
        for entry in archive:
            path = tmp_path / entry.name
            if entry.isdir():
                path.mkdir(parents=True, exist_ok=True)
            else:
                file = archive.extractfile(entry)
                assert file is not None
                path.write_bytes(file.read())
    return tmp_path


def test_iterations_are_the_values_of_one_output_and_runs_are_outputs(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["parse", "--json", str(directory)]) == 0
    found = json.loads(capsys.readouterr().out)["outputs"]

    assert [(each["run"], each["tool"]) for each in found] == [
        (run, tool) for run in ("after", "before") for tool in ("dbench", "dbench", "fio", "fs_mark", "fs_mark")
    ]
    for each in found:
        assert [Path(file).parts[3] for file in each["files"]] == ["iter-0", "iter-1"]
        throughput = [
            r["values"] for r in each["results"] if r["metric"] in ("throughput", "rate") and "view" not in r["params"]
        ]
        count = 6 if each["tool"] == "fs_mark" else 2
        assert throughput
        assert all(len(values) == count and None not in values for values in throughput)


def test_the_directory_of_a_run_has_its_name(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["parse", "--json", str(directory / "work/log/before")]) == 0
    found = json.loads(capsys.readouterr().out)["outputs"]
    assert {(each["run"], len(each["files"])) for each in found} == {("before", 2)}


def test_values_are_those_of_the_single_files(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["parse", "--json", str(directory)]) == 0
    joined = next(each for each in json.loads(capsys.readouterr().out)["outputs"] if each["tool"] == "fio")

    for index, file in enumerate(joined["files"]):
        assert main(["parse", "--json", str(directory / file)]) == 0
        single = json.loads(capsys.readouterr().out)["results"]
        values = {json.dumps([r["test"], r["metric"], r["params"]]): r["values"] for r in joined["results"]}
        for result in single:
            key = json.dumps([result["test"], result["metric"], result["params"]])
            assert [values[key][index]] == result["values"]


def test_people_see_an_output_for_each_run_and_why_files_are_left_out(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["parse", str(directory)]) == 0
    printed = capsys.readouterr()

    assert printed.out.startswith("work/log/after/dbench/logs/dbench-1.log, 2 iterations\ndbench 4.00, ")
    assert printed.out.count(", 2 iterations\n") == 10
    assert not missing_in(
        printed.err,
        "left out: work/log/after/iter-0/fio/logs/mmtests.log.gz: mmtests repeats lines",
        "left out: work/log/after/iter-0/tests-timestamp: line 1, column 1: no supported tool",
    )


def test_strict_lists_the_unread_lines_of_each_file(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["parse", "--strict", str(directory)]) == 0
    assert "not read: " not in capsys.readouterr().err
    name = "work/log/before/iter-1/dbench/logs/dbench-2.log.xz"
    log = directory / name
    log.write_bytes(lzma.compress(b"a line of another program\n" + lzma.decompress(log.read_bytes())))
    assert main(["parse", "--strict", str(directory)]) == errors.LinesUnread.exit_code
    assert f"not read: {name}: line 1: a line of another program" in capsys.readouterr().err


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_a_compressed_file_is_inflated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], pack: Callable[[bytes], bytes]
) -> None:
    (tmp_path / "plain").write_bytes(IOZONE)
    (tmp_path / "packed").write_bytes(pack(IOZONE))
    printed = []
    for name in ("plain", "packed"):
        assert main(["parse", str(tmp_path / name)]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_a_damaged_file_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], pack: Callable[[bytes], bytes]
) -> None:
    (tmp_path / "cut").write_bytes(pack(IOZONE)[:-20])
    assert main(["parse", str(tmp_path / "cut")]) == errors.UsageError.exit_code
    assert "it is damaged" in capsys.readouterr().err


def test_a_file_that_inflates_to_too_much_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "large.gz").write_bytes(gzip.compress(bytes(outputs.LONGEST_OUTPUT + 1)))
    assert main(["parse", str(tmp_path / "large.gz")]) == errors.UsageError.exit_code
    assert "is larger than 64 MiB" in capsys.readouterr().err


def test_the_name_without_its_ending_says_what_a_log_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a_iops.1.log.gz").write_bytes(gzip.compress(b"1000, 7, 0, 0, 0\n"))
    assert main(["parse", "--json", str(tmp_path / "a_iops.1.log.gz")]) == 0
    assert [each["values"] for each in json.loads(capsys.readouterr().out)["results"]] == [[7.0]]


def test_links_are_not_followed_and_a_directory_without_outputs_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "out").write_bytes(IOZONE)
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "link").symlink_to(tmp_path / "out")
    (inside / "empty").write_bytes(b"")
    assert main(["parse", str(inside)]) == errors.UnknownOutput.exit_code
    assert "no file in it is output of a supported tool" in capsys.readouterr().err


@contextmanager
def unprivileged() -> Iterator[None]:
    """As a user who may not read everything."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


def test_directories_and_files_that_cannot_be_read_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # pytest's directories are closed to other users
    tmp_path.chmod(0o755)
    Path("out").write_bytes(IOZONE)
    for name, mode in (("closed", 0), ("listed", 0o444)):
        Path(name).mkdir()
        Path(name, "file").write_bytes(IOZONE)
        Path(name).chmod(mode)
    assert outputs.read_output(outputs.content_of("out"), None, None).results  # loads the modules
    try:
        with unprivileged():
            found = outputs.outputs_in(Path(), None, None)
    finally:
        for name in ("closed", "listed"):
            Path(name).chmod(0o755)
    assert [each.name for each in found.outputs] == ["out"]
    said = "Cannot read it: Permission denied."
    assert sorted(found.left_out) == [("closed", said), ("listed/file", said)]


def test_names_that_cannot_be_printed_hide_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in (b"bad\xff.log", b"two\nleft out: x: lines"):
        (tmp_path / os.fsdecode(name)).write_bytes(IOZONE)
    assert main(["parse", "--json", str(tmp_path)]) == 0
    found = json.loads(capsys.readouterr().out.encode().decode())["outputs"]
    assert [each["name"] for each in found] == ["bad?.log", "two left out: x: lines"]


def test_a_log_beside_its_compressed_copy_is_no_further_iteration(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path, data in (
        ("iter-1/iozone/logs/a.log", IOZONE),
        ("iter-1/iozone/logs/a.log.gz", gzip.compress(IOZONE)),
        ("iter-2/iozone/logs/a.log.gz", gzip.compress(IOZONE)),
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    assert main(["parse", "--json", str(tmp_path)]) == 0
    files = [each["files"] for each in json.loads(capsys.readouterr().out)["outputs"]]
    assert files == [
        ["iter-1/iozone/logs/a.log", "iter-2/iozone/logs/a.log.gz"],
        ["iter-1/iozone/logs/a.log.gz"],
    ]


def test_iterations_with_other_parameters_are_other_outputs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number, name in enumerate(("iozone-auto_rw.txt", "iozone-flags.txt")):
        logs = tmp_path / f"a/iter-{number}/iozone/logs"
        logs.mkdir(parents=True)
        (logs / "iozone.log").write_text(golden(name))
    assert main(["parse", "--json", str(tmp_path)]) == 0
    assert [len(each["files"]) for each in json.loads(capsys.readouterr().out)["outputs"]] == [1, 1]


def test_too_many_files_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(outputs, "MOST_FILES", 2)
    for number in range(3):
        (tmp_path / str(number)).write_bytes(IOZONE)
    assert main(["parse", str(tmp_path)]) == errors.UsageError.exit_code
    assert "Name a directory inside it" in capsys.readouterr().err
