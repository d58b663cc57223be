"""PostMark's reports: sessions of several runs, verbose and terse, cut and failed."""

import pytest

from benchagent.formats import FormatError, Parsed, parse
from tests.agents.formats.texts import apart, golden

REPORT = """Time:
\t351 seconds total
\t160 seconds of transactions (3 per second)

Files:
\t757 created (2 per second)
\t\tCreation alone: 500 files (55 per second)
\t\tMixed with transactions: 257 files (1 per second)
\t257 read (1 per second)
\t243 appended (0 per second)
\t757 deleted (2 per second)
\t\tDeletion alone: 514 files (2 per second)
\t\tMixed with transactions: 243 files (1 per second)

Data:
\t69.80 megabytes read (203.62 kilobytes per second)
\t512.000000 bytes written (1.459000 bytes per second)
"""


def values(parsed: Parsed, test: str, metric: str, **params: object) -> list[tuple]:
    return [
        result.values
        for result in parsed.results
        if (result.test, result.metric) == (test, metric)
        and all(result.params.get(name) == value for name, value in params.items())
    ]


def test_a_report() -> None:
    parsed = parse(REPORT)
    assert (parsed.tool, parsed.tool_version, parsed.complete) == ("postmark", None, True)
    assert parsed.clock_resolution == 1.0
    assert values(parsed, "total", "elapsed") == [(351.0,)]
    assert values(parsed, "transactions", "rate") == [(3.0,)]
    assert values(parsed, "create", "rate", phase=None) == [(2.0,)]
    assert values(parsed, "create", "rate", phase="alone") == [(55.0,)]
    assert values(parsed, "delete", "rate", phase="with_transactions") == [(1.0,)]
    assert values(parsed, "read", "throughput") == [(203.62 * 1024,)]
    assert values(parsed, "write", "throughput") == [(1.459,)]
    assert (parsed.parameters["files"], parsed.parameters["files_created"], parsed.unread) == (500, 757, ())


def test_a_rate_without_its_fraction_is_no_zero() -> None:
    appended = next(result for result in parse(REPORT).results if result.test == "append")
    assert (appended.status, appended.error) == ("unmeasurable", "PostMark printed 0 per second: it drops the fraction")


def test_what_was_not_done_has_no_result() -> None:
    parsed = parse(REPORT.replace("243 appended", "0 appended"))
    assert "append" not in {result.test for result in parsed.results}


def test_runs_of_one_workload_are_values_of_one_result() -> None:
    parsed = parse(golden("postmark-three_workloads.txt"))
    verbose, terse = values(parsed, "transactions", "elapsed")
    assert verbose == (3.0, 2.0)
    assert terse == (2.0, None)  # the last ran out of files
    assert values(parsed, "write", "throughput", files_created=49910) == [(297.37 * 1024**2,) * 2]
    assert parsed.tool_version == "1.51"
    assert any("Error: no transactions specified" in warning for warning in parsed.warnings)


def test_settings_that_a_file_changed_are_not_believed_of_the_next_run() -> None:
    parsed = parse(golden("postmark-three_workloads.txt"))
    assert [result.params.get("seed") for result in parsed.results if result.test == "total"] == [7, None]


def test_settings_that_were_typed() -> None:
    typed = "PostMark v1.51 : 8/14/01\npm>set number 500\npm>set size 500 9000\npm>run\n"
    parsed = parse(typed + REPORT + "pm>set size 600 9000\npm>run\n" + REPORT + "pm>exit\n")
    assert [apart(parsed, result) for result in parsed.results if result.test == "total"] == [
        {"min_size": 500},
        {"min_size": 600},
    ]
    assert (parsed.parameters["max_size"], parsed.unread) == (9000, ())


def test_a_run_that_was_cut_short() -> None:
    parsed = parse(REPORT[: REPORT.index("Data:")])
    assert not parsed.complete
    assert values(parsed, "total", "elapsed") == [(351.0,)]


def test_a_line_that_was_cut_is_not_read() -> None:
    assert parse(REPORT[: REPORT.index("203.62") + 16]).unread == ((16, "69.80 megabytes read (203.62 kilobytes"),)


def test_no_report() -> None:
    with pytest.raises(FormatError, match="no report is there"):
        parse("PostMark v1.51 : 8/14/01\npm>set number 500\n")


def test_runs_at_different_places_stay_apart() -> None:
    typed = "PostMark v1.51 : 8/14/01\npm>set location {}\npm>run\n" + REPORT
    parsed = parse(typed.format("/raid") + typed.format("/home/ann"))
    assert [apart(parsed, result) for result in parsed.results if result.test == "total"] == [
        {"place": "raid"},
        {"place": "home/ann"},
    ]
    shown = "PostMark v1.51 : 8/14/01\npm>show\nWorking directory: /mnt\npm>run\n" + REPORT
    assert parse(shown).parameters["location"] == "/mnt"


def test_the_data_lines_alone() -> None:
    data = (
        "{}\n\t100.00 megabytes read (2.00 megabytes per second)\n\t50.00 megabytes written ({} kilobytes per second)\n"
    )
    parsed = parse(data.format("kernel 2.4", "512.00") + "\n" + data.format("kernel 2.6", "256.00"))
    figures = {(result.test, result.params["section"]): result.values for result in parsed.results}
    assert (figures["read", "kernel 2.4"], figures["write", "kernel 2.4"]) == ((2 * 2.0**20,), (512 * 1024.0,))
    assert figures["write", "kernel 2.6"] == (256 * 1024.0,)


def test_no_time_is_0() -> None:
    parsed = parse(REPORT.replace("351 seconds total", "0 seconds total"))
    assert values(parsed, "total", "elapsed") == [(None,)]
