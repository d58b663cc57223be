"""User and system time against elapsed time."""

from __future__ import annotations

import pytest

from benchdb.publications.checks.cpu_times import cpu_times

from .articles import article

TABLE = """
slug = "small"
{cores}
[runs.dd]
[[tables]]
key = "times"
run = "dd"
test = "create"
unit = "s"
parts = [{{metric = "elapsed"}}, {{metric = "user_time"}}, {{metric = "system_time"}}]
columns = [{{label = "Time"}}]
[[tables.rows]]
label = "10 GB"
cells = ["{cell}"]
"""


@pytest.mark.parametrize(
    ("cell", "agrees"),
    [
        ("0m10.000s / 0m5.000s / 0m14.999s", True),
        ("0m10.000s / 0m5.000s / 0m16.000s", False),
        ("0m0.001s / 0m0.000s / 0m0.001s", True),
    ],
)
def test_two_cores_have_twice_the_elapsed_time(cell: str, agrees: bool) -> None:
    (found,) = cpu_times(article(tables=TABLE.format(cell=cell, cores="environment.cpu.cores = 2")))
    assert (found.subject, found.agrees) == ("CPU time of dd", agrees)


def test_without_the_number_of_processors_nothing_is_checked() -> None:
    assert list(cpu_times(article(tables=TABLE.format(cell="1 / 9 / 9", cores="environment.memory.total = 1")))) == []
