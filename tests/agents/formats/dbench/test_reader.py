"""dbench's closing line and table of operations, of versions 1 to 4, whole, interrupted and failed."""

from __future__ import annotations

import pytest

from benchagent.formats import FormatError, Parsed, parse
from tests.agents.formats.texts import apart, golden


def values(parsed: Parsed, test: str, metric: str, **params: object) -> tuple | None:
    return next(
        (
            result.values
            for result in parsed.results
            if (result.test, result.metric, apart(parsed, result)) == (test, metric, params)
        ),
        None,
    )


def test_runs_of_the_same_load() -> None:
    parsed = parse(golden("dbench-two_runs.txt"))
    assert (parsed.tool_version, parsed.complete, parsed.unread) == ("4.00", True, ())
    assert values(parsed, "dbench", "throughput") == (2099.93e6, 1870.4e6)
    assert values(parsed, "dbench", "latency_max") == (0.005906, 0.012846)
    assert values(parsed, "flush", "latency_mean") == (None, None)  # 0.000 ms: too small to print
    assert {result.threads for result in parsed.results} == {2}
    assert parsed.parameters == {"runtime": 2, "load": "client.txt", "warmup": 0, "processes": 2}


def test_the_times_of_passes_are_known_and_no_results() -> None:
    text = golden("dbench-two_runs.txt")
    passes = "   0 completed in 422 ms at time 422 ms\n   1 completed in 358 ms at time 781 ms\n"
    start = text.rindex("\n", 0, text.index("cleanup")) + 1
    parsed = parse(text[:start] + passes + text[start:])
    assert parsed.unread == ()
    assert [result.values for result in parsed.results] == [result.values for result in parse(text).results]
    assert parse(text[:start] + "   0 completed in 422 s\n" + text[start:]).unread != ()


def test_each_client_s_operations() -> None:
    parsed = parse(golden("dbench-per_client.txt"))
    assert parsed.parameters["sync_open"] is True
    assert values(parsed, "rename", "latency_mean") == (0.000013,)
    assert {result.params.get("client") for result in parsed.results} == {None, 0, 1}


def test_an_interrupted_run_keeps_what_it_had_reached() -> None:
    parsed = parse(golden("dbench-interrupted.txt"))
    assert not parsed.complete
    assert values(parsed, "dbench", "throughput", view="running") == (2076.48e6,)
    failed = next(result for result in parsed.results if not apart(parsed, result))
    assert (failed.status, failed.error) == ("failed", "the output ends before dbench's closing line")


def test_a_run_that_failed_says_so_in_dbench_s_words() -> None:
    (failed,) = parse(golden("dbench-no_directory.txt")).results
    assert failed.status == "failed"
    assert "Child failed with status 1" in str(failed.error)


@pytest.mark.parametrize(
    ("line", "expected", "threads"),
    [
        ("Throughput 20.4314 MB/sec (NB=25.5392 MB/sec  204.314 MBit/sec)", 20431400.0, None),
        ("Throughput 7.25691 MB/sec (NB=9.07113 MB/sec  72.5691 MBit/sec)  16 procs", 7256910.0, 16),
        ("..+***Throughput 40.4878 MB/sec (NB=50.6098 MB/sec  404.878 MBit/sec) (sync mode)", 40487800.0, None),
        ("Throughput 278.614 MB/sec (sync open) 4 procs", 278614000.0, 4),
        ("Throughput 1.21e+04 MB/sec  8 clients  4 procs  max_latency=9.125 ms", 12.1e9, 8),
    ],
)
def test_closing_lines_of_all_versions(line: str, expected: float, threads: int | None) -> None:
    parsed = parse(line + "\n")
    assert (parsed.results[0].values, parsed.results[0].threads) == ((expected,), threads)
    assert parsed.complete


def test_what_somebody_wrote_behind_the_line_is_told() -> None:
    parsed = parse("Throughput 20.4314 MB/sec 4 procs - with hiccups\n")
    assert parsed.warnings == ("line 1: the end of the line was not read: - with hiccups",)


def test_no_result() -> None:
    with pytest.raises(FormatError, match="no result is there"):
        parse("dbench version 4.00 - Copyright Andrew Tridgell 1999-2004\n")
