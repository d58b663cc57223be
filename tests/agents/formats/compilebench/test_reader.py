"""compilebench's summary: figures, settings, interrupted and failed runs, several runs in one text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.formats import FormatError, Parsed, Result, parse
from tests.agents.formats.texts import golden

RANDOM, MAKEJ, INTERRUPTED, NO_SPACE, TWO_RUNS = (
    golden(f"compilebench-{name}.txt") for name in ("random", "makej", "interrupted", "no_space", "two_runs")
)
ROW = "intial create total runs 3 avg 102.13 MB/s (user 0.06s sys 0.18s)"


def the(parsed: Parsed, test: str, metric: str) -> Result:
    [found] = [result for result in parsed.results if (result.test, result.metric) == (test, metric)]
    return found


def test_each_row_of_the_summary_is_a_test() -> None:
    parsed = parse(RANDOM)
    assert (parsed.tool, parsed.complete, parsed.unread, parsed.warnings) == ("compilebench", True, (), ())
    assert the(parsed, "initial_create", "throughput").values == (102.13 * 2**20,)
    assert the(parsed, "read_compiled_tree", "throughput").values == (65.69 * 2**20,)
    assert the(parsed, "delete_compiled_tree", "elapsed").values == (0.21,)
    assert the(parsed, "stat_tree", "user_time").values == (0.03,)
    assert the(parsed, "stat_tree", "system_time").values == (0.08,)
    assert "delete_tree" not in {result.test for result in parsed.results}


def test_each_number_has_its_line() -> None:
    [line] = the(parse(RANDOM), "patch", "throughput").lines
    assert RANDOM.split("\n")[line - 1].startswith("patch total runs 1 avg 27.14 MB/s")


def test_a_time_of_zero_is_unmeasurable() -> None:
    clean = the(parse(RANDOM), "clean", "user_time")
    assert (clean.values, clean.status, clean.error) == ((None,), "unmeasurable", "compilebench printed 0.00")


def test_the_clock_has_ticks_of_ten_milliseconds() -> None:
    assert parse(RANDOM).clock_resolution == 0.01


def test_settings_of_the_command_and_of_the_output() -> None:
    parsed = parse(RANDOM)
    assert parsed.command == "./compilebench -D /mnt/data -i 3 -r 25"
    assert parsed.parameters == {"directory": "/mnt/data", "trees": 3, "operations": 25}
    assert the(parsed, "create", "throughput").params == {"trees": 3, "operations": 25}


def test_options_in_long_and_in_joined_form() -> None:
    create = the(parse(TWO_RUNS), "initial_create", "throughput")
    assert create.params == {"trees": 2, "operations": 6, "no_sync": True, "buffer_size": 65536}


def test_makej_has_no_number_of_operations() -> None:
    parsed = parse(MAKEJ)
    assert parsed.complete
    assert the(parsed, "compile", "throughput").params == {"trees": 3, "makej": True, "no_sync": True}


def test_a_summary_shows_what_was_done() -> None:
    """Without a command line, `makej`, the trees and the operations follow from the counts of its rows."""
    for text in (MAKEJ, RANDOM):
        with_command, summary = parse(text), parse(text.split("run complete:")[1])
        params = dict(the(with_command, "compile", "throughput").params)
        params.pop("no_sync", None)
        assert the(summary, "compile", "throughput").params == params


def test_a_sentence_that_names_a_command_is_no_command() -> None:
    assert parse(f"I ran this with compilebench -i 20 --makej and more\n{ROW}\n").command is None
    assert parse(f"# time ./compilebench -i 3\n{ROW}\n").command == "./compilebench -i 3"


def test_runs_of_the_same_command_are_repetitions() -> None:
    parsed = parse(TWO_RUNS)
    assert the(parsed, "initial_create", "throughput").values == (84.23 * 2**20, 92.13 * 2**20)
    assert the(parsed, "stat_tree", "elapsed").values == (0.06, 0.06)


def test_summaries_below_headings_carry_section() -> None:
    parsed = parse(f"ext4\n{'=' * 22}\n{ROW}\n\next3\n{'=' * 22}\n{ROW.replace('102', '98')}\n")
    throughputs = {r.params["section"]: r.values for r in parsed.results if r.metric == "throughput"}
    assert throughputs == {"ext4": (102.13 * 2**20,), "ext3": (98.13 * 2**20,)}
    assert not parsed.complete


def test_an_interrupted_run_keeps_its_summary() -> None:
    parsed = parse(INTERRUPTED)
    assert not parsed.complete
    assert parsed.warnings == ("line 54: caught signal 2",)
    assert the(parsed, "create", "throughput").values == (103.51 * 2**20,)


def test_a_failed_run_has_pythons_last_line() -> None:
    parsed = parse(NO_SPACE)
    [failed] = [result for result in parsed.results if result.status == "failed"]
    words = "IOError: [Errno 28] No space left on device"
    assert (failed.test, failed.params["trees"], failed.error) == ("initial_create", 4, words)
    assert (parsed.complete, parsed.unread) == (False, ())


def test_what_follows_a_cut_traceback_is_not_swallowed() -> None:
    parsed = parse(NO_SPACE.replace("IOError: [Errno 28] No space left on device", "Some other words"))
    assert [line for _, line in parsed.unread] == ["Some other words"]
    assert parsed.results[-1].error == "the output ends before compilebench's summary"


def test_a_run_that_ended_before_a_figure_has_failed() -> None:
    names = ("intial create", "create", "patch", "compile", "clean", "read tree", "read compiled tree")
    rows = "\n".join(f"no runs for {name}" for name in names)
    parsed = parse(f"using working directory /mnt/data, 3 intial dirs 25 runs\ncaught signal 15\n{rows}\n")
    assert [(result.test, result.status) for result in parsed.results] == [("initial_create", "failed")]


def test_words_of_a_summary_without_a_figure_are_no_output() -> None:
    with pytest.raises(FormatError):
        parse("no runs for create\nno runs for patch\n")


@given(st.integers(1, 10**9), st.integers(0, 10**6))
def test_any_row_is_read_as_printed(hundredths: int, ticks: int) -> None:
    parsed = parse(f"read tree total runs 2 avg {hundredths / 100:.2f} MB/s (user {ticks / 100:.2f}s sys 0.59s)")
    assert the(parsed, "read_tree", "throughput").values == (hundredths * 2**20 / 100,)
    assert the(parsed, "read_tree", "user_time").values == (ticks / 100 or None,)
