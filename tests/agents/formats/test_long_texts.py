"""Long texts that are no tool's output: they are skipped without parsing, or refused."""

from __future__ import annotations

import tracemalloc
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent import formats
from benchagent.formats import FORMATS, FormatError, TextFormat
from benchagent.formats.reading.sources import source_texts
from benchagent.formats.reading.text import lines_with, split_lines

MIB = 1024 * 1024


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.TOOL)
@pytest.mark.parametrize("line", ["\n", "a: 1\n", "host 12.5 MB\n"])
def test_a_foreign_text_is_not_taken_apart_to_be_recognised(form: TextFormat, line: str) -> None:
    text = line * (MIB // 8 // len(line))
    tracemalloc.start()
    assert not form.recognises(text)
    (_, peak), _ = tracemalloc.get_traced_memory(), tracemalloc.stop()
    assert peak < 2 * len(text)  # one copy; a list of its lines would take eight times that


@given(st.lists(st.text("ab,\r ", max_size=5)).map("\n".join), st.lists(st.sampled_from(["a", "ab", ", ", "b"])))
def test_lines_with_marks_are_the_lines_that_hold_one(text: str, marks: list[str]) -> None:
    assert set(lines_with(text, *marks)) == {
        line for line in split_lines(text) if any(mark in f"{line}\r" for mark in marks)
    }


def test_a_text_of_too_many_lines_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "MOST_LINES", 3)
    with pytest.raises(FormatError, match="more than 3 lines"):
        formats.parse(b"a\n" * 4)
    with pytest.raises(FormatError, match="no supported tool printed this"):
        formats.parse("a\n" * 3)


def test_a_line_of_quoted_printable_that_never_ends_takes_linear_time() -> None:
    times = []
    for lines in (50_000, 400_000):
        begun = process_time()
        assert source_texts("=3D=\n" * lines, lambda _: False)[0].text == "=" * lines + "\n" * lines
        times.append(process_time() - begun)
    assert times[1] < 24 * times[0]  # 8 for linear, 64 for quadratic
