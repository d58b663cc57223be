"""Lines of a long text that is read in pieces."""

from collections.abc import Iterator

from hypothesis import example, given
from hypothesis import strategies as st

from benchagent import formats
from benchagent.formats.reading.text import split_lines
from benchdb.runs.cells.links import LINES_A_PAGE
from benchdb.runs.page.raw_output import BLOCK, LONGEST_LINE, LineWindow, line_window

BYTES = st.one_of(
    st.binary(max_size=200),
    st.text(st.sampled_from("a\n\r\ufeff\u20acé\x0c"), max_size=200).map(lambda text: text.encode("utf-16")),
    st.text("a\n\r", max_size=200).map(lambda text: text.encode("utf-16-le")),
    st.lists(st.sampled_from([b"\n", b"\r\n", b"\xe2\x82", b"\xff", b"x", "€".encode()])).map(b"".join),
)


def pieces(content: bytes, size: int) -> Iterator[bytes]:
    for start in range(0, len(content), size):
        yield content[start : start + size]


def texts(window: LineWindow) -> list[str]:
    return [line.text for line in window.lines]


@example(b"\x00", 4, 1)
@given(BYTES, st.integers(1, 50), st.integers(1, 30))
def test_lines_are_those_of_the_whole_text(content: bytes, size: int, first: int) -> None:
    whole = split_lines(formats.decoded(content))

    window = line_window(pieces(content, max(size, 4)), first)

    assert (window.count, texts(window)) == (len(whole), whole[first - 1 :])
    assert [line.number for line in window.lines] == list(range(first, len(whole) + 1))


def test_a_page_in_the_middle_of_blocks() -> None:
    content = b"".join(b"line %d\n" % i for i in range(1, 3 * LINES_A_PAGE))
    assert len(content) > BLOCK

    window = line_window(pieces(content, 1000), LINES_A_PAGE + 1)

    assert texts(window) == [f"line {LINES_A_PAGE + i}" for i in range(1, LINES_A_PAGE + 1)]
    assert ((window.earlier, window.later), window.count) == ((1, 2 * LINES_A_PAGE + 1), 3 * LINES_A_PAGE - 1)


def test_a_line_that_is_too_long_is_cut() -> None:
    content = b"short\n" + b"x" * (LONGEST_LINE + 3 * BLOCK) + b"\nlast"

    window = line_window(pieces(content, 1000), 1)

    assert [len(line.text) for line in window.lines] == [5, LONGEST_LINE, 4]
    assert [line.cut for line in window.lines] == ["", "192 KiB", ""]


def test_a_page_after_the_last_line_is_empty() -> None:
    window = line_window([b"one\ntwo\n"], 3)

    assert (window.lines, window.count, window.later) == ([], 2, None)
