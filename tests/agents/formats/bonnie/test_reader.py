from __future__ import annotations

import re

import pytest

from benchagent.formats import FormatError, parse
from benchagent.formats.vocabulary import BONNIE_TESTS
from tests.agents.formats.texts import golden, public

# The twelve results of format 1.98 in the order of bon_csv2html(1), each followed by its %CP, and the latencies.
RESULT_FIELDS = (9, 11, 13, 15, 17, 19, 26, 28, 30, 32, 34, 36)
FIRST_LATENCY = 38
CSV_1_96 = (
    "1.96,1.96,box,1,1329851830,8096M,,838,98,110033,7,48154,4,3609,79,134153,4,228.2,1,256,,,,,30301,79,+++++,+++,"
    "2525,2,31290,79,+++++,+++,1558,1,9829us,226ms,1759ms,112ms,160ms,2016ms,300ms,458us,6094ms,309ms,17us,3s"
)
PER_SECOND = {"us": 1_000_000, "ms": 1000, "s": 1}


def values(text: str, metric: str) -> dict[str, tuple[float | None, ...]]:
    return {result.test: result.values for result in parse(text).results if result.metric == metric}


@pytest.mark.parametrize(
    "name", ["bonnie-b200_32k.csv", "bonnie-table_and_csv.txt", "bonnie-create_only.csv", "bonnie-three_runs.txt"]
)
def test_every_cell_of_a_csv_line_is_a_value(name: str) -> None:
    """The second reader only counts commas."""
    text = golden(name)
    rows = [line.split(",") for line in text.splitlines() if line.startswith("1.98,")]
    results = {(result.test, result.metric): result.values for result in parse(text).results}
    expected: dict[tuple[str, str], tuple[float | None, ...]] = {}
    for index, test in enumerate(BONNIE_TESTS):
        field = RESULT_FIELDS[index]
        in_kib = test in ("char_write", "block_write", "block_rewrite", "char_read", "block_read")
        for name_of, column, factor in (
            ("throughput" if in_kib else "rate", field, 1024 if in_kib else 1),
            ("cpu_of_one_core", field + 1, 1 / 100),
        ):
            cells = [row[column] for row in rows]
            if any(cells):
                expected[test, name_of] = tuple(
                    None if "+" in cell else round(float(cell) * factor, 6) for cell in cells
                )
        latencies = [row[FIRST_LATENCY + index] for row in rows]
        if any(latencies):
            expected[test, "latency_max"] = tuple(in_seconds(latency) for latency in latencies)
    assert results.keys() == expected.keys()
    for key, numbers in expected.items():
        assert results[key] == numbers


def in_seconds(latency: str) -> float:
    match = re.fullmatch(r"(\d+)([a-z]+)", latency)
    assert match
    return int(match[1]) / PER_SECOND[match[2]]


def test_a_line_of_an_older_version() -> None:
    parsed = parse(CSV_1_96)
    assert (parsed.tool, parsed.tool_version, parsed.warnings) == ("bonnie++", "1.96", ())
    assert values(CSV_1_96, "throughput") == {
        "char_write": (838 * 1024,),
        "block_write": (110033 * 1024,),
        "block_rewrite": (48154 * 1024,),
        "char_read": (3609 * 1024,),
        "block_read": (134153 * 1024,),
    }
    assert values(CSV_1_96, "rate")["random_seek"] == (228.2,)
    assert values(CSV_1_96, "rate")["random_delete"] == (1558,)
    assert values(CSV_1_96, "cpu_of_one_core")["char_write"] == (0.98,)
    assert values(CSV_1_96, "latency_max")["random_delete"] == (3.0,)
    assert values(CSV_1_96, "latency_max")["char_write"] == (0.009829,)
    write = parsed.results[0]
    assert (write.file_size, write.record_size, write.threads, write.params) == (8096 * 1024**2, None, 1, {})
    assert write.unit == "B/s"


def test_plus_signs_are_unmeasurable() -> None:
    [stat] = [r for r in parse(CSV_1_96).results if (r.test, r.metric) == ("seq_stat", "rate")]
    assert (stat.status, stat.values) == ("unmeasurable", (None,))
    assert stat.error == "bonnie++ printed +++++: too fast for its half second"


def test_what_was_asked_for_is_in_the_params() -> None:
    results = parse(golden("bonnie-table_and_csv.txt")).results
    [seek] = [r for r in results if (r.test, r.metric) == ("random_seek", "latency_max")]
    [create] = [r for r in results if (r.test, r.metric) == ("seq_create", "latency_max")]
    assert seek.params == {"seeks": 100, "seekers": 2}
    assert create.params == {"files": 4096, "max_size": 1024, "min_size": 512, "directories": 4}
    assert (seek.file_size, seek.threads) == (64 * 1024**2, 2)
    assert (create.file_size, create.threads) == (None, 2)


