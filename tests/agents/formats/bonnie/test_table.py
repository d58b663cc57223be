"""bonnie++'s text tables, with and without their CSV lines."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.formats import FormatError, Parsed, parse
from benchagent.formats.bonnie.layouts import IO_TESTS, SIZE
from benchagent.formats.bonnie.table_row import read_row
from benchagent.formats.vocabulary import BONNIE_TESTS
from tests.agents.formats.texts import golden

TABLE = """\
Version  1.03       ------Sequential Output------ --Sequential Input- --Random-
                    -Per Chr- --Block-- -Rewrite- -Per Chr- --Block-- --Seeks--
Machine        Size K/sec %CP K/sec %CP K/sec %CP K/sec %CP K/sec %CP  /sec %CP
box              1G  3002  88 31164  60 13485  29  3035  84 32838  36  56.7   0
                    ------Sequential Create------ --------Random Create--------
                    -Create-- --Read--- -Delete-- -Create-- --Read--- -Delete--
              files  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP
                 16    94  40 +++++ +++ 15510  66   204  86 +++++ +++   906  83
"""
CSV = "box,1G,3002,88,31164,60,13485,29,3035,84,32838,36,56.7,0,16,94,40,+++++,+++,15510,66,204,86,+++++,+++,906,83\n"


def cells(parsed: Parsed) -> dict[tuple[str, str], tuple[float | None, ...]]:
    return {(r.test, r.metric): r.values for r in parsed.results}


def test_a_table_says_the_same_as_its_csv_line() -> None:
    table, csv = parse(TABLE), parse(CSV)
    assert cells(table) == cells(csv)
    assert (table.tool_version, table.complete, table.warnings, table.unread) == ("1.03", True, (), ())
    assert table.parameters == csv.parameters == {"file_size": 1024**3, "files": 16384}
    assert {(r.test, r.lines) for r in table.results if r.metric == "rate"} >= {
        ("random_seek", (4,)),
        ("seq_stat", (8,)),
    }


def test_a_chunk_size_that_is_a_unit_alone_is_no_size() -> None:
    """A mutation found this row, which once raised a ValueError."""
    with pytest.raises(FormatError):
        parse(TABLE.partition("                    ------Sequential Create")[0].replace("   1G ", " 1G:k:2 "))


def test_table_and_csv_line_of_one_run_count_once() -> None:
    for text in (TABLE + CSV, CSV + TABLE, f"{TABLE}\n\n{CSV}"):
        assert cells(parse(text)) == cells(parse(CSV))
        assert parse(text).warnings == ()
        assert parse(text).tool_version == "1.03"


def test_tables_and_csv_lines_of_several_runs_side_by_side() -> None:
    """Two bonnie++ ran at the same time and wrote into one file."""
    other = TABLE.replace("31164", "41164").replace("  94  40", " 104  40"), CSV.replace("31164", "41164")
    parsed = parse(TABLE + other[0] + other[1].replace(",94,", ",104,") + CSV)
    assert cells(parsed)["block_write", "throughput"] == (41164 * 1024, 31164 * 1024)
    assert parsed.warnings == ()


def test_a_table_that_disagrees_is_a_warning() -> None:
    parsed = parse(TABLE.replace("13485", "13486") + CSV)
    assert cells(parsed)["block_rewrite", "throughput"] == (13485 * 1024,)
    assert parsed.warnings == (
        "line 4: of block_rewrite the table says 13486, the CSV line 9 13485; the CSV line's is kept",
    )


def test_a_table_of_another_run_counts_apart() -> None:
    other = re.sub(r"\d\d\d\d\d? ", lambda match: str(int(match[0]) + 1111).rjust(len(match[0]) - 1) + " ", TABLE)
    assert len(cells(parse(other + CSV))["block_write", "throughput"]) == 2


def test_tests_that_were_not_run_are_blank() -> None:
    """-f omits the tests by character; a number wider than its column pushes the following ones to the right."""
    row = "box             20G           510041  16 161991  12           395911  14 792.9   0"
    table = parse(TABLE.replace(TABLE.split("\n")[3], row))
    tests = {test: values for (test, metric), values in cells(table).items() if metric == "throughput"}
    assert tests == {"block_write": (510041 * 1024,), "block_rewrite": (161991 * 1024,), "block_read": (395911 * 1024,)}
    assert "char_write" not in {r.test for r in table.results}
    assert table.results[0].file_size == 20 * 1024**3


@pytest.mark.parametrize("indent", ["", "    ", "\t"])
def test_headings_and_rows_may_be_indented(indent: str) -> None:
    assert cells(parse("".join(f"{indent}{line}\n" for line in TABLE.split("\n")))) == cells(parse(CSV))


def test_blanks_that_were_lost_are_not_guessed() -> None:
    """Without its columns, a row of eight numbers does not show which two tests were not run."""
    row = "box 20G 51004 16 16199 12 39591 14 792.9 0"
    parsed = parse(TABLE.replace(TABLE.split("\n")[3], row))
    assert parsed.unread == ((4, row),)
    assert not {r.test for r in parsed.results} & set(IO_TESTS)


def test_a_whole_row_needs_no_columns() -> None:
    squeezed = "\n".join(re.sub(" +", " ", line) for line in TABLE.split("\n"))
    assert cells(parse(squeezed)) == cells(parse(CSV))


def test_a_wrapped_table() -> None:
    """The table is broken at blanks after at most 60 columns, as a mail program does it."""
    wrapped = []
    for line in TABLE.rstrip("\n").split("\n"):
        at = line.rfind(" ", 0, 60)
        wrapped += [line[:at].rstrip(), line[at:].lstrip()]
    parsed = parse("\n".join(wrapped))
    assert cells(parsed) == cells(parse(CSV))
    assert (parsed.unread, parsed.complete) == ((), True)
    assert {r.lines for r in parsed.results if r.test == "random_seek"} == {(8,)}
    assert {r.lines for r in parsed.results if r.test == "char_write"} == {(7,)}


def test_a_cut_row_keeps_what_is_whole() -> None:
    line = TABLE.split("\n")[3]
    parsed = parse(TABLE[: TABLE.index("13485") + 8])
    assert cells(parsed) == {
        ("char_write", "throughput"): (3002 * 1024,),
        ("char_write", "cpu_of_one_core"): (0.88,),
        ("block_write", "throughput"): (31164 * 1024,),
        ("block_write", "cpu_of_one_core"): (0.6,),
        ("block_rewrite", "throughput"): (13485 * 1024,),
    }
    assert parsed.complete is False
    assert parsed.warnings == ("line 4: the row ends early: what it may have cut is left out",)
    assert "31164" in line


def test_a_table_that_ends_with_the_header_of_its_files() -> None:
    parsed = parse("".join(TABLE.splitlines(keepends=True)[:6]))
    assert {r.test for r in parsed.results} == set(IO_TESTS)
    assert parsed.complete is False


def test_rows_put_together_under_one_header() -> None:
    rows = TABLE.split("\n")
    second = rows[3].replace("box", "cat").replace("31164", "41164")
    parsed = parse("\n".join([*rows[:4], second, *rows[4:8], rows[7].replace("906", "907")]))
    by_name = {(r.test, r.params["name"]): r.values for r in parsed.results if r.metric in ("throughput", "rate")}
    assert (by_name["block_write", "box"], by_name["block_write", "cat"]) == ((31164 * 1024,), (41164 * 1024,))
    assert by_name["random_delete", "cat"] == (907,)
    assert parsed.warnings == ()


def test_rows_of_one_name_are_repetitions_with_a_warning() -> None:
    rows = TABLE.split("\n")
    parsed = parse("\n".join([*rows[:4], rows[3].replace("31164", "41164"), *rows[4:]]))
    assert cells(parsed)["block_write", "throughput"] == (31164 * 1024, 41164 * 1024)
    assert parsed.warnings == ("line 5: this row and the one above, of one name and size, are taken for repetitions",)


def test_the_scaled_numbers_of_2_00() -> None:
    """k, m and g are powers of 1024, and have fewer digits than the CSV line's."""
    table = parse(golden("bonnie-table_only.txt"))
    assert table.tool_version == "2.00a"
    assert cells(table)["char_write", "throughput"] == (1956 * 1024,)
    figures = cells(parse(golden("bonnie-table_only.txt").replace("1956k", " 1.4g").replace("2777k", "15.8m")))
    assert figures["char_write", "throughput"] == (1.4 * 1024**3,)
    assert figures["char_read", "throughput"] == (15.8 * 1024**2,)


