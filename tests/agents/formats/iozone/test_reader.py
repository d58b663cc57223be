import re
from time import process_time

import pytest

from benchagent.formats import FormatError, parse
from tests.agents.formats.crude import iozone as crude
from tests.agents.formats.texts import golden, golden_names, public

TABLES = [
    "iozone-auto_rw.txt",
    "iozone-auto_partial.txt",
    "iozone-auto_full_rows.txt",
    "iozone-report_gaps.txt",
    "iozone-report_zeros.txt",
    "iozone-seed_style_256M_1M.txt",
    "iozone-cpu_util.txt",
    "iozone-gap_columns.txt",
    "iozone-interrupted.txt",
    "iozone-killed.txt",
    "iozone-no_space.txt",
]
THROUGHPUT = [
    "iozone-throughput_t4.txt",
    "iozone-throughput_all_tests.txt",
    "iozone-processes_1_to_2.txt",
    "iozone-cpu_t2.txt",
    "iozone-ops_t2.txt",
]
REPORTS = {
    "Writer": "write",
    "Re-writer": "rewrite",
    "Reader": "read",
    "Re-Reader": "reread",
    "Random read": "random_read",
    "Random write": "random_write",
    "Backward read": "backward_read",
    "Record rewrite": "record_rewrite",
    "Stride read": "strided_read",
    "Fwrite": "fwrite",
    "Re-Fwrite": "frewrite",
    "Fread": "fread",
    "Re-Fread": "freread",
}


@pytest.mark.parametrize("name", TABLES)
def test_every_number_of_a_table_is_its_cells_value(name: str) -> None:
    text = golden(name)
    parsed = parse(text)
    expected = {
        (test, file_size, record_size): (number * 1024.0, line)
        for line, row in crude.table_rows(text)
        for test, file_size, record_size, number in crude.words_of_row(row)
    }
    actual = {
        (result.test, result.file_size, result.record_size): (*result.values, *result.lines)
        for result in parsed.results
        if result.status == "ok"
    }
    assert len(expected) >= 4
    assert actual == expected
    assert {(result.metric, result.unit, result.threads) for result in parsed.results} == {("throughput", "B/s", None)}


def test_an_auto_mode_matrix_is_complete() -> None:
    parsed = parse(golden("iozone-auto_rw.txt"))
    assert (parsed.tool, parsed.tool_version) == ("iozone", "3.489")
    assert (parsed.command, parsed.clock_resolution) == ("iozone -a -g 64M -i 0 -i 1", 1e-6)
    assert len(parsed.results) == 396
    assert all("Timer resolution" in w or "inaccurate" in w for w in parsed.warnings)


@pytest.mark.parametrize("name", ["iozone-wide.txt", "iozone-wide_touching.txt", "iozone-wide_run_together.txt"])
def test_columns_that_touch_are_the_report_s_numbers(name: str) -> None:
    text = golden(name)
    parsed = parse(text)
    report = crude.report_cells(text)
    assert len(report) == 13
    for (title, file_size, record_size), number in report.items():
        result = crude.cell(parsed, REPORTS[title.removesuffix(" report")], "throughput", file_size, record_size)
        assert result.values == (int(number) * 1024.0,)


def test_touching_columns_are_cut_from_the_row_itself() -> None:
    """Without the report, the table must give the same numbers."""
    text = golden("iozone-wide_touching.txt")
    assert parse(text[: text.index("Excel output is below")]).results == parse(text).results


def test_a_row_that_can_be_cut_in_several_ways_is_not_guessed() -> None:
    text = golden("iozone-wide_run_together.txt")
    with pytest.raises(FormatError, match=r"line 29, column 1: .* no result in it could be read"):
        parse(text[: text.index("Excel output is below")])


def test_one_number_wider_than_its_field_is_read() -> None:
    text = golden("iozone-gap_columns.txt")
    [(_, row)] = crude.table_rows(text)
    parsed = parse(text.replace(row, row.replace("  1921082", "1234567890")))
    assert [result.values for result in parsed.results] == [
        (number * 1024.0,) for number in (1234567890, 4171080, 8127459, 8393502)
    ]


@pytest.mark.parametrize("name", ["iozone-report_gaps.txt", "iozone-seed_style_256M_1M.txt", "iozone-cpu_report.txt"])
def test_reports_alone_give_the_same_results(name: str) -> None:
    text = golden(name)
    header, table = text[: text.index("random    random")], text[text.index("iozone test complete") :]
    with_table = {key(result): result.values for result in parse(text).results}
    assert {key(result): result.values for result in parse(header + "\n" + table).results} == with_table


def key(result: object) -> tuple[object, ...]:
    return tuple(getattr(result, name) for name in ("test", "metric", "unit", "file_size", "record_size"))