def test_several_runs_are_several_values_of_one_result() -> None:
    parsed = parse(golden("bonnie-three_runs.txt"))
    assert {len(result.values) for result in parsed.results} == {3}
    [first, *_] = parsed.results
    assert all(before < after for before, after in zip(first.lines, first.lines[1:]))
    assert parsed.warnings == ()


def test_lines_of_several_machines_are_kept_apart() -> None:
    results = parse(CSV_1_96 + "\n" + CSV_1_96.replace(",box,", ",other,")).results
    assert {len(result.values) for result in results} == {1}
    assert {result.params["name"] for result in results} == {"box", "other"}


def test_tests_that_were_not_run_are_no_results() -> None:
    assert {result.test for result in parse(golden("bonnie-create_only.csv")).results} == set(BONNIE_TESTS[6:])


@pytest.mark.parametrize(
    ("cell", "replacement", "message"),
    [
        ("110033", "11oo33", "'11oo33' is no number"),
        ("226ms", "226", "'226' is no time in us, ms or s"),
        ("8096M", "big", "'big' is no size"),
        (",256,", ",2.5,", "'2.5' is no whole number"),
    ],
)
def test_a_broken_cell_is_refused_with_its_column(cell: str, replacement: str, message: str) -> None:
    text = "\n" + CSV_1_96.replace(cell, replacement)
    with pytest.raises(FormatError, match=re.escape(message)) as caught:
        parse(text)
    assert caught.value.line == 2
    assert text.split("\n")[1][caught.value.column - 1 :].startswith(replacement.strip(","))


def test_a_line_with_too_many_fields_is_refused() -> None:
    with pytest.raises(FormatError, match=r"49 fields where format 1\.96 has 48"):
        parse(CSV_1_96 + ",3s")


def test_a_name_with_commas() -> None:
    """bonnie++ does not quote the name; the concurrency, the seed and the size after it mark its end."""
    parsed = parse(CSV_1_96 + "\n" + CSV_1_96.replace("box", "b,1,ox"))
    assert {r.params["name"] for r in parsed.results} == {"box", "b,1,ox"}
    assert {r.values for r in parsed.results if r.test == "random_delete"} == {(1558.0,), (0.01,), (3.0,)}


@pytest.mark.parametrize("before", ["bonnie: ", "x", "   "])
def test_what_a_logger_put_before_a_line(before: str) -> None:
    parsed = parse(before + CSV_1_96.replace("box,1", "box,2"))
    assert (parsed.tool_version, parsed.warnings, {r.threads for r in parsed.results}) == ("1.96", (), {2})
    with pytest.raises(FormatError) as caught:
        parse(before + CSV_1_96.replace("110033", "11oo33"), "bonnie++")
    assert (before + CSV_1_96.replace("110033", "11oo33"))[caught.value.column - 1 :].startswith("11oo33")


def test_a_line_that_ends_early_keeps_what_is_there() -> None:
    parsed = parse(CSV_1_96[: CSV_1_96.index(",30301")])
    assert {result.test for result in parsed.results} == set(BONNIE_TESTS[:6])
    assert parsed.warnings == ("line 1: the line ends early: 24 of its fields are missing",)


# Lines as in the RAID article: two printed lines per record, a chunk size, 256 directories.
CSV_1_03 = (
    "ext2----,8G:32k,46572,98,244750,21,95767,12,79417,96,252522,17,389.2,1,\n"
    "256/256,29986,99,+++++,+++,184274,99,30054,97,430370,99,69779,99\n"
)


@pytest.mark.parametrize(
    "text",
    [
        CSV_1_03,
        CSV_1_03.replace(",1,\n", ",1,"),
        CSV_1_03.replace("1,\n256/256", "1,25\n6/256"),  # broken by a mail program, within a number
        CSV_1_03.replace("79417", "79\n417").replace(",1,\n", ",1,"),
        CSV_1_03.replace(",1,\n", ",1,\\\n        "),  # as a literal of a programming language
    ],
)
def test_a_line_of_1_03_wrapped_or_not(text: str) -> None:
    parsed = parse(text)
    assert (parsed.tool, parsed.tool_version, parsed.warnings, parsed.unread) == ("bonnie++", None, (), ())
    assert values(text, "throughput") == {
        "char_write": (46572 * 1024,),
        "block_write": (244750 * 1024,),
        "block_rewrite": (95767 * 1024,),
        "char_read": (79417 * 1024,),
        "block_read": (252522 * 1024,),
    }
    assert values(text, "rate") == {
        "random_seek": (389.2,),
        "seq_create": (29986,),
        "seq_stat": (None,),
        "seq_delete": (184274,),
        "random_create": (30054,),
        "random_stat": (430370,),
        "random_delete": (69779,),
    }
    [create] = [r for r in parsed.results if (r.test, r.metric) == ("seq_create", "rate")]
    assert create.params == {"files": 256 * 1024, "directories": 256}
    assert (parsed.results[0].file_size, parsed.results[0].record_size) == (8 * 1024**3, 32 * 1024)
    assert parsed.parameters == {
        "file_size": 8 * 1024**3, "chunk_size": 32 * 1024, "files": 256 * 1024, "directories": 256
    }  # fmt: skip