def test_a_speed_of_2_00_without_its_unit_is_left_out() -> None:
    parsed = parse(golden("bonnie-table_only.txt").replace("1956k", "1956 "))
    assert ("char_write", "throughput") not in cells(parsed)
    assert [warning for warning in parsed.warnings if "the unit of char_write, '1956', is not stated" in warning]


def test_the_rates_of_files_in_2_00_are_none() -> None:
    """Version 2.00 prints the number of files as the rate: the CSV line of the same run has 3003 and 2054."""
    table = parse(golden("bonnie-table_only.txt"))
    [create] = [r for r in table.results if (r.test, r.metric) == ("seq_create", "rate")]
    assert (create.status, create.values) == ("unmeasurable", (None,))
    assert create.error == "bonnie++ 2.00a printed 4096, the number of files, where its table should have the rate"
    both = parse(golden("bonnie-table_only.txt") + golden("bonnie-b200_32k.csv"))
    assert cells(both)["seq_create", "rate"] == (3003,)
    assert [warning for warning in both.warnings if "has the number of files where the rates" in warning]


def test_the_table_tells_the_chunk_size_that_the_csv_line_of_2_00_lacks() -> None:
    assert parse(golden("bonnie-b200_32k.csv")).results[0].record_size is None
    both = parse(golden("bonnie-table_only.txt") + golden("bonnie-b200_32k.csv"))
    assert {r.record_size for r in both.results if r.test in IO_TESTS} == {32 * 1024}
    assert both.parameters["chunk_size"] == 32 * 1024


