import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.engine.conftest import Fsload, command, run
from tests.engine.mounts import each, mounted
from tests.texts import missing_in

pytestmark = [pytest.mark.needs("cc", package="gcc"), pytest.mark.needs("make", package="make")]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"file_sizes": "100"}, "nothing to measure: every record is larger than every file"),
        ({"file_sizes": "6K"}, "a file of 6144 bytes is no whole number of records of 4096 bytes"),
        ({"file_sizes": "64K,6K"}, "a file of 6144 bytes is no whole number of records of 4096 bytes"),
        ({"file_sizes": "64K,"}, "not a list of sizes"),
        ({"file_sizes": "64KB"}, "not a list of sizes"),
        ({"file_sizes": "-1"}, "not a list of sizes"),
        ({"file_sizes": "0"}, "not a list of sizes"),
        ({"file_sizes": "9999999999T"}, "not a list of sizes"),
        ({"file_sizes": "18446744073709551617"}, "not a list of sizes"),
        ({"file_sizes": "1M,1024K"}, "--file-sizes: not a list with each size once: 1M,1024K"),
        ({"file_sizes": ",".join(str(4096 * i) for i in range(1, 66))}, "--file-sizes: not a list of up to 64 sizes"),
        ({"record_sizes": "2G", "file_sizes": "4G"}, "not a list of sizes"),
        ({"tests": "write,fly"}, "--tests: not a list of the names that --help shows: write,fly"),
        ({"tests": "writ"}, "--tests: not a list of the names that --help shows: writ"),
        ({"tests": "read,read"}, "--tests: not a list with each name once: read,read"),
        ({"threads": "0"}, "not a whole number from 1 to"),
        ({"threads": "1025"}, "not a whole number from 1 to"),
        ({"threads": "2x"}, "not a whole number from 1 to"),
        ({"repetitions": ""}, "not a whole number from 1 to"),
        ({"seed": "-3"}, "--seed: not a whole number from 0 to 18446744073709551615: -3"),
        ({"min_free": "much"}, "--min-free: not a size within its limits: much"),
        ({"directory": ""}, "--directory: not something: it is empty"),
        ({"color": "red"}, "unrecognized option"),
        ({"method": "magic"}, "--method: not one of the words that --help shows: magic"),
        ({"stride": "1"}, "--stride: not a whole number from 2 to"),
        ({"compressibility": "101"}, "--compressibility: not a whole number from 0 to 100: 101"),
        ({"interactive": "often"}, "--interactive: not a number from 0 to 10000: often"),
        ({"threads": "65", "shared_file": True}, "65 threads cannot share a file of 64 records"),
        ({"method": "mmap", "direct": True}, "--direct and --sync cannot be had with it"),
    ],
)
def test_wrong_usage_is_said_and_measures_nothing(
    fsload: Fsload, tmp_path: Path, options: dict[str, str], words: str
) -> None:
    done = fsload(**options)
    assert (done.status, done.stdout) == (2, "")
    assert words in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("missing", ["--directory", "--file-sizes", "--record-sizes"])