def test_each_value_of_a_wrapped_line_knows_its_own() -> None:
    lines = {(r.test, r.metric): r.lines for r in parse(CSV_1_03).results}
    assert (lines["random_seek", "rate"], lines["seq_create", "rate"]) == ((1,), (2,))


@pytest.mark.parametrize(
    ("spec", "params"),
    [
        ("16", {"files": 16384}),
        ("16:4096:0/2", {"files": 16384, "max_size": 4096, "directories": 2}),
        ("16:4096:512/20", {"files": 16384, "max_size": 4096, "min_size": 512, "directories": 20}),
        ("16:link", {"files": 16384, "file_type": "hard_link"}),
        ("16:symlink/3", {"files": 16384, "file_type": "symbolic_link", "directories": 3}),
    ],
)
def test_the_files_of_1_03(spec: str, params: dict[str, object]) -> None:
    results = parse(CSV_1_03.replace("256/256", spec)).results
    assert {str(r.params) for r in results if r.test == "seq_create"} == {str(dict(sorted(params.items())))}


def test_parts_that_were_not_run_in_1_03() -> None:
    """Without files, twelve fields are empty; without the large file, the size is empty, too."""
    large = parse("box,20G,,,51004,16,16199,12,,,39591,14,792.9,0,,,,,,,,,,,,,")
    assert {r.test for r in large.results} == {"block_write", "block_rewrite", "block_read", "random_seek"}
    files = parse("box,,,,,,,,,,,,,,16,94,40,+++++,+++,15510,66,204,86,+++++,+++,906,83")
    assert {r.test for r in files.results} == set(BONNIE_TESTS[6:])


def test_a_comma_that_1_96_left_out() -> None:
    """Without the large file, versions before 1.97 wrote one comma too few."""
    text = "1.96,1.96,box,1,1374655110,,,,,,,,,,,,,,60,32,32,,,1702,14,2025,12,1332,4,1873,16,2047,13,1266,3,,,,,,,"
    text += "3874ms,6645ms,8659ms,505ms,7257ms,9627ms"
    assert values(text, "rate")["seq_create"] == (1702,)
    assert values(text, "latency_max")["random_delete"] == (9.627,)


def test_the_first_format_with_a_version() -> None:
    """1.92 wrote neither concurrency nor seed, and called its format 2."""
    text = (
        "2,1.92b,box,1G,,374,99,106100,10,42402,7,3294,84,115634,6,244.8,1,16,,,,17472,25,+++++,+++,27040,26,25674,37,"
    )
    text += "+++++,+++,27615,28,28087us,5754ms,2176ms,34357us,217ms,260ms,627us,1084us,415us,826us,41us,53us"
    assert parse(text).tool_version == "1.92b"
    assert values(text, "throughput")["block_read"] == (115634 * 1024,)
    assert values(text, "rate")["random_delete"] == (27615,)
    assert values(text, "latency_max")["char_write"] == (0.028087,)


def test_a_line_without_its_head_is_counted_from_its_end() -> None:
    parsed = parse(CSV_1_96.replace("1.96,1.96,box,1,1329851830", "box"))
    assert parsed.warnings == ("line 1: the line lacks its versions: its fields were counted from its end",)
    assert [r.values for r in parsed.results] == [r.values for r in parse(CSV_1_96).results]


def test_a_number_that_a_line_ends_with_may_be_cut() -> None:
    parsed = parse(CSV_1_96[: CSV_1_96.index("154,4,3609")])
    assert parsed.complete is False
    assert [warning.partition(";")[2] for warning in parsed.warnings] == [
        " '48', which it ends with, may be cut and is left out"
    ]
    assert {r.test for r in parsed.results} == {"char_write", "block_write"}


def test_lines_that_only_look_a_little_like_it_are_not_read() -> None:
    for text in ("a,b,1,2,3,4,5,6,7,8,9\n", "box,8G,1,2,3\n", ",".join(["x"] * 27), "2,3,4,5,6,7,8,9,10,11,12,13\n"):
        with pytest.raises(FormatError, match="no supported tool printed this"):
            parse(text)


