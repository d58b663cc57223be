from __future__ import annotations

import re

import pytest

from benchagent.formats import FormatError, parse
from benchagent.formats.vocabulary import BONNIE_TESTS
from tests.agents.formats.texts import golden, public

# Where bon_csv2html(1) puts the twelve results of format 1.98, each followed by its %CP, and the latencies.
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
    """The second reader counts commas and knows nothing else."""
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
    text = CSV_1_96 + "\n" + CSV_1_96.replace(",box,", ",other,")
    results = parse(text).results
    assert {len(result.values) for result in results} == {1}
    assert {result.params["name"] for result in results} == {"box", "other"}


def test_tests_that_were_not_run_are_no_results() -> None:
    names = {result.test for result in parse(golden("bonnie-create_only.csv")).results}
    assert names == set(BONNIE_TESTS[6:])


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
        parse(CSV_1_96.replace("box", "b,ox"))


def test_a_line_that_ends_early_keeps_what_is_there() -> None:
    parsed = parse(CSV_1_96[: CSV_1_96.index(",30301")])
    assert {result.test for result in parsed.results} == set(BONNIE_TESTS[:6])
    assert parsed.warnings == ("line 1: the line ends early: 24 of its fields are missing",)


def test_the_table_alone_is_refused() -> None:
    table = "".join(
        line + "\n" for line in golden("bonnie-table_and_csv.txt").split("\n") if not line.startswith("1.98")
    )
    with pytest.raises(FormatError, match="its table alone is not read"):
        parse(table)


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("annttu__bonnie2gchart__bonnie.csv", 6),
        ("cunnie__cloud_storage_benchmarks__NVMe_4G.txt", 9),
        ("cunnie__cloud_storage_benchmarks__USB3_4TB_80G.txt", 9),
        ("GoogleCloudPlatform__PerfKitBenchmarker__bonnie-plus-plus-sample.txt", 1),
        ("ubuntuforums__AcharyaX__1.93c.txt", 1),
        ("unknown__lfs201-centos__1.97-fast.txt", 1),
    ],
)
def test_published_lines_of_other_versions(name: str, rows: int) -> None:
    """The second reader looks at block writes only: fields 9 and 10 of formats before 1.98."""
    text = public(f"bonnie++/{name}")
    expected = [line.split(",")[9] for line in text.splitlines() if re.match(r"\s*1\.9\d\w?,", line)]
    found = [
        value for r in parse(text).results if (r.test, r.metric) == ("block_write", "throughput") for value in r.values
    ]
    assert len(expected) == rows
    assert found == [None if "+" in cell else float(cell) * 1024 for cell in expected]
