from __future__ import annotations

import pytest

from benchagent.formats import FormatError, Result, parse
from benchagent.formats.ffsb import reader as ffsb
from tests.agents.formats.texts import apart, golden


def results(text: str) -> dict[tuple[str, str, str], Result]:
    """(test, metric, params as text) → result."""
    parsed = parse(text)
    return {
        (each.test, each.metric, " ".join(f"{name}={value}" for name, value in apart(parsed, each).items())): each
        for each in parsed.results
    }


def values(text: str) -> dict[tuple[str, str, str], tuple[float | None, ...]]:
    return {key: tuple(each.values) for key, each in results(text).items()}


def group(number: int, threads: int, **settings: int) -> str:
    """A thread group of a profile, as FFSB 6 repeats it."""
    weights = {name: weight for name, weight in settings.items() if name not in ("read_blocksize", "write_blocksize")}
    lines = [f"ThreadGroup {number}", "================", f"\t num_threads      = {threads}", "\t"]
    for name in ("read_blocksize", "write_blocksize"):
        lines.append(f"\t {name:16s} = {settings.get(name, 0)}\t(4KB)")
    lines += ["\t wait time        = 0", "\t", "\t op weights"]
    lines += [f"\t {name:>20s} = {weight} (50.00%)" for name, weight in weights.items()]
    return "\n".join([*lines, "\t", ""])


def profile(*groups: str, smallest: int = 4096, largest: int = 4096, version: str = "6.0-RC2") -> str:
    place = "FileSystem /mnt/x\n==========\n\t num_dirs         = 10\n\t starting files   = 100\n\t\n"
    sizes = f"\t min file size    = {smallest}\t(4KB)\n\t max file size    = {largest}\t(4KB)\n"
    flags = "\t directio         = on\n\t alignedio        = off\n\t bufferedio       = off\n\t\n\t aging is off\n"
    begin = f"FFSB version {version} started\n\nbenchmark time = 60\n"
    return begin + "".join(groups) + place + sizes + flags + "\t current utilization = 8.52%\n\t\n"


BEGUN = """creating new fileset /mnt/x
fs setup took 3 secs
Syncing()...0 sec
Starting Actual Benchmark At: Fri Nov 20 15:15:28 2026

Syncing()...1 sec
FFSB benchmark finished   at: Fri Nov 20 15:16:30 2026

Results:
Benchmark took 61.50 sec

"""
HEAD = """             Op Name   Transactions\t Trans/sec\t% Trans\t    % Op Weight\t   Throughput
             =======   ============\t =========\t=======\t    ===========\t   ==========
"""
END = "\n\n0.5% User   Time\n10.8% System Time\n11.3% CPU Utilization\n"


def row(name: str, rate: str, throughput: str = "NA") -> str:
    return f"{name:>20s} : {1234:12d}\t{rate:>10s}\t50.000%\t\t50.000%\t{throughput:>13s}\n"


def table(title: str, *rows: str) -> str:
    return f"{title}\n===============\n{HEAD}{''.join(rows)}-\n20.50 Transactions per Second\n\n"


SIDES = "Throughput Results\n===================\nRead Throughput: 1.02e+03KB/sec\nWrite Throughput: 906MB/sec\n\n"
ONE_GROUP = group(0, 4, readall=1, create=1, delete=1, read_blocksize=4096, write_blocksize=8192)
TOTAL = table(
    "Total Results",
    row("readall", "10.00", "1.02e+03KB/sec"),
    row("create", "10.50", "906MB/sec"),
    row("delete", "2.00"),
)
RUN = profile(ONE_GROUP) + BEGUN + TOTAL + SIDES + END


