"""Spreadsheets of iozone -b, compared with the text of the same run."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchagent.formats import FormatError, parse
from benchagent.formats.model import Parsed
from tests.agents.formats.texts import GOLDEN, golden

WORKBOOKS = GOLDEN / "workbooks"
TEXTS = {
    "seed_style_256M_1M": "seed_style_256M_1M",
    "processes_1_to_3": "processes_1_to_3",
    "extended": "extended",
    "ops": "ops_auto",
    "ops_t2": "ops_report_t2",
    "cpu_report": "cpu_report_auto",
    "cpu_t2": "cpu_report_t2",
}


def workbook(name: str) -> bytes:
    return (WORKBOOKS / f"{name}.wks").read_bytes()


def cells(parsed: Parsed) -> dict:
    """The numbers that the reports repeat: sums over the processes, not the share of each."""
    return {
        (r.test, r.metric, r.file_size if r.threads is None else 0, r.record_size, r.threads): [
            pytest.approx(value, rel=1e-6, abs=6e-5) for value in r.values
        ]
        for r in parsed.results
        if r.metric not in ("elapsed", "cpu_time") and "view" not in r.params and r.status == "ok"
    }


@pytest.mark.parametrize("name", TEXTS)
def test_the_sheet_has_the_numbers_of_the_text(name: str) -> None:
    sheet, text = parse(workbook(name)), parse(golden(f"iozone-{TEXTS[name]}.txt"))
    actual = {
        (r.test, r.metric, r.file_size if r.threads is None else 0, r.record_size, r.threads): list(r.values)
        for r in sheet.results
    }
    assert actual == cells(text)
    assert (sheet.tool, sheet.command, sheet.complete, sheet.unread) == ("iozone", text.command, True, ())


def test_lines_are_rows_of_the_sheet() -> None:
    write, *_, last = parse(workbook("seed_style_256M_1M")).results
    assert (write.test, write.lines, write.values) == ("write", (6,), (1979369 * 1024.0,))
    assert (last.test, last.lines) == ("freread", (42,))


def test_an_unfinished_sheet_is_not_complete() -> None:
    parsed = parse(workbook("ops")[:-20])
    assert not parsed.complete
    assert any("its end is missing" in warning for warning in parsed.warnings)


def test_a_sheet_of_another_program_is_refused() -> None:
    with pytest.raises(FormatError, match="no supported tool printed this"):
        parse(b"\x09\x00\x04\x00\x02\x00\x10\x00\x0a\x00\x00\x00")


@settings(max_examples=300, deadline=None)
@given(
    name=st.sampled_from(sorted(TEXTS)),
    changes=st.lists(st.tuples(st.integers(4, 8000), st.binary(min_size=1, max_size=9)), max_size=4),
    end=st.integers(8, 9000),
)
def test_damaged_sheets_raise_nothing_but_format_errors(name: str, changes: list[tuple[int, bytes]], end: int) -> None:
    data = bytearray(workbook(name)[:end])
    for position, piece in changes:
        data[position : position + len(piece)] = piece
    try:
        parsed = parse(bytes(data), "iozone")
    except FormatError:
        return
    assert all(value is None or 0 <= value < float("inf") for r in parsed.results for value in r.values)
    assert len(parsed.results) == len(tuple(parsed.results))