def test_a_missing_option_is_named(program: Path, tmp_path: Path, missing: str) -> None:
    words = command(program, tmp_path)
    at = words.index(missing)
    done = subprocess.run(words[:at] + words[at + 2 :], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert f"missing: {missing}" in done.stderr


def test_all_faults_are_said_at_once(fsload: Fsload) -> None:
    said = fsload(threads="0", seed="x", tests="fly").stderr
    assert all(word in said for word in ("--threads", "--seed", "--tests"))


@pytest.mark.parametrize("words", [[], ["fly"], ["--fly"], ["sweep", "fly", "--directory=."]])
def test_what_is_no_command_is_wrong_usage(program: Path, words: list[str]) -> None:
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "--help shows what is understood" in done.stderr


def test_help_names_commands_and_every_test(program: Path) -> None:
    commands = subprocess.run([program, "--help"], capture_output=True, text=True, check=True)
    assert "\n  sweep " in commands.stdout
    tests = subprocess.run([program, "sweep", "--help"], capture_output=True, text=True, check=True)
    assert not missing_in(tests.stdout, "backward_read,record_rewrite,strided_read,fwrite,", "--min-free SIZE")


def test_help_that_cannot_be_written_is_said_by_the_status(program: Path) -> None:
    with Path("/dev/full").open("w") as full:
        assert subprocess.run([program, "--help"], stdout=full, check=False).returncode == 1


@pytest.mark.parametrize(
    ("command", "options", "told"),
    [
        ([], {"min_free": "4000000T"}, "that must stay free"),
        # The kernel would grant the memory, and kill a process that uses it.
        (
            ["tree"],
            {"block_size": "1G", "threads": 1024, "levels": 0, "files": 1, "file_size": "4K"},
            "refused: not enough memory for 1024 threads",
        ),
    ],
    ids=["free space", "memory"],
)
def test_too_little_room_is_refused_before_it_is_taken(
    fsload: Fsload, tmp_path: Path, command: list[str], options: dict[str, Any], told: str
) -> None:
    done = fsload(*command, **options)
    assert (done.status, done.results) == (3, [])
    assert told in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_threads_count_for_the_space_they_need(program: Path, tmp_path: Path) -> None:
    """The files of all threads together are larger than any disk; one thread's file is not."""
    done = run(program, tmp_path, file_sizes="64T", record_sizes="1M", threads=1024, min_free=0)
    assert done.status == 3
    assert "refused: 64 PiB to write" in done.stderr


@pytest.mark.needs("root", package=None)
@pytest.mark.needs("loop devices", package=None)
@pytest.mark.parametrize("file_system", each("xfs", "btrfs"))
def test_what_the_last_repetition_removed_is_free_for_the_next(program: Path, tmp_path: Path, file_system: str) -> None:
    """These file systems free space later, in the background or with the next commit."""
    with mounted(file_system, tmp_path) as point:
        status = os.statvfs(point)
        size = f"{status.f_bavail * status.f_frsize * 6 // 10 >> 20}M"
        done = run(program, point, "sweep", file_sizes=size, record_sizes="1M", tests="write", repetitions=3)
    assert done.status == 0, done.stderr


@pytest.mark.parametrize("name", ["absent", "file"])
def test_a_directory_that_is_none_is_refused(program: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("precious")
    done = run(program, tmp_path / name)
    assert done.status == 3
    assert ("No such file" if name == "absent" else "Not a directory") in done.stderr
    assert (tmp_path / "file").read_text() == "precious"


# The shell counts in blocks of 512 bytes: no file may be larger than 2 MiB.
LIMITED = ["sh", "-c", 'ulimit -f 4096 && exec "$@"', "sh"]


def test_a_failed_call_is_a_failed_test_and_later_tests_go_on(program: Path, tmp_path: Path) -> None:
    words = command(program, tmp_path, file_sizes="4M,1M", record_sizes="64K", tests="write,random_read")
    done = subprocess.run([*LIMITED, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert '"test":"write","file_size":1048576,"record_size":65536,"threads":1,"status":"ok"' in done.stdout
    error = '"error":{"call":"write","errno":27,"message":"File too large","file":"data.0","offset":2097152}}'
    assert done.stdout.count(error) == 2
    assert done.stdout.splitlines()[-1] == '{"type":"end","results":4,"failed":2,"signal":null}'
    assert list(tmp_path.iterdir()) == []


def test_one_failing_thread_fails_the_test(program: Path, tmp_path: Path) -> None:
    words = command(program, tmp_path, file_sizes="4M", record_sizes="64K", tests="write", threads=4)
    done = subprocess.run([*LIMITED, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert '"message":"File too large","file":"data.' in done.stdout
    assert list(tmp_path.iterdir()) == []