def test_sizes_chunks_processes_and_seeks_of_2_00() -> None:
    text = golden("bonnie-table_and_csv.txt")
    table = parse("\n".join(line for line in text.split("\n") if not line.startswith("1.98,")))
    [seek] = [r for r in table.results if (r.test, r.metric) == ("random_seek", "latency_max")]
    assert (seek.file_size, seek.record_size, seek.threads, seek.params) == (64 * 1024**2, 4096, 2, {"seeks": 100})
    [create] = [r for r in table.results if (r.test, r.metric) == ("seq_create", "latency_max")]
    assert create.params == {"files": 4096, "max_size": 1024, "min_size": 512, "directories": 4}


def test_latencies_belong_to_the_tests_that_were_run() -> None:
    text = golden("bonnie-chunk_and_seeks.txt").split("\n")
    at = next(number for number, line in enumerate(text) if line.startswith("my bo "))
    row, latencies = text[at : at + 2]
    blank = row[:19] + " " * 10 + row[29:], latencies[:17] + " " * 10 + latencies[27:]
    parsed = parse("\n".join([*text[at - 3 : at], *blank]))
    maxima = {test: values for (test, metric), values in cells(parsed).items() if metric == "latency_max"}
    assert maxima == {
        test: (int(word[:-2]) / 1e6,) for test, word in zip(IO_TESTS[1:], latencies.split()[2:], strict=True)
    }


def test_concurrency_of_1_9x() -> None:
    text = TABLE.replace("Version  1.03", "Version  1.97").replace(" " * 20 + "-Per", "Concurrency   4     -Per")
    assert {r.threads for r in parse(text).results} == {4}


def test_the_row_of_a_name_that_fills_its_room() -> None:
    text = TABLE.replace("box              1G", "store.example.ab 1G")
    assert cells(parse(text + CSV.replace("box", "store.example.abc.org"))) == cells(parse(CSV))


def test_headers_without_a_row_are_refused() -> None:
    with pytest.raises(FormatError, match=r"line 1, .*: no number of bonnie\+\+ can be read here"):
        parse("".join(TABLE.splitlines(keepends=True)[:3]))


WIDE = st.one_of(st.none(), st.tuples(st.integers(0, 10**9), st.integers(0, 999)))


@given(st.lists(WIDE, min_size=5, max_size=5), st.tuples(st.integers(1, 10**6), st.integers(0, 99)), st.integers(0, 9))
def test_any_row_as_printf_writes_it(cells: list[tuple[int, int] | None], last: tuple[int, int], indent: int) -> None:
    """Every number is read, for any selection of tests and any width of numbers."""
    pairs = [*cells, last]
    printed = "".join(" " * 10 if pair is None else f" {pair[0]:5d} {pair[1]:3d}" for pair in pairs)
    rows = read_row(" " * indent + "box              8G" + printed, re.compile(SIZE), 19 + indent)
    assert rows is not None
    texts = [None if cell is None else int(cell) for cell in rows[0].cells]
    assert texts == [number for pair in pairs for number in (pair or (None, None))]


def test_every_test_has_a_column() -> None:
    assert {r.test for r in parse(TABLE).results} == set(BONNIE_TESTS)
