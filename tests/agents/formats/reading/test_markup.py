"""Outputs copied from web pages, forums and wikis."""

import pytest

from benchagent.formats import parse
from benchagent.formats.reading.markup import without_markup

KIB = 1024
TABLE = """\
Version  1.03       ------Sequential Output------ --Sequential Input- --Random-
                    -Per Chr- --Block-- -Rewrite- -Per Chr- --Block-- --Seeks--
Machine        Size K/sec %CP K/sec %CP K/sec %CP K/sec %CP K/sec %CP  /sec %CP
disk             4G 11000  40 22000   8 33000   5 44000  57 55000   3  61.5   0
"""


def speeds(text: str) -> list[float]:
    return [r.values[0] / KIB for r in parse(text).results if r.metric == "throughput" and r.values[0]]


@pytest.mark.parametrize(
    "page",
    [
        TABLE,
        "<pre>\n" + TABLE.replace("22000", '<b style="color: red;">22000</b>') + "</pre>\n",
        TABLE.rstrip() + "</pre>\n",
        TABLE.replace("\n", "<br />\n"),
        '[font="Fixed"]\n' + TABLE.replace("22000", "[b]22000[/b]") + "[/font]\n",
        "```text\n" + TABLE.replace("22000", "**22000**") + "```\n",
        "".join(f"    > {line}\\\n" for line in TABLE.splitlines()),
        TABLE.replace("--Block--", "–Block–").replace("------", "——"),
        "{code:java}\n" + TABLE + "{code}\n",
        ".. code::\n\n" + TABLE.replace("\n", "\n    "),
    ],
)
def test_what_a_page_puts_around_an_output_changes_nothing(page: str) -> None:
    assert speeds(page) == [11000, 22000, 33000, 44000, 55000]
    assert parse(page).unread == ()


def test_an_iozone_page_with_line_breaks_and_entities() -> None:
    page = (
        "<pre><code>Output is in Kbytes/sec<br>\n"
        "              KB  reclen   write rewrite    read    reread<br>\n"
        "            1024     256   78000 1110000  1960000  3250000<br>\n"
        "&nbsp;<br>\niozone test complete.<br></code></pre>\n"
    )
    assert speeds(page) == [78000, 1110000, 1960000, 3250000]
    assert parse(page).complete
    assert parse(page).unread == ()


def test_words_between_runs_tell_them_apart_and_fences_do_not() -> None:
    text = f"ext4:\n\n.. code::\n\n{TABLE}\nxfs:\n\n.. code::\n\n{TABLE.replace('11000', '12000')}"
    figures = {
        r.params["section"]: r.values[0] / KIB
        for r in parse(text).results
        if r.test == "char_write" and r.unit == "B/s"
    }
    assert figures == {"ext4": 11000, "xfs": 12000}


@pytest.mark.parametrize(
    "text",
    [
        "size: 1*1024*2",
        "a ** b",
        "x__1__y",
        "1 < 2 > 0",
        "bw=3 <unknown>",
        "depths : >=64=97.5%",
        "a – b… c\n",
        "R&D [1]",
    ],
)
def test_what_is_no_markup_stays(text: str) -> None:
    assert without_markup(text) == text
