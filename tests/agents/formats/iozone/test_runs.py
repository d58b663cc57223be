"""Several runs in one text, runs described in prose, and iozone's rarer modes."""

import pytest

from benchagent.formats import FormatError, parse
from benchagent.formats.model import Parsed
from tests.agents.formats.texts import golden

KIB = 1024.0


def values(parsed: Parsed, test: str) -> list[tuple[dict, tuple]]:
    return [(dict(r.params), r.values) for r in parsed.results if r.test == test and "view" not in r.params]


def test_the_same_run_twice_gives_two_values() -> None:
    text = golden("iozone-seed_style_256M_1M.txt")
    once, twice = parse(text), parse(text + text.replace("1979369", "1979370"))
    assert [r.values[0] for r in twice.results] == [r.values[0] for r in once.results]
    assert {len(r.values) for r in twice.results} == {2}
    assert values(twice, "write") == [({}, (1979369 * KIB, 1979370 * KIB))]
    assert (twice.tool_version, twice.command, twice.complete) == ("3.489", once.command, True)
    assert not twice.warnings


def test_runs_under_other_options_stay_apart() -> None:
    text = golden("iozone-ops.txt")
    direct = text.replace("\tFile size set", "\tO_DIRECT feature enabled\n\tFile size set").replace("-O -s", "-O -I -s")
    parsed = parse(text + direct)
    assert values(parsed, "write") == [({}, (401155.0,)), ({"direct": True}, (401155.0,))]
    assert (parsed.parameters, parsed.command) == ({"file_size": 64 * 1024**2, "record_size": 4096}, None)
    assert any("2 different command lines" in warning for warning in parsed.warnings)


def test_runs_of_other_versions_stay_apart() -> None:
    text = golden("iozone-ops.txt")
    parsed = parse(text + text.replace("3.489", "3.506"))
    assert [params for params, _ in values(parsed, "write")] == [{"tool_version": "3.489"}, {"tool_version": "3.506"}]
    assert parsed.tool_version is None


def test_a_report_is_compared_with_the_table_of_its_own_run() -> None:
    text = golden("iozone-seed_style_256M_1M.txt")
    parsed = parse(text + text.replace("1979369", "1234567"))
    assert not parsed.warnings
    assert values(parsed, "write") == [({}, (1979369 * KIB, 1234567 * KIB))]


def test_a_run_that_failed_before_the_next() -> None:
    parsed = parse(golden("iozone-no_space.txt") + golden("iozone-auto_full_rows.txt"))
    assert not parsed.complete
    assert any("of the run that begins in line" in w or "is not complete" in w for w in parsed.warnings)
    assert {r.error for r in parsed.results if r.status == "failed"} == {
        "Error writing block 1536, fd= 3; write: No space left on device"
    }


def test_runs_of_tables_and_of_throughput_in_one_text() -> None:
    parsed = parse(golden("iozone-auto_full_rows.txt") + golden("iozone-throughput_t4.txt"))
    assert ({r.threads for r in parsed.results}, len(parsed.results)) == ({None, 4}, len(tuple(parsed.results)))


def test_cluster_mode() -> None:
    parsed = parse(golden("iozone-cluster.txt"))
    assert parsed.parameters["cluster"] is True
    assert values(parsed, "write")[0] == ({"cluster": True}, (644604.16 * KIB,))
    children = [r for r in parsed.results if r.test == "write" and r.params.get("view") == "child"]
    assert [(r.params["child"], r.values[0] / KIB, r.evidence) for r in children] == [
        (0, 325155.81, {"logical_bytes": 4 * 1024**2}),
        (1, 319448.34, {"logical_bytes": 4 * 1024**2}),
    ]
    assert (parsed.unread, parsed.complete) == ((), True)


def test_threads_and_children() -> None:
    assert parse(golden("iozone-threads_t2.txt")).parameters["posix_threads"] is True
    parsed = parse(golden("iozone-children_t2.txt"))
    assert [r.values[0] for r in parsed.results if r.params.get("child") == 1 and r.test == "write"] == [0.0]


def test_options_that_iozone_states() -> None:
    parsed = parse(golden("iozone-flags.txt"))
    assert parsed.parameters == {
        "sync": True,
        "close": True,
        "fsync": True,
        "direct": True,
        "file_size": 1024**2,
        "record_size": 65536,
    }
    assert [(r.test, r.values[0] / KIB) for r in parsed.results if r.values[0]] == [
        ("write", 1932227.0),
        ("read", 3722435.0),
        ("random_read", 3544270.0),
        ("random_write", 3345496.0),
    ]


