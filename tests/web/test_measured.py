"""Cells and verdicts as HTML: their contents, which never become markup."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from benchdb.runs.cells.cell_context import CellTag, ShownCell, ShownVerdict
from benchdb.web.templatetags.fields import options
from benchdb.web.templatetags.measured import measured_cell, verdict

HOSTILE = "<b>\"&'"
HARMLESS = "&lt;b&gt;&quot;&amp;&#x27;"


def cell(**more: Any) -> ShownCell:
    return replace(ShownCell("ok", mean="109.3", sd="0.4", mean_pad="0", sd_pad=""), **more)


def test_a_number_with_its_spread_its_verdict_and_its_marks() -> None:
    verdict = ShownVerdict("better", "+8.2 %", "p < 0.01")
    tag = CellTag("RAM", "cached", warning=False)
    shown = measured_cell(cell(best=True, href="/runs/1/", detail="r1", anchor="c0", verdict=verdict, tags=[tag]))

    assert shown == (
        '<td id="c0" class="measured best"><div class="cell">'
        '<span class="mean pad" data-pad="0"><a href="/runs/1/" data-cell="r1">109.3</a>'
        '<span class="visually-hidden"> (best)</span></span> '
        '<span class="sd">± 0.4</span> '
        '<span class="verdict better" title="p &lt; 0.01"><span aria-hidden="true">▲</span>'
        '<span class="visually-hidden">better</span> +8.2 %</span> '
        '<span class="tags"><abbr class="tag" title="cached">RAM</abbr> </span></div></td>'
    )


@pytest.mark.parametrize(
    ("kind", "sign", "word"),
    [
        ("better", "▲", "better"),
        ("worse", "▼", "worse"),
        ("equivalent", "≈", "equivalent"),
        ("inconclusive", "?", "inconclusive"),
        ("none", "–", "no verdict"),
        ("baseline", "", "baseline"),
    ],
)
def test_each_verdict_is_a_sign_and_a_word(kind: str, sign: str, word: str) -> None:
    shown = verdict(ShownVerdict(kind, text="", why=""))
    assert f'<span class="visually-hidden">{word}</span></span>' in shown
    assert (f'<span aria-hidden="true">{sign}</span>' in shown) == bool(sign)
    assert "title" not in shown


def test_one_value_says_so_where_its_spread_would_stand() -> None:
    assert 'class="sd"><abbr' in measured_cell(cell(sd=None, single=True))


def test_whatever_is_in_a_cell_stays_text() -> None:
    tag = CellTag(HOSTILE, HOSTILE, warning=True)
    judged = ShownVerdict(HOSTILE, HOSTILE, HOSTILE)
    pads = {"mean_pad": HOSTILE, "sd_pad": HOSTILE}
    links = {"href": HOSTILE, "detail": HOSTILE, "anchor": HOSTILE}
    shown = measured_cell(cell(mean=HOSTILE, sd=HOSTILE, verdict=judged, tags=[tag], **links, **pads))
    failed = measured_cell(ShownCell("failed", message=HOSTILE, **links))

    assert (shown.count(HARMLESS), failed.count(HARMLESS)) == (12, 4)
    assert "<b>" not in shown + failed


def test_options_of_a_menu() -> None:
    shown = options(
        [{"value": 1, "text": HOSTILE, "selected": True}, {"value": HOSTILE, "text": "two", "selected": False}]
    )
    assert shown == f'<option value="1" selected>{HARMLESS}</option>\n<option value="{HARMLESS}">two</option>'
