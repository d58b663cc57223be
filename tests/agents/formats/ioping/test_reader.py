"""ioping's statistics as text and JSON: tests, sizes, units of all versions, and runs without statistics."""

import pytest

from benchagent.formats import FormatError, parse
from tests.agents.formats.texts import golden


def test_commands_give_test_order_and_size() -> None:
    parsed = parse(golden("ioping-session.txt"))
    sizes = {result.test: result.record_size for result in parsed.results}
    assert sizes == {"random_read": 4096, "random_write": 65536, "read": 262144, "mix": 4096}
    assert (parsed.unread, parsed.warnings, parsed.complete) == ((), (), True)


def test_the_last_statistics_of_json_are_those_of_the_run() -> None:
    parsed = parse(golden("ioping-json.json"))
    assert {(result.test, result.params["order"], result.record_size) for result in parsed.results} == {
        ("write", "unknown", 4096)
    }
    assert [result.params.get("part") for result in parsed.results] == [1] * 6 + [None] * 6


OLD = """4096 bytes from . (ext4 /dev/sda3): request=1 time=0.2 ms
--- . (ext4 /dev/sda3) ioping statistics ---
5 requests completed in 4794.0 ms, 364 iops, 1.5 {unit}/s
min/avg/max/mdev = 0.2/2.8/12.7/5.0 ms
"""


@pytest.mark.parametrize("unit", ["mb", "MiB"])
def test_versions_before_0_7_print_one_unit_for_all_times(unit: str) -> None:
    results = parse(OLD.format(unit=unit)).results
    assert [result.values for result in results] == [(364,), (1.5 * 2**20,), (0.0002,), (0.0028,), (0.0127,), (0.005,)]
    assert {(result.test, result.record_size) for result in results} == {("read", 4096)}


def test_a_quiet_run_shows_no_direction() -> None:
    quiet = OLD.format(unit="mb").partition("\n")[2]
    assert {result.test for result in parse(quiet).results} == {"request"}


def test_headings_distinguish_runs_and_repetitions_do_not_differ() -> None:
    run = OLD.format(unit="mb")
    assert parse(run + run).results[0].values == (364, 364)
    sections = {result.params.get("section") for result in parse(f"### ext4\n{run}### xfs\n{run}").results}
    assert sections == {"ext4", "xfs"}


def test_an_interrupted_run_is_no_result() -> None:
    with pytest.raises(FormatError, match="prints its statistics at the end"):
        parse(OLD.format(unit="mb").partition("---")[0])
    both = parse(OLD.format(unit="mb") + OLD.partition("---")[0])
    assert not both.complete
    assert both.warnings == ("line 5: these requests have no statistics below them",)
