"""Tim Bray's Bonnie, and Bonnie-64."""

import pytest

from benchagent.formats import FormatError, parse

HEADER = """\
              -------Sequential Output-------- ---Sequential Input-- --Random--
              -Per Char- --Block--- -Rewrite-- -Per Char- --Block--- --Seeks---
Machine    MB K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU  /sec %CPU
"""
ROW = "box       256  3616 99.1 10135 14.6  5786 11.3  3312 98.6 17481 20.6 184.7  2.5\n"
SPEEDS = {"char_write": 3616, "block_write": 10135, "block_rewrite": 5786, "char_read": 3312, "block_read": 17481}


def test_a_row() -> None:
    parsed = parse(HEADER + ROW)
    assert (parsed.tool, parsed.tool_version, parsed.complete, parsed.unread) == ("bonnie", None, True, ())
    assert parsed.parameters == {"file_size": 256 * 1024**2}
    figures = {(r.test, r.metric): r.values for r in parsed.results}
    assert figures == {
        **{(test, "throughput"): (speed * 1024,) for test, speed in SPEEDS.items()},
        ("random_seek", "rate"): (184.7,),
        ("char_write", "cpu_of_one_core"): (0.991,),
        ("block_write", "cpu_of_one_core"): (0.146,),
        ("block_rewrite", "cpu_of_one_core"): (0.113,),
        ("char_read", "cpu_of_one_core"): (0.986,),
        ("block_read", "cpu_of_one_core"): (0.206,),
        ("random_seek", "cpu_of_one_core"): (0.025,),
    }
    assert {(r.file_size, r.threads, r.lines) for r in parsed.results} == {(256 * 1024**2, 1, (4,))}


def test_bonnie_64_prints_megabytes_a_second() -> None:
    """Its GB are 1000 MiB, as in its source."""
    header = HEADER.replace(" MB K", " GB M").replace("K/sec", "M/sec")
    parsed = parse(header + "EBS-1GB     1  50.0 77.0 454.5 75.9 155.8 19.6  58.0 77.0 1282.1 64.1 66666 66.7\n")
    assert (parsed.results[0].values, parsed.results[0].file_size) == ((50 * 1024**2,), 1000 * 1024**2)
    [seek] = [r for r in parsed.results if (r.test, r.metric) == ("random_seek", "rate")]
    assert seek.values == (66666,)


@pytest.mark.parametrize("name", ["box     ", "        ", "2001    ", "my box  "])
def test_names(name: str) -> None:
    parsed = parse(HEADER + name + ROW[8:])
    assert [r.values for r in parsed.results] == [r.values for r in parse(HEADER + ROW).results]


def test_rows_of_one_name_are_repetitions_and_of_several_are_apart() -> None:
    parsed = parse(HEADER + ROW + ROW.replace("3616", "3647") + ROW.replace("box", "cat"))
    values = {r.params["name"]: r.values for r in parsed.results if (r.test, r.metric) == ("char_write", "throughput")}
    assert values == {"box": (3616 * 1024, 3647 * 1024), "cat": (3616 * 1024,)}


@pytest.mark.parametrize(("end", "tests"), [(" 184.7  2.5", 5), (" 17481 20.6 184.7  2.5", 4), (" 20.6 184.7  2.5", 4)])
def test_a_row_that_ends_early_keeps_whole_pairs(end: str, tests: int) -> None:
    parsed = parse(HEADER + ROW.replace(end, ""))
    assert len({r.test for r in parsed.results}) == tests
    assert parsed.complete is False
    assert [warning for warning in parsed.warnings if "the row ends early" in warning]


def test_a_wrapped_table() -> None:
    wrapped = (HEADER + ROW).replace(" --Random--", "\n\t--Random--").replace(" --Seeks---", "\n\t--Seeks---")
    wrapped = wrapped.replace("  /sec %CPU", "\n/sec %CPU").replace(" 20.6 184.7", "\n\t 20.6 184.7")
    parsed = parse(wrapped)
    assert ([r.values for r in parsed.results], parsed.unread) == ([r.values for r in parse(HEADER + ROW).results], ())
    assert {r.lines for r in parsed.results if r.test == "random_seek"} == {(8,)}


