"""Numbers are aligned at their decimal points, in markup without scripts or inline styles."""

import json
import re
from dataclasses import asdict, replace
from typing import Any

import pytest
from django.template.loader import render_to_string
from hypothesis import given
from hypothesis import strategies as st

from benchdb.runs.cells.cell_context import CellTag, ShownCell, ShownVerdict
from benchdb.runs.cells.measured_table import MeasuredRow, MeasuredTable, RowGroup, TableColumn
from benchdb.runs.cells.panel import CellPanel
from benchdb.runs.cells.strips import Strip
from benchdb.web.templatetags.tables import align_decimals, breakable, heads, pads, slot
from tests.texts import missing_in


def cell(mean: str = "1", sd: str | None = None, **more: Any) -> ShownCell:
    return ShownCell("ok", mean=mean, sd=sd, href="/runs/1/#r1", detail="r1", **more)


def group(label: str | None, *rows: list[ShownCell]) -> RowGroup:
    return RowGroup(label, None, [MeasuredRow(f"row {i}", None, cells) for i, cells in enumerate(rows)])


PANEL = CellPanel(
    title="</script><b>",
    headline="",
    facts=[],
    values=[],
    labels=[],
    each="round",
    mean=None,
    interval=None,
    command=None,
    links=[],
)


def table(*rows: list[ShownCell], **more: Any) -> MeasuredTable:
    given = MeasuredTable(
        id="results",
        label="Results",
        row_head="file system",
        columns=[TableColumn(f"test {i}", "MiB/s", "↑") for i in range(len(rows[0]))],
        groups=[group(None, *rows)],
        details={"r1": PANEL},
    )
    return replace(given, **more)


RAM, CLK, WARNED = CellTag("RAM", "cached"), CellTag("CLK", "coarse"), CellTag("!", "odd")


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
    assert (pads(["1", "22", None]), pads([])) == (["", "", ""], [])


@given(st.lists(st.decimals(min_value=0, max_value=10**6, places=None, allow_nan=False).map(lambda d: f"{d:f}")))
def test_padded_numbers_have_equally_long_fractions(numbers: list[str]):
    padded = [number + pad for number, pad in zip(numbers, pads(numbers), strict=True)]
    assert len({len(number.partition(".")[2]) for number in padded}) <= 1
    assert all(float(number) == float(before) for number, before in zip(padded, numbers, strict=True))


def test_columns_are_aligned_each_for_itself_and_over_all_groups():
    groups = [group(None, [cell("1.5", "0.25"), cell("7")]), group("another", [cell("20"), cell("8")])]
    first, second = align_decimals(table([cell(), cell()], groups=groups)).groups
    assert [aligned.mean_pad for aligned in first.rows[0].cells] == ["", ""]
    assert [aligned.mean_pad for aligned in second.rows[0].cells] == [".0", ""]
    assert second.rows[0].cells[0].sd_pad == ".00"


def test_the_given_table_is_not_changed():
    given = table([cell("1.5"), cell("7")])
    before = json.dumps(asdict(given))
    align_decimals(given)
    assert json.dumps(asdict(given)) == before


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ([], ""),
        ([cell()], ""),
        ([cell(tags=[RAM, CLK, WARNED])], ""),
        ([cell(strip=Strip("M1 0z", middle=True))], "slotted"),
    ],
)
def test_strips_need_room_in_all_cells(cells: list[ShownCell], expected: str):
    assert slot(table(cells)) == expected


def test_a_verdict_is_words_on_a_shade_and_equality_a_sign_with_a_word():
    judged = [ShownVerdict("worse", "3.1 % slower", "p = 0.01", 1), ShownVerdict("equivalent", "", "")]
    html = render(table=table([cell(sd="1", verdict=each) for each in judged]))
    assert not missing_in(html, 'class="worse-1"', "3.1 % slower</b>", 'title="p = 0.01"', 'equal within the margin">≈')


def test_a_unit_of_all_columns_and_memory_in_all_cells_are_said_once():
    columns = [TableColumn(name, "MiB/s", "↑", memory="RAM" * (name == "b")) for name in "ab"]
    html = render(table=table([cell(), cell()], columns=columns))
    assert (html.count("MiB/s"), html.count("RAM"), ", more is better" in html) == (1, 1, True)


def test_the_best_is_said_and_not_only_bold():
    assert "(best)" in render(table=table([cell(best=True)]))


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (ShownCell("failed", message="No space <left>"), "No space &lt;left&gt;"),
        (ShownCell("unmeasurable"), "too fast"),
        (ShownCell("missing"), 'aria-label="not measured"'),
        (ShownCell("ok", mean=""), "still being computed"),
    ],
)
def test_what_is_no_number_says_what_it_is(shown: ShownCell, expected: str):
    html = render(table=table([shown]))
    assert expected in html
    assert "None" not in html


def test_panels_are_data_that_cannot_end_their_script():
    html = render(table=table([cell()]))
    match = re.search(r'<script id="results-details" type="application/json">(.*?)</script>', html)
    assert match
    assert json.loads(match[1]) == {"r1": PANEL}
    assert not missing_in(html, 'data-details="results-details"', 'data-cell="r1"')


def test_nothing_is_inline():
    html = render(table=table([cell(tags=[RAM]), cell("1.25")]))
    assert not re.search(r"\s(style|on\w+)=", html)


def test_long_heads_may_be_parted_behind_their_commas_and_stay_harmless() -> None:
    assert breakable("ext4 · data=ordered,barrier=1") == "ext4 · data=ordered,<wbr>barrier=1"
    assert breakable("<b>,&") == "&lt;b&gt;,<wbr>&amp;"
    heads = table([cell()], columns=[TableColumn("a,b", None, None)])
    assert "a,<wbr>b" in render_to_string("web/partials/table.html", {"table": heads})
