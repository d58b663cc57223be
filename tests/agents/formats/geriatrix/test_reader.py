import pytest

from benchagent.formats import FormatError, geriatrix, parse
from tests.agents.formats.texts import apart, golden

SUMMARY = golden("geriatrix-summary.txt")
LONG = SUMMARY.replace("Total runtime = 0 mins.", "Total runtime = 12.5 mins.")
COMMAND = "$ ./geriatrix -n 1073741824 -u 0.8 -r 42 -m /mnt -t 4 -i 3 -f 0 -b posix\n"


def test_how_long_aging_took_and_what_it_wrote() -> None:
    parsed = parse(LONG)
    [result] = parsed.results
    assert (result.test, result.metric, result.unit, result.values, result.lines) == (
        "aging",
        "elapsed",
        "s",
        (750.0,),
        (3,),
    )
    assert result.evidence == {"logical_bytes": 2868 * 1048576}
    assert (parsed.tool, parsed.complete, parsed.warnings, parsed.unread) == ("geriatrix", True, (), ())


def test_no_minutes_are_no_number() -> None:
    [result] = parse(SUMMARY).results
    assert result.status == "unmeasurable"
    assert result.error is not None
    assert result.error.startswith("Geriatrix printed 0 mins.: it looks at the clock")


def test_a_runtime_as_cxx_prints_small_numbers() -> None:
    [result] = parse(SUMMARY.replace("= 0 mins", "= 1.66667e-05 mins")).results
    assert result.values == (1.0000020e-03,)


def test_a_command_before_it_says_the_workload() -> None:
    parsed = parse(COMMAND + LONG)
    assert parsed.command == COMMAND[2:-1]
    assert parsed.parameters == {
        "capacity": 1073741824,
        "fullness": 0.8,
        "seed": 42,
        "overwrites": 3,
        "backend": "posix",
    }
    assert [result.threads for result in parsed.results] == [4]


def test_a_value_below_zero_is_no_option() -> None:
    parsed = parse(COMMAND.replace("-u 0.8", "-u -0.8") + LONG)
    assert (parsed.parameters["fullness"], parsed.parameters["seed"]) == ("-0.8", 42)


def test_runs_are_values_and_other_commands_are_told_apart() -> None:
    assert [tuple(each.values) for each in parse(LONG + LONG).results] == [(750.0, 750.0)]
    parsed = parse(COMMAND + LONG + COMMAND.replace("-r 42", "-r 43") + LONG)
    assert [apart(parsed, each) for each in parsed.results] == [{"seed": 42}, {"seed": 43}]


def test_how_many_overwrites_were_asked_for_is_a_parameter() -> None:
    assert parse(LONG).parameters == {"overwrites": 3}


PROGRESS = "Workload = 2868 MB, Runtime = 12.5 mins., Convergence ops = 20000, Operations = 10000...\n"


def test_what_it_says_on_its_way_is_of_the_run() -> None:
    parsed = parse(PROGRESS * 2 + LONG)
    assert (parsed.unread, parsed.warnings, [tuple(each.values) for each in parsed.results]) == ((), (), [(750.0,)])


def test_a_run_that_was_killed_has_no_time() -> None:
    parsed = parse(PROGRESS)
    assert [(each.status, each.error) for each in parsed.results] == [("failed", "Geriatrix printed no runtime")]
    assert not parsed.complete


def test_its_distributions_behind_it_are_known_lines() -> None:
    dumps = "SIZE FRACTION TYPE\n8 0.004348 IDEAL\n8 0.004298 ACTUAL\n"
    assert parse(LONG + dumps).unread == ()


def test_a_distribution_alone_is_told_what_it_is() -> None:
    with pytest.raises(FormatError, match="not its output"):
        parse("SIZE FRACTION TYPE\n8 0.004348 IDEAL\n8 0.004298 ACTUAL\n")


def test_cut_statistics_are_incomplete() -> None:
    parsed = parse(LONG[: LONG.index(" Perfect")])
    assert [tuple(each.values) for each in parsed.results] == [(750.0,)]
    assert not parsed.complete
    [result] = parse(LONG[: LONG.index(" Total runtime")] + " Total aging workload created = 1 MB\n").results
    assert (result.status, result.error) == ("failed", "Geriatrix printed no runtime")


def test_another_tool_s_overall_statistics_are_not_taken_for_it() -> None:
    assert not geriatrix.recognises("===== OVERALL STATISTICS =====\nTotal: 5\n")


def test_a_text_without_geriatrix_is_refused() -> None:
    with pytest.raises(FormatError, match="overall statistics of Geriatrix"):
        geriatrix.parse("nothing\n", "2")