def test_what_stands_around_it() -> None:
    before = "File './Bonnie.9598', size: 104857600\nWriting with putc()...done\nRewriting...done\n"
    before += "Seeker 1...Seeker 3...Seeker 2...start 'em...done...done...done...'\nTest4 performance numbers\n"
    assert parse(before + HEADER + ROW).unread == ((5, "Test4 performance numbers"),)


def test_a_failed_run() -> None:
    parsed = parse(HEADER + ROW + "Writing with putc()...Bonnie: drastic I/O error (putc): No space left on device\n")
    failed = [r for r in parsed.results if r.status == "failed"]
    assert [(r.test, r.error) for r in failed] == [
        ("char_write", "Bonnie: drastic I/O error (putc): No space left on device")
    ]


def test_without_a_row_it_is_refused() -> None:
    with pytest.raises(FormatError, match="line 1, column 1: Bonnie's table has no row with numbers"):
        parse(HEADER)


LATER = """\
File './Bonnie.77', size: 2147483648, volumes: 2
Writing with putc()...  done:   9801 kB/s  98.1 %CPU
Rewriting...            done:  65503 kB/s  52.3 %CPU
Writing intelligently...done: 109102 kB/s  51.2 %CPU
Reading with getc()...  done:   9804 kB/s  99.4 %CPU
Reading intelligently...done: 167205 kB/s  97.5 %CPU
Seeker 1...Seeker 2...Seeker 3...start 'em...done...done...done...
              ---Sequential Output (nosync)--- ---Sequential Input-- --Rnd Seek-
              -Per Char- --Block--- -Rewrite-- -Per Char- --Block--- --04k (03)-
Machine    MB K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU   /sec %CPU
       2*1024  9801 98.1 109102 51.2 65503 52.3  9804 99.4 167205 97.5 1504.6  6.6
"""


@pytest.mark.parametrize(
    "text",
    [
        LATER,
        LATER.replace("1504.6  6.6", "1504.6\n6.6"),
        LATER.replace("   2*1024", "box 2* 1024").replace("File", "Bonnie 1.2: File"),
        f"> {LATER}".replace("\n", "\n> "),
    ],
)
def test_later_versions_print_volumes_and_what_they_have_measured_so_far(text: str) -> None:
    parsed = parse(text)
    speeds = {r.test: r.values for r in parsed.results if r.metric == "throughput"}
    assert speeds == {
        "char_write": (9801 * 1024,),
        "block_write": (109102 * 1024,),
        "block_rewrite": (65503 * 1024,),
        "char_read": (9804 * 1024,),
        "block_read": (167205 * 1024,),
    }
    assert {r.file_size for r in parsed.results} == {2 * 1024**3}
    assert parsed.complete
    assert not [line for line in parsed.unread if line[1].strip()]


def test_where_the_table_never_came_the_numbers_before_it_count() -> None:
    parsed = parse(LATER[: LATER.index("Reading with")] + "Reading with getc()...\n")
    figures = {(r.test, r.metric): (r.values, r.lines) for r in parsed.results if r.status == "ok"}
    assert figures == {
        ("char_write", "throughput"): ((9801 * 1024,), (2,)),
        ("char_write", "cpu_of_one_core"): ((0.981,), (2,)),
        ("block_rewrite", "throughput"): ((65503 * 1024,), (3,)),
        ("block_rewrite", "cpu_of_one_core"): ((0.523,), (3,)),
        ("block_write", "throughput"): ((109102 * 1024,), (4,)),
        ("block_write", "cpu_of_one_core"): ((0.512,), (4,)),
    }
    assert [r.test for r in parsed.results if r.status == "failed"] == ["char_read"]
    assert not parsed.complete
    assert parsed.unread == ()


def test_a_row_of_other_columns_is_not_read() -> None:
    head = LATER[LATER.index("              -Per") : LATER.index("       2*1024")]
    with pytest.raises(FormatError):
        parse(head + "9801 98.1 109102 51.2 65503 52.3  9804 99.4 167205 97.5 1504.6  6.6\n")


def test_a_name_that_ends_with_a_number() -> None:
    text = HEADER + ROW.replace("box     ", "disk  8 ") + ROW.replace("box     ", "disk 16 ")
    found = {r.params["name"]: r.values for r in parse(text).results if r.test == "char_write" and r.unit == "B/s"}
    assert found == {"disk 8": (3616 * 1024,), "disk 16": (3616 * 1024,)}
    assert {r.file_size for r in parse(text).results} == {256 * 1024**2}