def test_headings_above_runs_tell_them_apart() -> None:
    results = parse(f"16 KB:\n{CSV_1_96}\n1024 KB:\n{CSV_1_96}\n{CSV_1_96}").results
    assert {(r.params["section"], len(r.values)) for r in results} == {("16 KB", 1), ("1024 KB", 2)}


def test_headings_that_count_runs_do_not() -> None:
    parsed = parse("".join(f"== run {number} ==\n{CSV_1_96}\n" for number in (1, 2, 3)))
    assert {(len(r.values), str(r.params)) for r in parsed.results if r.test == "char_write"} == {(3, "{}")}
    assert [text for _, text in parsed.unread] == ["== run 1 ==", "== run 2 ==", "== run 3 =="]


def test_numbers_that_do_not_count_runs_tell_them_apart() -> None:
    results = parse("".join(f"raid {number}:\n{CSV_1_96}\n" for number in (0, 1, 5))).results
    assert {r.params["section"] for r in results} == {"raid 0", "raid 1", "raid 5"}


def test_command_lines_are_read() -> None:
    parsed = parse(f"$ sudo -u nobody bonnie++ -d /mnt -f -b -r 8192 -n 0 > out.txt\n{CSV_1_96}")
    assert (parsed.command, parsed.unread) == ("bonnie++ -d /mnt -f -b -r 8192 -n 0", ())
    assert {"char_tests": False, "fsync": True, "memory": 8 * 1024**3}.items() <= parsed.parameters.items()


def test_different_command_lines_tell_runs_apart() -> None:
    parsed = parse(f"# bonnie++ -d /a\n{CSV_1_96}\n# bonnie++ -d /b\n{CSV_1_96}")
    assert {r.params["section"] for r in parsed.results} == {"bonnie++ -d /a", "bonnie++ -d /b"}
    assert parsed.command is None


def test_a_full_file_system_is_a_failed_test_in_its_own_words() -> None:
    parsed = parse(golden("bonnie-no_space.txt"))
    [failed] = parsed.results
    assert (failed.test, failed.metric, failed.status, failed.lines) == ("block_write", "throughput", "failed", (3,))
    assert failed.error == "Can't write block.: No space left on device; Can't write block 2560."
    assert (parsed.complete, parsed.unread) == (False, ())


def test_an_interrupted_run_has_failed_where_it_stopped() -> None:
    parsed = parse(golden("bonnie-interrupted.txt"))
    assert [(r.test, r.status) for r in parsed.results] == [("char_write", "failed")]
    assert parsed.complete is False


def test_a_run_after_a_failed_one_keeps_its_numbers() -> None:
    parsed = parse(golden("bonnie-no_space.txt") + golden("bonnie-table_and_csv.txt"))
    write = {r.status: r for r in parsed.results if (r.test, r.metric) == ("block_write", "throughput")}
    assert write["failed"].values == (None,)
    assert write["unmeasurable"].error == "bonnie++ printed +++++: too fast for its half second"


def test_a_caution_of_a_run_that_went_on_is_a_warning() -> None:
    text = "Delete files in random order...Can't sync directory, turning off dir-sync.\ndone.\n" + CSV_1_96
    parsed = parse(text)
    assert parsed.warnings == ("line 1: Can't sync directory, turning off dir-sync.",)
    assert all(r.status != "failed" for r in parsed.results)


def test_carriage_returns_and_quotes() -> None:
    text = golden("bonnie-chunk_and_seeks.txt")
    plain = parse(text)
    assert parse(text.replace("\n", "\r\n")).results == plain.results
    assert parse("".join(f"> {line}\n" for line in text.rstrip("\n").split("\n"))).results == plain.results


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("annttu__bonnie2gchart__bonnie.csv", 7),
        ("cunnie__cloud_storage_benchmarks__NVMe_4G.txt", 9),
        ("cunnie__cloud_storage_benchmarks__USB3_4TB_80G.txt", 9),
        ("GoogleCloudPlatform__PerfKitBenchmarker__bonnie-plus-plus-sample.txt", 1),
        ("ubuntuforums__AcharyaX__1.93c.txt", 1),
        ("unknown__lfs201-centos__1.97-fast.txt", 1),
    ],
)
def test_published_lines_of_other_versions(name: str, rows: int) -> None:
    """The second reader reads only block writes: field 9 (from 0) in formats before 1.98, field 4 in 1.03."""
    text = public(f"bonnie++/{name}")
    expected = [
        line.split(",")[9 if re.match(r"\s*1\.9\d\w?,", line) else 4]
        for line in text.splitlines()
        if line.count(",") > 20
    ]
    rates = [
        value for r in parse(text).results if (r.test, r.metric) == ("block_write", "throughput") for value in r.values
    ]
    assert len(expected) == rows
    assert rates == [None if "+" in cell else float(cell) * 1024 for cell in expected]
