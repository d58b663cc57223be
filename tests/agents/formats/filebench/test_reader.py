from __future__ import annotations

import pytest

from benchagent.formats import FormatError, Parsed, parse
from benchagent.formats.filebench import reader as filebench
from tests.agents.formats.crude import filebench as crude
from tests.agents.formats.crude.comparison import differences
from tests.agents.formats.texts import golden

SEED = golden("filebench-seed_micro.txt")


def head(personality: str = "Varmail", files: int = 1000) -> str:
    return (
        "Filebench Version 1.5-alpha3\n0.000: Allocated 177MB of shared memory\n"
        f"0.002: {personality} Version 3.0 personality successfully loaded\n"
        f"0.441: bigfileset populated: {files} files, avg. dir. width = 20, avg. dir. depth = 1.0, 0 leafdirs, 25MB\n"
        "1.131: Starting 1 filereader instances\n2.142: Running...\n"
    )


def row(name: str, ops: int, rate: int, mb: str = "0.0", times: str = "0.130ms/op [0.001ms - 14.796ms]") -> str:
    return f"{name:20s} {ops}ops {rate:8d}ops/s {mb:>5s}mb/s {times}\n"


def summary(clock: str, rate: str = "52165.249") -> str:
    return f"{clock}: IO Summary: 782784 ops {rate} ops/s 4742/0 rd/wr 1254.5mb/s   2.2ms/op\n"


def report(clock: str = "62.100", rate: int = 4741, reads: str = "2.5") -> str:
    rows = row("deletefile1", 71144, rate) + row("readfile2", 71144, 4741, reads)
    return f"{clock}: Per-Operation Breakdown\n{rows}{summary(clock)}"


END = "62.200: Shutting down processes\n"
TOOK = "62.099: Run took 60 seconds...\n"
RUN = head() + TOOK + report() + END


def values(parsed: Parsed, test: str, **params: object) -> dict[str, tuple[float | None, ...]]:
    return {
        each.metric: tuple(each.values)
        for each in parsed.results
        if each.test == test and params.items() <= each.params.items()
    }


def test_a_real_run_s_numbers_in_base_units() -> None:
    parsed = parse(SEED)
    assert (parsed.tool, parsed.tool_version, parsed.complete) == ("filebench", "1.5-alpha3", True)
    assert (parsed.warnings, parsed.unread) == ((), ())
    assert parsed.parameters["testF_files"] == 1000
    assert values(parsed, "readop") == {
        "rate": (490283.0,),
        "throughput": (478.8 * 1048576,),
        "latency_mean": (2e-6,),
        "latency_min": (1e-6,),
        "latency_max": (0.012034,),
    }
    assert values(parsed, "flowops") == {
        "rate": (1470849.029,),
        "throughput": (478.8 * 1048576,),
        "latency_mean": (2e-6,),
    }
    assert values(parsed, "flowops_read") == {"rate": (490283.0,)}
    assert values(parsed, "run") == {"elapsed": (10.0,)}
    assert differences(parsed, crude.cells(SEED)) == ({}, {})


def test_its_own_numbers_show_that_a_megabyte_is_1024_times_1024_bytes() -> None:
    found = values(parse(SEED), "readop")
    [rate] = found["rate"]
    assert rate is not None
    assert found["throughput"][0] == pytest.approx(rate * 1024, rel=1e-4)  # files of 1 KiB


def test_a_summary_s_time_per_read_or_write_is_not_taken_for_one_per_operation() -> None:
    """The same version divides by reads and writes if it prints one decimal, by all operations if three."""
    assert values(parse(RUN), "flowops", per="read or write") == {"latency_mean": (0.0022,)}
    assert values(parse(SEED), "flowops", per="read or write") == {}
    assert set(values(parse(OLD), "flowops", per="read or write")) == {"latency_mean", "cpu_per_operation"}


def test_an_operation_s_own_spelling_is_kept() -> None:
    assert {each.params.get("operation") for each in parse(SEED).results if each.test == "readop"} == {"readOP"}
    assert all("operation" not in each.params for each in parse(RUN).results)


def test_nought_is_no_number() -> None:
    [deleted] = [each for each in parse(RUN).results if (each.test, each.metric) == ("deletefile1", "throughput")]
    assert (deleted.status, deleted.error) == ("unmeasurable", "Filebench printed 0.0mb/s")


