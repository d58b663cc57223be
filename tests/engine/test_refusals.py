from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.engine.conftest import Fsload, command, run

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
        ({"file_sizes": "1M,1024K"}, "a size is in the list twice"),
        ({"file_sizes": ",".join(str(4096 * i) for i in range(1, 66))}, "more than 64 sizes"),
        ({"record_sizes": "2G", "file_sizes": "4G"}, "not a list of sizes"),
        ({"tests": "write,fly"}, "not a list of tests"),
        ({"tests": "writ"}, "not a list of tests"),
        ({"tests": "read,read"}, "a test is in the list twice"),
        ({"threads": "0"}, "not a number from 1 to its limit"),
        ({"threads": "1025"}, "not a number from 1 to its limit"),
        ({"threads": "2x"}, "not a number from 1 to its limit"),
        ({"repetitions": ""}, "not a number from 1 to its limit"),
        ({"seed": "-3"}, "not a seed"),
        ({"min_free": "much"}, "not a size"),
        ({"directory": ""}, "--directory: is empty"),
        ({"color": "red"}, "unrecognized option"),
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


def test_help_names_every_test(program: Path) -> None:
    done = subprocess.run([program, "--help"], capture_output=True, text=True, check=True)
    assert "write,rewrite,read,reread,random_read,random_write" in done.stdout


def test_too_little_free_space_is_refused(fsload: Fsload, tmp_path: Path) -> None:
    done = fsload(min_free="4000000T")
    assert (done.status, done.stdout) == (3, "")
    assert "that must stay free" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_threads_count_for_the_space_they_need(program: Path, tmp_path: Path) -> None:
    """The files of all threads together are more than any disk, the file of one is not."""
    done = run(program, tmp_path, file_sizes="64T", record_sizes="1M", threads=1024, min_free=0)
    assert done.status == 3
    assert "refused: 1024 x 64 TiB" in done.stderr


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