def test_a_report_that_contradicts_the_table_is_a_warning() -> None:
    head, reports = golden("iozone-seed_style_256M_1M.txt").split("Excel output is below", 1)
    parsed = parse(head + "Excel output is below" + reports.replace("1979369", "1979360"))
    assert any("report of write has 1979360" in warning for warning in parsed.warnings)
    assert parsed.results[0].values == (1979369 * 1024.0,)


def test_cpu_reports_are_shares_of_one_core() -> None:
    parsed = parse(golden("iozone-cpu_report.txt"))
    shares = {result.test: result.values for result in parsed.results if result.metric == "cpu_of_one_core"}
    assert shares == {
        "write": (pytest.approx(0.9982),),
        "rewrite": (pytest.approx(0.9988),),
        "read": (pytest.approx(0.9968),),
        "reread": (pytest.approx(0.9971),),
    }


@pytest.mark.parametrize("name", THROUGHPUT)
def test_every_number_of_throughput_mode_is_a_value(name: str) -> None:
    text = golden(name)
    metric, factor = ("rate", 1.0) if "ops" in name else ("throughput", 1024.0)
    expected = {}
    for number, line in crude.numbered(text):
        if match := re.search(r"(Min )?(?:throughput) .*= *([\d.]+) (?:kB|ops)/sec", line):
            value = float(match[2]) * factor
            expected[number] = [value if value or match[1] else None]
    assert len(expected) >= 20
    assert crude.values_by_line(parse(text), metric) == expected


def test_throughput_mode_names_what_each_number_is() -> None:
    results = parse(golden("iozone-throughput_t4.txt")).results
    write = [result for result in results if result.test == "write"]
    assert [(result.params, result.values) for result in write] == [
        ({}, (5997922.12 * 1024,)),
        ({"view": "parent"}, (2117592.84 * 1024,)),
        ({"view": "min"}, (1246714.12 * 1024,)),
        ({"view": "max"}, (1843175.25 * 1024,)),
        ({"view": "avg"}, (1499480.53 * 1024,)),
    ]
    assert {(r.file_size, r.record_size, r.threads) for r in results} == {(64 * 1024**2, 1024**2, 4)}
    names = list(dict.fromkeys(result.test for result in results))
    assert names == ["write", "rewrite", "read", "reread", "random_read", "random_write"]


def test_throughput_mode_with_cpu_lines() -> None:
    results = parse(golden("iozone-cpu_t2.txt")).results
    cpu = [r.values[0] for r in results if r.metric == "cpu_of_one_core"]
    assert cpu == pytest.approx([1.8233, 1.9899, 1.9984, 1.9545])
    assert [r.values[0] for r in results if r.metric == "elapsed"] == [0.002, 0.006, 0.006, 0.007]


def test_slow_processes_are_a_warning() -> None:
    [first, *_] = parse(golden("iozone-throughput_t4.txt")).warnings
    assert first == ("line 34: write with 4 processes: the slowest had done 72% of its file when the first was done")


def test_processes_from_one_to_two() -> None:
    results = parse(golden("iozone-processes_1_to_2.txt")).results
    assert [(r.threads, r.values) for r in results if r.test == "write" and not r.params] == [
        (1, (2638501.25 * 1024,)),
        (2, (4142793.38 * 1024,)),
    ]


def test_throughput_mode_on_a_full_file_system_has_failed() -> None:
    results = parse(golden("iozone-no_space_t2.txt")).results
    write = next(result for result in results if result.test == "write" and not result.params)
    assert (write.status, write.values) == ("failed", (None,))
    assert write.error == "Error writing block 50, fd= 3; Error writing block 45, fd= 3"


def test_operations_per_second() -> None:
    parsed = parse(golden("iozone-ops.txt"))
    assert [(r.test, r.metric, r.unit, r.values) for r in parsed.results][:2] == [
        ("write", "rate", "op/s", (401155.0,)),
        ("rewrite", "rate", "op/s", (1083172.0,)),
    ]


def test_microseconds_per_operation_and_cells_too_fast_to_measure() -> None:
    write, *others = parse(golden("iozone-microseconds.txt")).results
    assert (write.metric, write.unit, write.values) == ("latency_mean", "s", (2e-6,))
    assert {result.status for result in others} == {"unmeasurable"}
    assert {result.values for result in others} == {(None,)}


def test_a_zero_is_unmeasurable_and_not_a_value() -> None:
    results = parse(golden("iozone-zeros.txt")).results
    assert [(r.test, r.status, r.values) for r in results] == [
        ("write", "unmeasurable", (None,)),
        ("rewrite", "unmeasurable", (None,)),
    ]


def test_retests_that_were_not_run_are_no_results() -> None:
    parsed = parse(golden("iozone-no_retest.txt"))
    assert [result.test for result in parsed.results] == ["write", "read"]
    assert any("were not run" in warning for warning in parsed.warnings)