def test_an_operation_that_did_not_happen_has_no_times() -> None:
    nothing = row("limit", 0, 0, times="0.000ms/op [18446744073709.55ms -  0.00ms]")
    found = [each for each in parse(RUN.replace("deletefile1", "x") + nothing).results if each.test == "limit"]
    assert {each.error for each in found} == {"not once in this time"}


def test_personalities_of_one_text_never_meet() -> None:
    parsed = parse(RUN + head("Web-server") + TOOK + report(rate=5) + END + RUN)
    assert values(parsed, "deletefile1", personality="Varmail")["rate"] == (4741.0, 4741.0)
    assert values(parsed, "deletefile1", personality="Web-server")["rate"] == (5.0,)


def test_the_personality_is_in_every_result_of_one_run_too() -> None:
    assert {each.params["personality"] for each in parse(RUN).results} == {"Varmail"}


def test_runs_over_other_numbers_of_files_are_told_apart() -> None:
    parsed = parse(RUN + head(files=2000) + TOOK + report() + END)
    assert values(parsed, "deletefile1", bigfileset_files=2000)["rate"] == (4741.0,)
    assert "bigfileset_files" not in parsed.parameters


def test_reports_of_one_run_are_no_repetitions() -> None:
    text = head() + report("17.151", rate=1) + report("32.255", rate=2) + TOOK + report("62.100", rate=3) + END
    parsed = parse(text)
    assert [values(parsed, "deletefile1", report=place)["rate"] for place in (1, 2, 3)] == [(1.0,), (2.0,), (3.0,)]
    assert values(parsed, "run") == {"elapsed": (60.0,)}
    assert differences(parsed, crude.cells(text)) == ({}, {})


def test_variables_are_parameters() -> None:
    text = RUN.replace("2.142: Running", "0.002:     $nthreads=50\n0.002:     $dir=/tmp\n2.142: Running")
    assert (parse(text).parameters["nthreads"], parse(text).parameters["dir"]) == (50, "/tmp")


OLD = """FileBench Version 1.4.8.fsl.0.8
 2240: 0.000: Allocated 126MB of shared memory
 2240: 0.004: FileServer Version 2.2 personality successfully loaded
 2240: 0.004: Creating/pre-allocating files and filesets
 2240: 0.022: Fileset bigfileset: 10000 files, 0 leafdirs, avg dir width = 20, avg dir depth = 3.1, 1254.784MB
 2240: 5.566: Removed any existing fileset bigfileset in 6 seconds
 2240: 72.822: Running 'sync'
 2240: 72.853: Starting 2 filereader instances
 2603: 73.143: Starting 50 filereaderthread threads
 2604: 73.144: Starting 50 filereaderthread threads
 2240: 76.315: Running...
 2240: 86.413: Run took 10 seconds...
 2240: 86.424: Per-Operation Breakdown
readfile1            1154ops      114ops/s  13.9mb/s     95.9ms/op      158us/op-cpu [0ms - 846ms]
append-file          1144ops      113ops/s   0.0mb/s      0.0ms/op        9us/op-cpu [0ms - 2ms]
 2240: 86.424: IO Summary: 12782 ops, 1265.049 ops/s, (114/231 r/w),  29.5mb/s,    294us cpu/op, 138.4ms latency
 2240: 86.424: Shutting down processes
"""


def test_version_1_4_has_cpu_time_and_threads() -> None:
    parsed = parse(OLD)
    assert values(parsed, "readfile1") == {
        "rate": (114.0,),
        "throughput": (13.9 * 1048576,),
        "latency_mean": (0.0959,),
        "cpu_per_operation": (158e-6,),
        "latency_min": (None,),
        "latency_max": (0.846,),
    }
    assert values(parsed, "flowops")["cpu_per_operation"] == (294e-6,)
    assert values(parsed, "flowops_write") == {"rate": (231.0,)}
    assert values(parsed, "append_file", operation="append-file")["rate"] == (113.0,)
    assert {result.threads for result in parsed.results} == {100}
    assert (parsed.unread, parsed.warnings, parsed.complete) == ((), (), True)
    assert differences(parsed, crude.cells(OLD)) == ({}, {})