def test_extended_tests_even_where_their_columns_touch() -> None:
    text = golden("iozone-extended.txt")
    table_only = parse(text[: text.index("Excel output is below")])
    assert table_only.results == parse(text).results
    assert [(r.test, r.values[0] / KIB) for r in table_only.results][-4:] == [
        ("pwrite", 13818817.0),
        ("repwrite", 14422045.0),
        ("pread", 15743686.0),
        ("repread", 17985196.0),
    ]


def test_the_table_of_auto_mode_2_has_four_columns() -> None:
    parsed = parse(golden("iozone-auto2.txt"))
    assert ({r.test for r in parsed.results}, parsed.unread) == ({"write", "rewrite", "read", "reread"}, ())


@pytest.mark.parametrize(
    ("command", "metric", "value"),
    [("iozone -a -s 100M", "throughput", 1024.0), ("iozone -aO", "rate", 1.0), ("iozone -Na", "latency_mean", 1e-6)],
)
def test_a_command_line_in_the_text_tells_the_unit(command: str, metric: str, value: float) -> None:
    rows = "              kB  reclen    write  rewrite\n          102400       4     1000     2000\n"
    parsed = parse(f"We ran `{command}` on an SD card:\n\n{rows}")
    assert [(r.metric, r.values) for r in parsed.results] == [(metric, (1000 * value,)), (metric, (2000 * value,))]
    assert any(command in warning for warning in parsed.warnings)
    with pytest.raises(FormatError, match="State it, or write the line above these numbers") as caught:
        parse(rows)
    assert caught.value.line == 2


def test_a_command_line_before_a_banner_says_nothing_of_the_banner_s_run() -> None:
    text = golden("iozone-ops.txt")
    assert parse(f"$ iozone -a -I -s 64M\n{text}").parameters == parse(text).parameters
    assert parse(f"$ iozone -O -s 64M\n{text}").results[0].values == parse(text).results[0].values


def test_numbers_without_a_unit_beside_others_are_unread() -> None:
    rows = "              kB  reclen    write  rewrite\n          102400       4     1000     2000\n"
    parsed = parse(rows + golden("iozone-auto_full_rows.txt"))
    assert (2, "102400       4     1000     2000") in parsed.unread
    assert any("line 2: not read: the unit is not stated" in warning for warning in parsed.warnings)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_reports_that_went_through_a_spreadsheet_program(separator: str) -> None:
    lines = [
        "Output is in kBytes/sec",
        "Writer report",
        "|4|8",
        "64|581273|",
        "128||805138",
        "Reader report",
        "|4",
        "64|7",
    ]
    parsed = parse("\n".join(lines).replace("|", separator) + "\n")
    assert [(r.test, r.file_size, r.record_size, r.values) for r in parsed.results] == [
        ("write", 65536, 4096, (581273 * KIB,)),
        ("write", 131072, 8192, (805138 * KIB,)),
        ("read", 65536, 4096, (7 * KIB,)),
    ]


def test_a_throughput_report_alone_needs_to_know_its_processes() -> None:
    text = golden("iozone-processes_1_to_3.txt")
    head, report = text[: text.index("\tChildren")], text[text.index('"Throughput report') :]
    results = [r for r in parse(text).results if not r.params]
    alone = parse(head + report)
    keys = {(r.test, r.threads, r.record_size, r.values) for r in results}
    assert ({(r.test, r.threads, r.record_size, r.values) for r in alone.results}, len(alone.results)) == (keys, 18)
    unknown = parse(f"Output is in kBytes/sec\n{report}").results
    assert all(r.threads is None and r.params["processes"] == "unknown" for r in unknown)
    assert [r.values for r in unknown] == [r.values for r in alone.results]
    assert sorted({r.params["column"] for r in unknown}) == [1, 2, 3]


def test_a_throughput_report_below_a_table_is_no_repetition_of_it() -> None:
    parsed = parse(
        "\tIozone: Performance Test of File I/O\n\tCommand line used: iozone -s 64 -r 64 -i 0\n"
        "\tFile size set to 64 kB\n"
        "\tOutput is in kBytes/sec\n              kB  reclen    write\n              64      64     1001\n\n"
        '"Throughput report Y-axis is type of test X-axis is number of processes"\n"Record size = 64 kBytes "\n'
        '"Output is in kBytes/sec"\n\n"  Initial write " 2002.00 \n\niozone test complete.\n'
    )
    assert values(parsed, "write") == [({}, (1001 * KIB,)), ({"processes": "unknown"}, (2002 * KIB,))]
    assert len(parsed.results) == len(tuple(parsed.results))