@pytest.mark.parametrize(
    ("name", "test", "sizes", "error"),
    [
        ("no_space", "write", (8192, 4), "Error writing block 1536, fd= 3; write: No space left on device"),
        ("interrupted", "strided_read", (32768, 128), "iozone: interrupted; exiting iozone"),
        ("killed", "write", (32768, 1024), "the output ends in this row"),
        (
            "no_file",
            "read",
            (16384, 16384),
            "Can not open temporary file iozone.tmp for read; open: No such file or directory",
        ),
    ],
)
def test_an_interrupted_run_keeps_what_was_measured(name: str, test: str, sizes: tuple[int, int], error: str) -> None:
    parsed = parse(golden(f"iozone-{name}.txt"))
    failed = [result for result in parsed.results if result.status == "failed"]
    assert (failed[0].test, {(cell.values, cell.error) for cell in failed}) == (test, {((None,), error)})
    assert {(cell.file_size, cell.record_size) for cell in failed} == {(sizes[0] * 1024, sizes[1] * 1024)}
    # The tests before the failure were measured, the rest of the row was not.
    measured = [r.test for r in parsed.results if r.lines == failed[0].lines and r.status == "ok"]
    order = [name for name in crude.TESTS if name in {*measured, *(cell.test for cell in failed)}]
    assert order == [*measured, *(cell.test for cell in failed)]
    assert any("not complete" in warning for warning in parsed.warnings)


def test_a_number_cut_short_is_not_a_value() -> None:
    text = golden("iozone-auto_full_rows.txt")
    [*_, (line, row)] = crude.table_rows(text)
    parsed = parse(text[: text.index(row) + 130])
    assert max(r.file_size or 0 for r in parsed.results) == 1024**2
    last = [r for r in parsed.results if line in r.lines]
    assert [(r.test, r.status) for r in last[-3:]] == [("frewrite", "ok"), ("fread", "failed"), ("freread", "failed")]


def test_a_text_without_its_unit_is_not_guessed() -> None:
    text = golden("iozone-auto_full_rows.txt").replace("Output is in kBytes/sec", "")
    with pytest.raises(FormatError, match="unit is not stated") as caught:
        parse(text)
    assert caught.value.line == 28


def test_windows_line_ends_change_nothing() -> None:
    text = golden("iozone-seed_style_256M_1M.txt")
    assert parse(text.replace("\n", "\r\n")) == parse(text)


def test_lines_nobody_reads_are_warnings() -> None:
    text = golden("iozone-ops.txt")
    parsed = parse("a foreign line\nand another\n" + text + "\n\nthe end\n")
    assert "lines 1 to 2 were not read: a foreign line" in parsed.warnings
    assert any(warning.endswith("was not read: the end") for warning in parsed.warnings)


def test_time_grows_with_the_rows_and_no_faster() -> None:
    """Ten times as many rows take about ten times as long; with a quadratic reader, a hundred times as long."""

    text = golden("iozone-auto_full_rows.txt")
    [(_, row), *_] = crude.table_rows(text)

    def seconds(rows: int) -> float:
        many = text.replace(row, "\n".join(f"{64 * (i + 1):16}" + row[16:] for i in range(rows)))
        times = []
        for _ in range(3):
            start = process_time()
            assert len(parse(many).results) >= rows * 13
            times.append(process_time() - start)
        return min(times)

    assert seconds(20_000) < 40 * seconds(2_000)


@pytest.mark.parametrize("name", golden_names("iozone-"))
def test_results_are_unique(name: str) -> None:
    results = parse(golden(name)).results
    keys = [(key(result), result.threads, tuple(sorted(result.params.items()))) for result in results]
    assert len(keys) == len(set(keys))


class TestPublished:
    """Other people's files, read in place."""

    MATRICES = (
        "Demindiro__bcachefs-benchmarks__encryption-2",
        "ilkermanap__iozoneparser__sample.txt",
        "psteinb__iozone2csv__iozone.out",
        "GlennOlsson__FFS__gcsf.log",
    )

    @pytest.mark.parametrize("name", MATRICES)
    def test_matrices_of_other_versions(self, name: str) -> None:
        text = public(f"iozone/{name}")
        values = crude.values_by_line(parse(text), "throughput")
        rows = dict(crude.table_rows(text))
        assert len(rows) >= 8
        for line, row in rows.items():
            assert values[line] == [int(word) * 1024.0 for word in row.split()[2:]]

    def test_the_older_table_with_narrow_columns(self) -> None:
        results = parse(public("iozone/Cloudxtreme__cdx_docs__iozone.txt")).results
        printed = (133097, 213856, 1771539, 1774144, 1427427, 1338, 1920882, 908820, 1725431)
        printed += (166013, 209538, 1775145, 1791124)
        assert [result.values for result in results] == [(number * 1024.0,) for number in printed]