def test_versions_before_1_4_count_no_operations_in_their_rows() -> None:
    text = (
        " 1746: 95.062: Per-Operation Breakdown\n"
        "closefile4                492ops/s   0.0mb/s      0.0ms/op       35us/op-cpu\n"
        "readfile4                 492ops/s  10.6mb/s      0.4ms/op      243us/op-cpu\n"
        "\nIO Summary:      47374 ops 788.9 ops/s, (492/0 r/w)   24.5mb/s,   3000us cpu/op,   5.3ms latency\n"
        " 1746: 95.063: Shutting down processes\n"
    )
    parsed = parse(text)
    assert values(parsed, "readfile4")["throughput"] == (10.6 * 1048576,)
    assert values(parsed, "flowops")["rate"] == (788.9,)
    assert values(parsed, "flowops_write") == {"rate": (None,)}
    assert differences(parsed, crude.cells(text)) == ({}, {})


def test_a_run_that_filebench_gave_up_has_its_words() -> None:
    words = "NO VALID RESULTS! FileBench run terminated prematurely on line 91"
    parsed = parse(OLD + OLD[: OLD.index(" 2240: 86.413")] + f" 2240: 428.835: {words}\n 2240: 428.9: Shutting down\n")
    [failed] = [each for each in parsed.results if (each.test, each.metric) == ("flowops", "rate")]
    assert (failed.values, failed.error) == ((1265.049, None), words)


def test_a_run_that_died_leaves_its_place_empty_in_every_result() -> None:
    parsed = parse(RUN + head() + RUN)
    for result in parsed.results:
        assert len(result.values) == 3
        assert result.values[1] is None
    assert not parsed.complete
    assert parsed.warnings == (
        f"line {RUN.count(chr(10)) + 1}: the run is not complete: its end line (Shutting down processes) is missing",
    )


def test_a_report_alone_is_read() -> None:
    parsed = parse(report())
    assert values(parsed, "deletefile1")["rate"] == (4741.0,)
    assert not parsed.complete


def test_reports_whose_clock_goes_back_are_of_several_runs() -> None:
    assert values(parse(summary("62.100", "1.5") + summary("61.900", "2.5")), "flowops")["rate"] == (1.5, 2.5)
    parsed = parse(summary("61.900", "1.5") + summary("62.100", "2.5"))
    assert values(parsed, "flowops", report=2)["rate"] == (2.5,)


def test_operations_of_one_name_in_one_report_are_told_apart() -> None:
    parsed = parse(head() + report().replace("readfile2  ", "deletefile1") + END)
    assert values(parsed, "deletefile1", row=2)["throughput"] == (2.5 * 1048576,)


def test_a_command_names_the_workload() -> None:
    parsed = parse("$ sudo filebench -f seq-rd.f\n" + RUN)
    assert (parsed.command, parsed.parameters["definition"]) == ("sudo filebench -f seq-rd.f", "seq-rd.f")
    both = parse("# filebench -f a.f\n" + RUN + "# filebench -f b.f\n" + RUN)
    assert {each.params["definition"] for each in both.results} == {"a.f", "b.f"}


def test_foreign_lines_and_unknown_messages_are_unread() -> None:
    parsed = parse("make: done\n" + RUN.replace("2.142: Running", "2.100: Cannot lock\n2.142: Running"))
    assert parsed.unread == ((1, "make: done"), (7, "2.100: Cannot lock"))


def test_a_histogram_behind_a_row_is_passed_over() -> None:
    assert parse(RUN.replace("14.796ms]\n", "14.796ms]\t[ 0 0 3 71141 0 ]\n")).unread == ()


def with_message(message: str) -> Parsed:
    """The reading of a run that logs this message after its first one."""
    first, rest = golden("filebench-seed_micro.txt").split("\n", 1)
    return parse(f"{first}\n220306: 0.001: {message}\n{rest}")


def test_the_rate_of_its_event_generator_is_a_parameter() -> None:
    without = parse(golden("filebench-seed_micro.txt")).parameters
    assert with_message("Eventgen: 120 per second").parameters == {**without, "events_per_second": 120}
    of_variable = with_message("Eventgen rate taken from variable")
    assert (of_variable.unread, of_variable.parameters) == ((), without)
    assert [line for line, _ in with_message("Eventgen: many per second").unread] == [2]


def test_a_text_without_filebench_is_refused() -> None:
    with pytest.raises(FormatError, match="neither Filebench's version nor a report"):
        filebench.parse("nothing\n", "2")
