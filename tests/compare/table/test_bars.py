"""Bars with intervals: their grouping, their scale, and what is drawn."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.compare.kind import PageOptions
from benchdb.compare.query.selection import Selection
from benchdb.compare.table.bars import MOST_BARS, show_bars
from benchdb.compare.table.content import TableContent
from benchdb.compare.table.contexts import BarPanels, ShownBar, TooManyBars
from benchdb.compare.table.evaluate import evaluate
from benchdb.compare.table.present import show_table
from benchdb.wording.colours import MOST_COLOURS, colours
from tests.support.comparing.comparisons import SPREAD, compared_runs, ids, values
from tests.support.comparing.panels import panels_of
from tests.support.documents import GIB, KIB, MIB, result
from tests.support.html import read
from tests.support.store import store_run


def bars_of(owner: User, query: str) -> BarPanels | TooManyBars:
    found = shown(evaluate(Selection.parse(query), owner)[0])
    assert found is not None
    return found


def shown(content: TableContent) -> BarPanels | TooManyBars | None:
    return show_bars(content, show_table(content, PageOptions()))


def lines(bars: BarPanels) -> dict[tuple[str, str, str], ShownBar]:
    """Each bar by panel, part and label."""
    return {
        (panel.label, part.label, bar.label): bar for panel in bars.panels for part in panel.parts for bar in part.bars
    }


def share(length: str) -> float:
    assert length.endswith("%")
    return float(length[:-1]) / 100


def test_a_panel_a_test_a_bar_a_file_system(owner: User) -> None:
    bars = bars_of(owner, ids(compared_runs(owner, record_sizes=(64 * KIB, MIB))))

    assert [(panel.label, panel.unit) for panel in bars.panels] == [("Write", "MiB/s ↑"), ("Read", "MiB/s ↑")]
    bars_by_label = lines(bars)
    assert [key[2] for key in bars_by_label if key[:2] == ("Write", "1\u00a0MiB records")] == ["ext4", "xfs", "btrfs"]
    ext4, xfs = (bars_by_label["Write", "1\u00a0MiB records", name] for name in ("ext4", "xfs"))
    assert share(xfs.end) / share(ext4.end) == pytest.approx(1.2, rel=1e-3)
    assert share(ext4.low) < share(ext4.end) < share(ext4.high)
    assert xfs.baseline == ext4.baseline == ext4.end
    assert [ext4.series, xfs.series] == colours(["ext4", "xfs"])
    assert bars.baseline == "ext4"


def test_without_another_bar_there_is_no_line_of_a_baseline(owner: User) -> None:
    assert bars_of(owner, ids(compared_runs(owner)[:1])).baseline is None


def test_panels_have_one_scale_unless_one_would_vanish(owner: User) -> None:
    """With read at twice write, the longest interval sets the scale. At a hundred times, each panel has its own."""

    def ends(factor: float) -> tuple[BarPanels, list[float]]:
        results = [
            result(values(100 * MIB * multiple), test, file_size=32 * GIB, record_size=MIB)
            for test, multiple in (("write", 1), ("read", factor))
        ]
        runs = [store_run(owner, file_system=name, rounds=len(SPREAD), results=results) for name in ("ext4", "xfs")]
        bars = bars_of(owner, ids(runs))
        return bars, [share(bar.end) for (_, _, label), bar in lines(bars).items() if label == "ext4"]

    alike, (write, read_) = ends(2)
    apart, lengths = ends(100)

    assert not alike.own_scales
    assert read_ == pytest.approx(2 * write, rel=1e-3)
    assert apart.own_scales
    assert lengths[0] == pytest.approx(lengths[1], rel=1e-2)


def test_figures_of_a_panel_stand_decimal_under_decimal(owner: User) -> None:
    """24.53 ± 0.11, 245.3 ± 1.1 and 2453 ± 11 are padded to the longest fraction."""
    speeds = {"ext4": 24.53 * MIB, "xfs": 245.3 * MIB, "btrfs": 2453.0 * MIB}
    panel_bars = [
        bar
        for (panel, _, _), bar in lines(bars_of(owner, ids(compared_runs(owner, speeds)))).items()
        if panel == "Write"
    ]

    assert [bar.cell.mean for bar in panel_bars] == ["24.53", "245.3", "2\u202f453"]
    assert [bar.pad for bar in panel_bars] == ["", "0", ".00"]


def test_where_the_factor_is_across_its_values_are_the_bars_all_the_same(owner: User) -> None:
    query = f"{ids(compared_runs(owner))}&rows=test&columns=file_system&factor=file_system"

    bars = bars_of(owner, query)

    assert [panel.label for panel in bars.panels] == ["Write", "Read"]
    assert [key[2] for key in lines(bars)][:3] == ["ext4", "xfs", "btrfs"]


def test_a_failed_test_has_its_words_and_no_bar(owner: User) -> None:
    failed = result([None] * 3, status="failed", error="too many links", file_size=GIB, record_size=MIB)
    measured = result([1e8, 1.1e8, 1.2e8], file_size=GIB, record_size=MIB)
    runs = [store_run(owner, results=[measured]), store_run(owner, file_system="xfs", results=[failed])]

    xfs = lines(bars_of(owner, ids(runs)))["Write", "", "xfs"]

    assert xfs.end is None
    assert xfs.cell.message == "too many links"


def test_an_interval_of_two_rounds_is_cut_and_leaves_the_bars_their_room(owner: User) -> None:
    wild = [result([50 * MIB, 150 * MIB], file_size=GIB, record_size=MIB)]
    runs = [store_run(owner, file_system=name, rounds=2, results=wild) for name in ("ext4", "xfs")]

    bar = lines(bars_of(owner, ids(runs)))["Write", "", "ext4"]

    assert bar.cut
    assert (bar.low, bar.high) == ("0.00%", "100.00%")
    assert share(bar.end) == pytest.approx(1 / 1.5, rel=1e-3)


def test_of_the_smallest_values_there_is_no_interval(owner: User) -> None:
    bars = bars_of(owner, f"{ids(compared_runs(owner))}&statistic=minimum")

    assert not bars.intervals
    assert all(bar.low is None for bar in lines(bars).values())


def test_more_rows_than_colours_have_one_colour(owner: User) -> None:
    many = {f"fs{i}": 100.0 * MIB for i in range(MOST_COLOURS + 1)}

    assert {bar.series for bar in lines(bars_of(owner, ids(compared_runs(owner, many)))).values()} == {1}


def test_too_many_cells_are_not_drawn_and_nothing_measured_has_no_chart(owner: User) -> None:
    table = evaluate(Selection.parse(ids(compared_runs(owner))), owner)[0]
    (group,) = table.groups
    many = replace(table, groups=[replace(group, rows=[group.rows[0]] * MOST_BARS)])
    empty = replace(table, groups=[replace(group, rows=[replace(group.rows[0], cells=[None, None])])])

    assert shown(many) == TooManyBars(2 * MOST_BARS, MOST_BARS)
    assert shown(empty) is None


def test_bars_are_buttons_that_choose_and_answer(client: Client, owner: User) -> None:
    runs = compared_runs(owner, {"ext4": 100 * MIB, "<script>": 120 * MIB})

    page = read(client.get(f"/compare/?{ids(runs)}"))

    buttons = [attributes for tag, attributes in page.elements if tag == "button" and attributes.get("name") == "cell"]
    assert [attributes["value"] for attributes in buttons] == ["0-0-0", "0-1-0", "0-0-1", "0-1-1"]
    assert {attributes["data-cell"] for attributes in buttons} <= set(panels_of(client, page))
    assert page.fields["run"][-2:] == [str(run.id) for run in runs]
    assert "<script> 120.00" in page.text
