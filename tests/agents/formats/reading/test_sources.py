"""Prefixes before the lines of an output do not change the numbers, their lines and their columns."""

from __future__ import annotations

import quopri

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.formats import FormatError, Parsed, parse
from benchagent.formats.reading.prefixes import common_mark
from benchagent.formats.reading.sources import MAX_SOURCES, source_texts
from tests.agents.formats.texts import golden
from tests.texts import missing_in

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


MARKS = {
    "cat -n": "{number:6}\t{line}\n",
    "grep -n": "{number}:{line}\n",
    "grep -nA": "{number}-{line}\n",
    "journal": "Nov 26 17:18:05 host fio[123]: {line}\n",
    "journal with dates of ISO 8601": "2026-11-26T17:18:05+0100 host iozone-run.sh[123]: {line}\n",
    "mail": "> {line}\n",
}
DIFF = "diff --git a/out.txt b/out.txt\nindex 1234567..89abcde 100644\n--- a/out.txt\n+++ b/out.txt\n"


def values(text: str, tool: str | None = None) -> list[tuple]:
    return [(each.test, each.metric, each.params, each.values, each.lines) for each in parse(text, tool).results]


@pytest.mark.parametrize("name", ["iozone-auto_rw.txt", "fio-randread.json", "ffsb-create_16t.txt", "time-session.txt"])
def test_marks_of_few_lines_change_nothing(name: str) -> None:
    """The output is a small part of the text, with other words before and behind it."""
    text = golden(name).replace("\x1b[?2004h", "").replace("\x1b[?2004l", "")
    lines = text.rstrip("\n").replace("\r", "").split("\n")
    text = "\n".join([*lines, ""])
    around = "Somebody wrote this.\n" * len(lines)
    plain = values(around + text + around)
    for mark in MARKS.values():
        marked = "".join(mark.format(number=number, line=line) for number, line in enumerate(lines, 1))
        assert values(around + marked + around) == plain, mark
        assert values(marked) == values(text), mark


def test_a_journal_of_several_hosts_is_refused() -> None:
    text = prefixed(TEXT, "Nov 26 17:18:05 one run[1]: ") + prefixed(TEXT, "Nov 26 17:19:05 two run[2]: ")
    with pytest.raises(FormatError, match=r"journal of 2 hosts.*one, two.*: split it by host"):
        parse(text)


def test_a_diff_gives_its_new_side_and_its_old_side_if_both_are_complete() -> None:
    count = len(TEXT.splitlines())
    head = f"{DIFF}@@ -1,{count} +1,{count} @@\n"
    numbers = [each.values for each in parse(TEXT).results]
    for before, sections in ((TEXT, ["before", "after"]), (TEXT[: len(TEXT) // 2], [None])):
        old = prefixed(before, "-")
        parsed = parse(head.replace(f"-1,{count}", f"-1,{len(before.splitlines())}") + old + prefixed(TEXT, "+"))
        assert list(dict.fromkeys(each.params.get("section") for each in parsed.results)) == sections
        assert [each.values for each in parsed.results if each.params.get("section") != "before"] == numbers
        assert parsed.unread == tuple(enumerate(DIFF.splitlines(), start=1))
        assert any("the lines that the diff removes are not read" in words for words in parsed.warnings) == (
            len(sections) == 1
        )
    changed = "".join(f"-{line}\n+{line}\n" if "reclen" in line else f" {line}\n" for line in TEXT.splitlines())
    assert {each.params["section"] for each in parse(head + changed).results} == {"before", "after"}
    added = f"{DIFF}@@ -0,0 +1,{count} @@\n{prefixed(TEXT, '+')}"
    assert [each.values for each in parse(added).results] == numbers
    assert all(not each.params for each in parse(added).results)


def test_an_output_without_a_number_that_can_be_read_is_refused() -> None:
    lines = (f"{'Ann' if number % 2 else 'Bob'}> {line}\n" for number, line in enumerate(TEXT.splitlines()))
    with pytest.raises(FormatError, match="this is output of iozone, and no result in it could be read: Bob> "):
        parse("".join(lines))


@pytest.mark.parametrize(
    "mark", ["Ann> ", "<host> ", "20:22:23 DEBUG| [stdout] ", "[pod/bench-x/fio] ", "* ", "- ", "• "], ids=str.strip
)
def test_a_mark_that_all_lines_have_is_of_no_line(mark: str) -> None:
    for text in (TEXT, golden("fio-report_no_space.txt"), golden("sysbench-fileio.txt")):
        lines = text.splitlines()
        clocked = [f"{mark.replace('23', f'{number % 60:02}')}{line}" for number, line in enumerate(lines)]
        marked = parse("\n".join(clocked) + "\n")
        assert (marked.results, marked.parameters) == (parse(text).results, parse(text).parameters)


def test_code_marks_around_each_line_are_of_no_line() -> None:
    marked = "".join(f"`{line}`\n" for line in TEXT.splitlines())
    assert parse(marked).results == parse(TEXT).results


def test_a_mark_is_no_part_of_json_or_csv() -> None:
    for name in ("fsload-direct.jsonl", "bonnie-b200_32k.csv", "elbencho-small.json"):
        assert common_mark(golden(name).splitlines()) is None


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
    assert not missing_in(printable, "=3D", "=\n")
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
    broken = golden("bonnie-b200_32k.csv").splitlines()[-1].replace(",+++++,", ",2x0,", 1)
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
        assert (seeks.values, seeks.lines) == ((61.5,), (5 + text.startswith("DKIM") * 5,))
