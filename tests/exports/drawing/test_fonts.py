"""Widths of texts, compared with those of another reader of the font, and what is done with them."""

import pytest
from PIL import ImageFont

from benchdb.exports.drawing.fonts import FILES, shorten, text_width, wrap

TEXTS = [
    "",
    "Random write, 64 KiB",
    "▲ +8.2 % ≈ ÷ 1.5 − × ↑ → · …",
    "1\u202f000.5",
    "Ångström Ж ß ﬁ",
    "文件系统 🐘",
    "iiii WWWW",
]


@pytest.mark.parametrize("bold", [False, True])
@pytest.mark.parametrize("text", TEXTS)
def test_widths_are_those_of_freetype(text: str, bold: bool) -> None:
    font = ImageFont.truetype(FILES[bold], 2048, layout_engine=ImageFont.Layout.BASIC)

    # Letter by letter: programs may move pairs of letters together.
    assert text_width(text, 2048, bold=bold) == pytest.approx(sum(map(font.getlength, text)), abs=2 * len(text))


@pytest.mark.parametrize("room", [1, 20, 50, 120, 500])
@pytest.mark.parametrize("text", ["ext4, data=journal, noatime", "W" * 300, "a\x00b  \u202ec\n d", ""])
def test_a_text_is_cut_to_its_room(text: str, room: float) -> None:
    short = shorten(text, room, 8, bold=True)

    assert text_width(short, 8, bold=True) <= max(room, text_width("…", 8, bold=True))
    assert short.removesuffix("…") in "ext4, data=journal, noatime" + "W" * 300 + "a\ufffdb \ufffdc d"


def test_the_tail_stays() -> None:
    assert shorten("W" * 50, 100, 8, tail=", MiB/s ↑").endswith("…, MiB/s ↑")
    assert shorten("ext4", 100, 8, tail=", MiB/s ↑") == "ext4, MiB/s ↑"


@pytest.mark.parametrize("text", ["one two  three four five six", "x" * 200 + " y " + "z" * 90, "文" * 40, " "])
def test_lines_have_all_words_and_fit(text: str) -> None:
    lines = wrap(text, 60, 8)

    assert "".join("".join(lines).split(" ")) == "".join(text.split())
    assert max(text_width(line, 8) for line in lines) <= 60
    assert lines == [""] or all(lines)
