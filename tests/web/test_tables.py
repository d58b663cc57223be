"""Numbers are aligned at their decimal points, in markup without scripts or inline styles."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.template.loader import render_to_string
from hypothesis import given
from hypothesis import strategies as st

from benchdb.web.templatetags.tables import align_decimals, breakable, heads, pads, slot
from benchdb.wording.numbers import leads


def cell(mean: str | None = "1", sd: str | None = None, **more: Any) -> dict[str, Any]:
    return {"status": "ok", "mean": mean, "sd": sd, "href": "/runs/1/#r1", "detail": "r1", **more}


def table(*rows: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {
        "id": "results",
        "label": "Results",
        "row_head": "file system",
        "columns": [{"label": f"test {i}", "unit": "MiB/s", "direction": "↑"} for i in range(len(rows[0]))],
        "groups": [{"label": None, "rows": [{"label": f"row {i}", "cells": cells} for i, cells in enumerate(rows)]}],
        "details": {"r1": {"title": "</script><b>"}},
        **more,
    }


def render(**context: Any) -> str:
    return render_to_string("web/partials/table.html", context)


def test_heads_stand_over_words_and_numbers_and_name_what_needs_no_words():
    assert heads("Plan", "#Runs", "", "(<b>)") == (
        '<thead><tr><th scope="col">Plan</th><th scope="col" class="number">Runs</th>'
        '<th scope="col"><span class="visually-hidden">&lt;b&gt;</span></th></tr></thead>'
    )


def test_a_number_gets_the_digits_it_lacks():
    assert pads(["109.3", "52.61", "2 911"]) == ["0", "", ".00"]


def test_whole_numbers_need_nothing():
    assert pads(["1", "22", None]) == ["", "", ""]
    assert pads([]) == []


@given(st.lists(st.decimals(min_value=0, max_value=10**6, places=None, allow_nan=False).map(lambda d: f"{d:f}")))
def test_padded_numbers_have_equally_long_fractions(numbers: list[str]):
    padded = [number + pad for number, pad in zip(numbers, pads(numbers), strict=True)]
    assert len({len(number.partition(".")[2]) for number in padded}) <= 1
    assert all(float(number) == float(before) for number, before in zip(padded, numbers, strict=True))


def test_columns_are_aligned_each_for_itself_and_over_all_groups():
    given = table([cell("1.5", "0.25"), cell("7")])
    given["groups"].append({"label": "another", "rows": [{"label": "x", "cells": [cell("20"), cell("8")]}]})
    first, second = align_decimals(given)["groups"]
    assert [c["mean_pad"] for c in first["rows"][0]["cells"]] == ["", ""]
    assert [c["mean_pad"] for c in second["rows"][0]["cells"]] == [".0", ""]
    assert second["rows"][0]["cells"][0]["sd_pad"] == ".00"


def test_the_given_table_is_not_changed():
    given = table([cell("1.5"), cell("7")])
    before = json.dumps(given)
    align_decimals(given)
    assert json.dumps(given) == before


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ([], "none"),
        ([cell()], "none"),
        ([cell(), cell(tags=[{"text": "RAM"}])], "tag"),
        ([cell(tags=[{"text": "RAM"}, {"text": "CLK"}])], "tags"),
        ([cell(tags=[{"text": "RAM"}]), cell(verdict={"kind": "better"})], "verdicts"),
    ],
)
def test_the_fullest_cell_decides_on_the_room_for_marks(cells: list[dict[str, Any]], expected: str):
    assert slot(cells) == expected


def test_a_verdict_is_a_sign_and_a_word():
    html = render(table=table([cell(verdict={"kind": "worse", "text": "−3.1 %", "why": "p = 0.01"})]))
    assert "▼" in html
    assert '<span class="visually-hidden">worse</span>' in html
    assert "−3.1 %" in html
    assert 'title="p = 0.01"' in html


def test_the_best_is_said_and_not_only_bold():
    assert "(best)" in render(table=table([cell(best=True)]))


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        ({"status": "failed", "message": "No space <left>"}, "No space &lt;left&gt;"),
        ({"status": "unmeasurable"}, "too fast"),
        ({"status": "missing"}, 'aria-label="not measured"'),
        ({"status": "ok", "mean": None}, "still being computed"),
    ],
)
def test_what_is_no_number_says_what_it_is(shown: dict[str, Any], expected: str):
    html = render(table=table([shown]))
    assert expected in html
    assert "None" not in html


def test_panels_are_data_that_cannot_end_their_script():
    html = render(table=table([cell()]))
    match = re.search(r'<script id="results-details" type="application/json">(.*?)</script>', html)
    assert match
    assert json.loads(match[1]) == {"r1": {"title": "</script><b>"}}
    assert 'data-details="results-details"' in html
    assert 'data-cell="r1"' in html


def test_nothing_is_inline():
    html = render(table=table([cell(tags=[{"text": "RAM", "why": "cached"}]), cell("1.25")]))
    assert not re.search(r"\s(style|on\w+)=", html)


def test_long_heads_may_be_parted_behind_their_commas_and_stay_harmless() -> None:
    assert breakable("ext4 · data=ordered,barrier=1") == "ext4 · data=ordered,<wbr>barrier=1"
    assert breakable("<b>,&") == "&lt;b&gt;,<wbr>&amp;"
    heads = table([cell()], columns=[{"label": "a,b"}])
    assert "a,<wbr>b" in render_to_string("web/partials/table.html", {"table": heads})


def test_what_numbers_lack_before_their_first_digit() -> None:
    numbers = ["1\u202f239.5", "94.2", None]
    assert leads(numbers) == ["", "1\u202f2", "1\u202f239"]
    assert leads([]) == []
