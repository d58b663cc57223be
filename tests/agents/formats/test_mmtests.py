"""The run and iteration of mmtests' logs, by their paths."""

import pytest

from benchagent.formats.mmtests import MmtestsLog, is_copy, log_of


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("work/log/6.1/iter-0/fio/logs/fio.log", ("work/log/6.1", 0, "fio/logs/fio.log", "6.1")),
        ("6.1/iter-12/dbench/logs/dbench-4.log", ("6.1", 12, "dbench/logs/dbench-4.log", "6.1")),
        ("iter-3/reaim/logs/w/reaim.1.log", ("", 3, "reaim/logs/w/reaim.1.log", "")),
        ("6.1/iter-1000000/fio/logs/fio.log", ("6.1", 1_000_000, "fio/logs/fio.log", "6.1")),
        (f"6.1/iter-{10**200}/fio/logs/fio.log", ("6.1", 10**200, "fio/logs/fio.log", "6.1")),
        ("a\\6.1\\iter-0\\fio\\logs\\fio.log", ("a/6.1", 0, "fio/logs/fio.log", "6.1")),
    ],
)
def test_a_log_has_a_run_and_an_iteration(path: str, expected: tuple[str, int, str, str]) -> None:
    log = log_of(path)
    assert log is not None
    assert (log.folder, log.iteration, log.log, log.run) == expected


@pytest.mark.parametrize(
    "path",
    [
        "fio.log",
        "6.1/iter-0/dmesg",
        "6.1/iter-0/logs/fio.log",
        "6.1/iter-x/fio/logs/fio.log",
        "6.1/iter-٣/fio/logs/l",
        "run/fio/logs/fio.log",
    ],
)
def test_other_files_have_none(path: str) -> None:
    assert log_of(path) is None


def test_the_place_is_that_of_all_iterations_of_one_run_only() -> None:
    paths = ("a/iter-0/fio/logs/l", "a/iter-1/fio/logs/l", "b/iter-0/fio/logs/l", "a/iter-0/dbench/logs/l")
    logs = [log_of(path) for path in paths]
    places = [log.place for log in logs if isinstance(log, MmtestsLog)]
    assert (places[0], len(set(places))) == (places[1], 3)


@pytest.mark.parametrize(
    ("path", "copy"),
    [
        ("a/iter-0/fio/logs/mmtests.log", True),
        ("a/iter-0/fio/logs/mmtests.log.gz", True),
        ("a/iter-0/dbench/logs/benchlog-tput-2.xz", True),
        ("a/iter-0/sqlite/logs/benchlog", False),
        ("a/iter-0/fio/logs/fio.log", False),
        ("mmtests.log", False),
    ],
)
def test_copies_of_lines_in_other_logs(path: str, copy: bool) -> None:
    assert is_copy(path) is copy
