"""Prefixes before the lines of an output do not change the numbers, their lines and their columns."""

from __future__ import annotations

import quopri

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.formats import FormatError, Parsed, parse
from benchagent.formats.reading.sources import MAX_SOURCES, source_texts
from tests.agents.formats.texts import golden

TEXT = golden("iozone-auto_rw.txt")
THROUGHPUT = golden("iozone-throughput_t4.txt")


def prefixed(text: str, prefix: str) -> str:
    return "".join(f"{prefix}{line}\n" for line in text.splitlines())


def cells(parsed: Parsed) -> list[tuple]:
    return [
        (each.test, each.metric, each.file_size, each.record_size, each.values, each.lines) for each in parsed.results
    ]


@pytest.mark.parametrize("text", [TEXT, THROUGHPUT], ids=["table", "throughput"])
@pytest.mark.parametrize(
    "prefix", ["> ", ">", ">>> ", "> > ", "# ", "#", "2024-03-01 10:00:00 ", "Nov 21 22:50:58 ", "\x1b[0m"]
)
def test_marks_before_every_line_change_nothing(text: str, prefix: str) -> None:
    assert parse(prefixed(text, prefix)) == parse(text)


def test_a_byte_order_mark_and_the_blanks_of_web_pages_change_nothing() -> None:
    assert parse("\ufeff" + TEXT.replace(" ", "\u00a0")) == parse(TEXT)


def test_an_editor_that_cut_the_space_of_empty_lines_changes_nothing() -> None:
    quoted = "".join(f"> {line}".rstrip() + "\n" for line in TEXT.splitlines())
    assert parse(quoted) == parse(TEXT)


def test_a_remark_between_quoted_lines_is_told_as_unread() -> None:
    parsed = parse("On Friday somebody wrote:\n" + prefixed(TEXT, "> "))
    assert [cell[:5] for cell in cells(parsed)] == [cell[:5] for cell in cells(parse(TEXT))]
    assert parsed.unread[0] == (1, "On Friday somebody wrote:")


@pytest.mark.parametrize("text", [TEXT, THROUGHPUT], ids=["table", "throughput"])
def test_quoted_printable_is_undone_and_lines_keep_their_numbers(text: str) -> None:
    printable = quopri.encodestring(text.encode()).decode().replace(" kB/sec\n", " =\nkB/sec\n")
    assert "=3D" in printable
    assert "=\n" in printable
    parsed = parse(printable)
    assert [cell[:5] for cell in cells(parsed)] == [cell[:5] for cell in cells(parse(text))]
    lines = printable.splitlines()
    for result in parsed.results:
        assert all(any(word.isdigit() for word in lines[line - 1].replace(".", " ").split()) for line in result.lines)


@pytest.mark.parametrize("mark", ["{}: ", "{}:", "{}:12:", "{}  | "], ids=["pdsh", "grep", "grep-n", "compose"])
def test_lines_of_several_sources_are_taken_apart(mark: str) -> None:
    sources = ["node-1.example", "10.0.0.2"]
    pairs = zip(*(prefixed(TEXT, mark.format(source)).splitlines() for source in sources), strict=True)
    parsed = parse("".join(f"{line}\n" for pair in pairs for line in pair))
    plain = cells(parse(TEXT))
    for index, source in enumerate(sources):
        mine = [result for result in parsed.results if result.params.get("source") == source]
        assert [(result.test, result.file_size, result.record_size, result.values) for result in mine] == [
            (test, file_size, record_size, values) for test, _, file_size, record_size, values, _ in plain
        ]
        assert [result.lines for result in mine] == [
            tuple(2 * (line - 1) + index + 1 for line in lines) for *_, lines in plain
        ]
    assert len(parsed.results) == 2 * len(plain)


def test_columns_of_errors_are_those_of_the_text() -> None:
    line = golden("bonnie-b200_32k.csv").splitlines()[-1]
    broken = line.replace(",+++++,", ",2x0,", 1)
    with pytest.raises(FormatError) as plain:
        parse(broken)
    with pytest.raises(FormatError) as quoted:
        parse(prefixed(broken, "> "))
    assert (quoted.value.line, quoted.value.column) == (plain.value.line, plain.value.column + 2)


def test_words_before_colons_that_no_format_knows_are_no_sources() -> None:
    text = "Create: 1\nRead: 2\nDelete: 3\n"
    [part] = source_texts(text, lambda text: False)
    assert (part.source, part.text) == (None, text)


def test_more_sources_than_anybody_has_are_refused() -> None:
    text = "".join(f"node{number}: Iozone: Performance Test\n" for number in range(MAX_SOURCES + 1))
    with pytest.raises(FormatError, match=f"lines of {MAX_SOURCES + 1} sources"):
        parse(text)


def test_sources_of_several_tools_are_refused() -> None:
    text = prefixed(TEXT, "a: ") + prefixed(golden("bonnie-b200_32k.csv"), "b: ")
    with pytest.raises(FormatError, match=r"bonnie\+\+, iozone: split the text by tool"):
        parse(text)


@given(st.text(st.sampled_from("ab:>#| =3D\r\n\x1b["), max_size=200))
def test_any_text_keeps_its_number_of_lines(text: str) -> None:
    for part in source_texts(text, lambda text: True):
        assert len(part.text.rstrip("\n").split("\n")) <= text.count("\n") + 1


def test_quoted_printable_is_known_by_its_mail_header_or_its_breaks() -> None:
    table = (
        "Version 1.03        ------Sequential Output------ --Sequential Input- --Random-\n"
        "Machine        Size K/sec %CP K/sec %CP K/sec %CP K/sec %CP K/sec %CP  /sec %CP\n"
        "disk             4G 11000  40 22000   8 33000   5 44000  57 55000   3  61.5   0\n"
    )
    broken = "\n".join(f"{line[:74]}=\n{line[74:]}" for line in table.splitlines()) + "\n"
    head = "DKIM-Signature: v=1; b=ab\n c=\nContent-Transfer-Encoding: QUOTED-PRINTABLE\nX-Level: a=b\n\n"
    for text in (broken, head + broken):
        [seeks] = [r for r in parse(text).results if r.test == "random_seek" and r.metric == "rate"]
        assert seeks.values == (61.5,)
        assert seeks.lines == (5 + text.startswith("DKIM") * 5,)