def test_a_real_run_s_numbers_in_base_units() -> None:
    parsed = parse(golden("ffsb-create_16t.txt"))
    assert (parsed.tool, parsed.tool_version, parsed.complete, parsed.warnings) == ("ffsb", "6.0-RC2", True, ())
    assert (parsed.parameters["threads"], parsed.parameters["write_blocksize"]) == (16, 65536)
    assert parsed.parameters["create_weight"] == 1
    assert "delete_weight" not in parsed.parameters
    assert values(golden("ffsb-create_16t.txt")) == {
        ("create", "elapsed", ""): (17.17,),
        ("create", "rate", ""): (14489.32,),
        ("create", "throughput", ""): (906 * 1048576,),
        ("mix", "rate", ""): (14489.32,),
        ("mix_write", "throughput", ""): (906 * 1048576,),
        ("create", "cpu_of_one_core", "view=user"): (0.004,),
        ("create", "cpu_of_one_core", "view=system"): (1.326,),
        ("create", "cpu_of_one_core", ""): (1.33,),
    }


def test_its_own_numbers_show_that_a_megabyte_is_1024_times_1024_bytes() -> None:
    found = values(golden("ffsb-create_16t.txt"))
    [rate], [throughput] = found["create", "rate", ""], found["create", "throughput", ""]
    assert rate is not None
    assert throughput == pytest.approx(rate * 65536, rel=0.001)


def test_sizes_and_threads_come_from_the_profile() -> None:
    parsed = results(RUN)
    create, readall, total = parsed["create", "rate", ""], parsed["readall", "rate", ""], parsed["mix", "rate", ""]
    assert (create.file_size, create.record_size, create.threads) == (4096, 8192, 4)
    assert (readall.file_size, readall.record_size, readall.threads) == (4096, 4096, 4)
    assert (total.file_size, total.record_size, total.threads) == (None, None, 4)
    assert parse(RUN).parameters["direct"] is True
    assert parse(RUN).unread == ()


def test_three_digits_of_a_thousand_kilobytes() -> None:
    assert values(RUN)["mix_read", "throughput", ""] == (1020 * 1024,)


def test_an_operation_that_moves_no_data_has_no_throughput() -> None:
    assert ("delete", "rate", "") in values(RUN)
    assert ("delete", "throughput", "") not in values(RUN)


def test_sizes_that_vary_are_no_file_size() -> None:
    assert (
        results(RUN.replace("max file size    = 4096", "max file size    = 8192"))["create", "rate", ""].file_size
        is None
    )


def test_two_groups_have_results_of_their_own_and_a_total() -> None:
    groups = (group(0, 4, readall=1, read_blocksize=4096), group(1, 2, create=1, write_blocksize=8192))
    first, second = row("readall", "10.00", "40KB/sec"), row("create", "10.50", "84KB/sec")
    text = profile(*groups) + BEGUN + table("ThreadGroup 0", first) + table("ThreadGroup 1", second)
    text += table("Total Results", first, second) + END
    parsed = results(text)
    assert parsed["readall", "rate", "thread_group=0"].threads == 4
    assert parsed["create", "throughput", "thread_group=1"].threads == 2
    assert parsed["create", "rate", "thread_group=1"].record_size == 8192
    assert parsed["create", "rate", ""].threads == 6
    assert (parse(text).parameters["group_0_threads"], parse(text).parameters["group_1_threads"]) == (4, 2)
    assert parse(text).unread == ()


def test_runs_of_one_profile_are_values_and_of_others_are_told_apart() -> None:
    parsed = parse(RUN + RUN + RUN.replace("num_threads      = 4", "num_threads      = 8"))
    rates = [result for result in parsed.results if (result.test, result.metric) == ("create", "rate")]
    assert [(result.threads, apart(parsed, result), len(result.values)) for result in rates] == [
        (4, {}, 2),
        (8, {}, 1),
    ]
    assert "threads" not in parsed.parameters


def test_a_profile_that_a_child_printed_again_is_told_of_and_is_no_failure() -> None:
    parsed = parse(profile(ONE_GROUP) + RUN)
    assert parsed.warnings == ("line 1: this run has no results",)
    assert {each.status for each in parsed.results} == {"ok"}
    assert parsed.complete