def test_lines_about_the_cpu_alone_are_of_the_writers() -> None:
    line = "CPU Utilization: Wall time   45.997    CPU time   64.527    CPU utilization 140.28 %\n"
    assert [(r.test, r.metric, r.values) for r in parse(line).results] == [
        ("write", "elapsed", (45.997,)),
        ("write", "cpu_time", (64.527,)),
        ("write", "cpu_of_one_core", (1.4028,)),
    ]
    with pytest.raises(FormatError, match="no result in it could be read"):
        parse(line.replace("Utilization: W", "utilization: W"))  # below every later test


@pytest.mark.parametrize("name", ["cpu_report_t2", "cpu_report_auto", "ops_auto", "ops_report_t2"])
def test_reports_of_our_own_runs_agree_with_their_tables(name: str) -> None:
    parsed = parse(golden(f"iozone-{name}.txt"))
    assert parsed.unread == ()
    assert not [w for w in parsed.warnings if "other numbers" in w or "another number" in w]


OLD_HEADER = (
    "              KB  reclen   write rewrite    read    reread    read   write    read  rewrite     read   fwrite\n"
)


def test_a_row_with_too_narrow_gaps_is_read_by_the_tests_asked_for() -> None:
    row = "          409600      64   31001   22002                    816003   10004                  3779005\n"
    text = f"Command line used: iozone -i0 -i2 -i5 -r 64k -s 400m\nOutput is in Kbytes/sec\n{OLD_HEADER}"
    figures = {r.test: r.values for r in parse(text + row).results}
    assert figures == {
        "write": (31001 * KIB,),
        "rewrite": (22002 * KIB,),
        "random_read": (816003 * KIB,),
        "random_write": (10004 * KIB,),
        "strided_read": (3779005 * KIB,),
    }
    with pytest.raises(FormatError, match="no result in it could be read: 409600"):
        parse(text + row.replace("816003", "      "))  # four numbers of five tests


def test_a_name_in_the_blanks_of_the_header_is_its_rows_label() -> None:
    head = "                                         random    random\n"
    table = f"{head}         kB  reclen    write  rewrite    read    reread    read     write\n"
    row = "     102400       4     3001     3002    12003    12004     9005     3006\n"
    named = table.replace("      ", "SSD  2", 1)
    results = parse(f"Output is in kBytes/sec\n{table}{row}\n{named}{row.replace('3001', '4001')}").results
    assert [(r.params, r.values) for r in results if r.test == "write"] == [
        ({}, (3001 * KIB,)),
        ({"label": "SSD  2"}, (4001 * KIB,)),
    ]


def test_a_quoted_command_line_tells_the_sizes_of_its_blocks() -> None:
    block = "Children see throughput for  {0} initial writers = 31.25 kB/sec\n"
    [known] = parse("$ iozone -t1 -i0 -r1k -s1g /tmp\n" + block.format(1)).results
    assert (known.file_size, known.record_size, known.threads) == (1024**3, 1024, 1)
    [other] = parse("$ iozone -t 32 -i0 -r1k -s1g /tmp\n" + block.format(2)).results
    assert (other.file_size, other.record_size, other.threads) == (None, None, 2)
    [several] = parse("$ iozone -t 1 -i0 -r1k -s1g -s 2g\n" + block.format(1)).results
    assert (several.file_size, several.record_size) == (None, 1024)


def test_blocks_tell_the_processes_of_a_report_whose_command_was_cut_away() -> None:
    block = "Children see throughput for 10 fwriters = 20.50 kB/sec\n"
    report = '"Throughput report Y-axis is type of test X-axis is number of processes"\n"Record size = 4 kBytes "\n'
    parsed = parse(f'{block}\n{report}"Output is in kBytes/sec"\n\n"  Initial write " 30.50 \n\n"  Fwrite " 20.50 \n')
    assert {(r.test, r.threads, r.values) for r in parsed.results} == {
        ("fwrite", 10, (20.5 * KIB,)),
        ("write", 10, (30.5 * KIB,)),
    }
    assert parsed.unread == ()


def test_runs_on_files_in_different_directories_stay_apart() -> None:
    run = (
        "\tIozone: Performance Test of File I/O\n\tCommand line used: iozone -a -f {0}/t\n\tOutput is in kBytes/sec\n"
        "              kB  reclen    write\n            1024       4     {1}\n\niozone test complete.\n"
    )
    two = parse(run.format("/mnt/ext4", 1001) + run.format("/mnt/xfs", 1002)).results
    assert {(r.params["place"], r.values) for r in two} == {
        ("ext4", (1001 * KIB,)),
        ("xfs", (1002 * KIB,)),
    }
    [same] = parse(run.format("/mnt/xfs", 1001) + run.format("/mnt/xfs", 1002)).results
    assert same.values == (1001 * KIB, 1002 * KIB)
    assert not same.params
