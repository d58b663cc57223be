"""sysbench's fileio test of versions 0.4, 1.0 and 1.1: tests by mode, sizes, failures, and texts without settings."""

import pytest

from benchagent.formats import FormatError, Parsed, parse
from tests.agents.formats.texts import golden


def values(parsed: Parsed) -> dict[tuple[str, str], tuple]:
    return {(result.test, result.metric): result.values for result in parsed.results}


def test_modes_of_1_0() -> None:
    parsed = parse(golden("sysbench-fileio.txt"))
    assert (parsed.tool_version, parsed.complete) == ("1.0.20", False)
    modes = {(result.test, result.params.get("mode")) for result in parsed.results}
    assert {("random_read", "rndrw"), ("random_write", "rndrw"), ("mix", "rndrw"), ("mix", "seqwr")} <= modes
    assert {("read", None), ("write", None), ("sync", None), ("random_read", None), ("create", None)} <= modes
    reads = next(result for result in parsed.results if result.test == "read")
    assert (reads.file_size, reads.record_size, reads.threads) == (8 * 2**20, 16384, 2)
    assert reads.params == {"files": 8, "engine": "sync", "fsync_every": 100, "end_fsync": True}


def test_a_run_that_failed_says_so_in_sysbench_s_words() -> None:
    [failed] = [result for result in parse(golden("sysbench-fileio.txt")).results if result.status == "failed"]
    assert failed.test == "random_read"
    assert "Cannot open file 'test_file.3'" in str(failed.error)


OLD = """sysbench 0.4.12:  multi-threaded system evaluation benchmark

Running the test with following options:
Number of threads: 4

Extra file open flags: 0
128 files, 64Mb each
8Gb total file size
Block size 16Kb
Number of random requests for random IO: 10000
Read/Write ratio for combined random IO test: 1.50
Periodic FSYNC enabled, calling fsync() each 100 requests.
Calling fsync() at the end of test, Enabled.
Using synchronous I/O mode
Doing random r/w test
Threads started!
Done.

Operations performed:  6008 Read, 3997 Write, 12800 Other = 22805 Total
Read 93.875Mb  Written 62.453Mb  Total transferred 156.33Mb  (2.9644Mb/sec)
  189.72 Requests/sec executed

Test execution summary:
    total time:                          52.7348s
    total number of events:              10005
    total time taken by event execution: 434.9929
    per-request statistics:
         min:                                  0.01ms
         avg:                                 43.48ms
         max:                               1105.16ms
         approx.  95 percentile:             180.46ms

Threads fairness:
    events (avg/stddev):           2501.2500/8.00
    execution time (avg/stddev):   108.7482/0.01
"""


def test_0_4_has_one_rate_of_reads_and_writes() -> None:
    parsed = parse(OLD)
    assert parsed.unread == ()
    assert values(parsed) == {
        ("mix", "throughput"): (2.9644 * 2**20,),
        ("mix", "rate"): (189.72,),
        ("mix", "latency_min"): (0.00001,),
        ("mix", "latency_mean"): (0.04348,),
        ("mix", "latency_max"): (1.10516,),
        ("mix", "latency_p95"): (0.18046,),
    }
    mix = parsed.results[0]
    assert (mix.file_size, mix.record_size, mix.threads) == (64 * 2**20, 16384, 4)
    assert (mix.params["mode"], mix.params["requests"], mix.params["read_write_ratio"]) == ("rndrw", 10000, 1.5)


def test_latencies_of_0_4_are_of_the_writes_of_a_mode_that_only_writes() -> None:
    parsed = parse(OLD.replace("random r/w", "sequential rewrite"))
    assert {result.test for result in parsed.results} == {"rewrite"}


def test_runs_of_the_same_settings_are_repetitions_and_others_are_not() -> None:
    assert parse(OLD + OLD).results[0].values == (2.9644 * 2**20,) * 2
    assert [r.threads for r in parse(OLD + OLD.replace("threads: 4", "threads: 8")).results if r.metric == "rate"] == [
        4,
        8,
    ]


def test_1_1_prints_rate_and_throughput_in_one_line() -> None:
    text = """Doing random r/w test
Throughput:
         read:  IOPS=1196.88 18.70 MiB/s (19.61 MB/s)
         write: IOPS=797.92 12.47 MiB/s (13.07 MB/s)
         fsync: IOPS=2558.97
Latency (ms):
         avg:                                    0.22
"""
    found = values(parse(text))
    assert (found[("random_read", "rate")], found[("random_write", "throughput")]) == ((1196.88,), (12.47 * 2**20,))
    assert (found[("sync", "rate")], found[("mix", "latency_mean")]) == ((2558.97,), (0.00022,))


def test_the_order_of_a_quoted_part_is_unknown_without_its_command() -> None:
    part = "Throughput:\n    read, MiB/s:                  42.46\n    written, MiB/s:               0.00\n"
    [result] = parse(part).results
    assert (result.test, result.params) == ("read", {"mode": "unknown"})
    [result] = parse(f"$ sysbench --test=fileio --file-test-mode=rndrd run\n{part}").results
    assert (result.test, result.params) == ("random_read", {})


def test_other_tests_of_sysbench_are_not_its_fileio() -> None:
    with pytest.raises(FormatError, match="no supported tool"):
        parse("sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)\n\nPrime numbers limit: 20000\n")
    with pytest.raises(FormatError, match="no result of a fileio test"):
        parse(OLD.partition("Operations")[0])
