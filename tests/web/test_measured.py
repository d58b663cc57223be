"""Cells and verdicts as HTML: their contents, which never become markup."""

from dataclasses import replace
from typing import Any

import pytest

from benchdb.runs.cells.cell_context import CellTag, ShownCell, ShownVerdict
from benchdb.runs.cells.strips import Strip
from benchdb.web.templatetags.fields import options
from benchdb.web.templatetags.measured import measured_cell, verdict

HOSTILE = "<b>\"&'"
HARMLESS = "&lt;b&gt;&quot;&amp;&#x27;"


def cell(**more: Any) -> ShownCell:
    return replace(ShownCell("ok", mean="109.3", sd="0.4", mean_pad="0", sd_pad=""), **more)


def test_a_number_with_its_spread_its_verdict_and_its_marks() -> None:
    verdict = ShownVerdict("better", "8.2 % faster", "p < 0.01", 1)
    tag = CellTag("RAM", "cached", warning=False)
    strip = Strip("M1 0zM99 9z", middle=True)
    given = cell(best=True, href="/runs/1/", detail="r1", anchor="c0", verdict=verdict, tags=[tag], strip=strip)

    assert measured_cell(given) == (
        '<td id="c0" class="best better-1"><div class=cell>'
        '<a class=mean data-pad="0" href="/runs/1/" data-cell="r1">109.3</a>'
        '<span class="visually-hidden"> (best)</span> '
        '<b class="verdict better" data-sd="0.4" title="p &lt; 0.01">8.2 % faster</b> '
        "<span class=sd>± 0.4</span> "
        '<abbr class="tag" title="cached">RAM</abbr>'
        '<svg aria-hidden=true><path d="M1 0zM99 9z"/></svg></div></td>'
    )


def test_a_panel_with_the_name_of_its_cell_is_not_named_again() -> None:
    assert '<a class=mean href="/r" data-cell>1</a>' in measured_cell(
        ShownCell("ok", mean="1", href="/r", detail="c0-0-0", anchor="c0-0-0")
    )


def test_a_strip_without_a_figure_in_the_middle_has_no_line_there() -> None:
    assert "<svg aria-hidden=true class=free>" in measured_cell(cell(strip=Strip("M1 0z", middle=False)))


@pytest.mark.parametrize(
    ("kind", "sign", "word"),
    [
        ("better", "▲", "better"),
        ("worse", "▼", "worse"),
        ("equivalent", "≈", "equal within the margin"),
        ("inconclusive", "?", "undecided"),
        ("none", "–", "no verdict"),
    ],
)
@pytest.mark.parametrize("change", ["", "+1 %"])
def test_each_verdict_is_a_sign_and_a_word(kind: str, sign: str, word: str, change: str) -> None:
    shown = verdict(ShownVerdict(kind, text=change, why=""))
    assert f' role="img" aria-label="{word}">{sign}</span>' in shown
    assert "title" not in shown


def test_one_value_says_so_where_its_spread_would_stand() -> None:
    assert 'class="sd"><abbr' in measured_cell(cell(sd=None, single=True))


def test_whatever_is_in_a_cell_stays_text() -> None:
    tag = CellTag(HOSTILE, HOSTILE, warning=True)
    judged = ShownVerdict(HOSTILE, HOSTILE, HOSTILE)
    pads = {"mean_pad": HOSTILE, "sd_pad": HOSTILE}
    links = {"href": HOSTILE, "detail": f"r{HOSTILE}", "anchor": HOSTILE}
    shown = measured_cell(cell(mean=HOSTILE, sd=HOSTILE, verdict=judged, tags=[tag], **links, **pads))
    failed = measured_cell(ShownCell("failed", message=HOSTILE, **links))

    assert (shown.count(HARMLESS), failed.count(HARMLESS)) == (11, 4)
    assert "<b>" not in shown + failed


def test_options_of_a_menu() -> None:
    shown = options(
        [{"value": 1, "text": HOSTILE, "selected": True}, {"value": HOSTILE, "text": "two", "selected": False}]
    )
    assert shown == f'<option value="1" selected>{HARMLESS}</option>\n<option value="{HARMLESS}">two</option>'