def test_a_run_that_failed_has_ffsb_s_words() -> None:
    parsed = parse(profile(ONE_GROUP) + "creating new fileset /mnt/x\nfs setup on /mnt/x failed\n")
    [result] = parsed.results
    assert (result.test, result.status, result.error) == ("mix", "failed", "fs setup on /mnt/x failed")
    assert not parsed.complete


def test_a_run_cut_short_keeps_what_it_measured() -> None:
    parsed = parse(RUN[: RUN.index("Throughput Results")])
    assert {each.test for each in parsed.results} == {"readall", "create", "delete", "mix"}
    assert not parsed.complete
    assert "not complete" in parsed.warnings[0]


def test_latencies_of_system_calls_in_both_forms() -> None:
    begin = "\nSystem Call Latency statistics in millisecs\n=====\n"
    new = begin + "\t\tMin\t\tAvg\t\tMax\t\tTotal Calls\n\t\t========\t========\t========\t============\n"
    new += "[   open]\t0.013000\t0.269726\t124.470001\t         793\n   -\n"
    new += "[  write]\t0.004000\t0.079473\t420.509003\t       65956\n\t\t msec_range[0]\t0.0 - 50.0 :    65955\n\n"
    old = begin + "\t[open] count = 793 \n\t min = 0.013000 millisec \n\t avg = 0.269726 \n\t max = 124.470001\n"
    old += "\t\t bucket[0] 0.000000 - 50.000000 - 793\n"
    for text in (new, old):
        parsed = parse(RUN.replace(END, text + END))
        assert parsed.unread == ()
        latencies = {result.metric: result.values for result in parsed.results if result.test == "system_call_open"}
        assert latencies == {"latency_min": (1.3e-05,), "latency_mean": (0.000269726,), "latency_max": (0.124470001,)}


def test_version_5_names_one_operation_with_its_throughput() -> None:
    text = RUN.replace("6.0-RC2", "5.1").replace(HEAD, "").replace(row("create", "10.50", "906MB/sec"), "")
    text = text.replace(row("delete", "2.00"), "").replace(
        row("readall", "10.00", "1.02e+03KB/sec"), "Throughput: 12.34 append writes/sec -> 45.1MB/sec\n"
    )
    parsed = values(text)
    assert (parsed["append", "rate", ""], parsed["append", "throughput", ""]) == ((12.34,), (45.1 * 1048576,))
    assert parse(text).tool_version == "5.1"


def test_version_5_counts_the_operations_of_a_mix_and_gives_the_rate_of_all() -> None:
    text = RUN.replace(HEAD, "").replace(row("delete", "2.00"), f"{'delete':>20s} : 93 ops (12.500000%) \n")
    assert ("delete", "rate", "") not in values(text)
    assert values(text)["mix", "rate", ""] == (20.5,)
    assert parse(text).unread == ()


def test_an_aging_s_own_threads_are_not_the_run_s() -> None:
    aging = "\t desired utilization = 80.00%\n\t \n\t Aging ThreadGroup for fs /mnt/x\n\t ================\n"
    aging += group(0, 32, create=10).split("================\n")[1]
    parsed = parse(RUN.replace("creating new", aging + "creating new"))
    assert (parsed.parameters["threads"], parsed.parameters["aging_threads"]) == (4, 32)
    assert (parsed.parameters["fullness"], parsed.unread) == (0.8, ())


def test_results_alone_are_read() -> None:
    assert parse(TOTAL + SIDES + END).tool_version is None
    assert ("create", "rate", "") in values(TOTAL + SIDES + END)
    assert values((TOTAL + SIDES + END) * 2)["create", "rate", ""] == (10.5, 10.5)


def test_foreign_lines_are_unread() -> None:
    assert parse("hello\n" + RUN + "bye\n").unread == ((1, "hello"), (RUN.count("\n") + 2, "bye"))


def test_windows_lines_are_read() -> None:
    assert values(RUN.replace("\n", "\r\n")) == values(RUN)


def test_a_text_without_ffsb_is_refused() -> None:
    with pytest.raises(FormatError, match="neither the version nor results of FFSB"):
        ffsb.parse("nothing\n", "2")
