"""Charts of tables on pages: lengths, words, links."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.compare.query.selection import Selection
from benchdb.compare.table.charts.shown import HEIGHT, show_charts, show_figures
from benchdb.compare.table.evaluate import evaluate
from benchdb.compare.table.grid import grid_of
from tests.support.comparing.comparisons import SPREAD, compared_runs, ids, values
from tests.support.comparing.panels import panels_of
from tests.support.documents import GIB, KIB, MIB, result
from tests.support.html import Page, read
from tests.support.store import store_run


def ratios_of(owner: User, query: str) -> dict[str, Any]:
    found = show_charts(grid_of(evaluate(Selection.parse(query), owner)[0]), ["ratios"])["ratios"]
    assert isinstance(found, dict)
    return found


def share(length: str) -> float:
    assert length.endswith("%")
    return float(length[:-1]) / 100


def test_rows_lie_between_their_ends_and_one_is_marked(owner: User) -> None:
    (panel,) = ratios_of(owner, ids(compared_runs(owner)))["panels"]

    assert [row.label for row in panel.rows] == ["Write", "Read"]
    assert (panel.quantity, panel.better) == ("ratio to ext4", "better →")
    xfs, btrfs = panel.rows[0].marks
    assert share(xfs.x1) < share(xfs.x) < share(xfs.x2)
    assert share(btrfs.x) < share(xfs.x)
    assert float(xfs.y) < float(btrfs.y) < panel.rows[0].height
    (one,) = [tick for tick in panel.ticks if tick.one]
    assert one.text == "1"
    assert share(one.at) < share(btrfs.x)


def test_less_is_better_for_times(owner: User) -> None:
    results = [result(values(10), "create", "elapsed", "s")]
    runs = [store_run(owner, file_system=name, rounds=len(SPREAD), results=results) for name in ("ext4", "xfs")]

    (panel,) = ratios_of(owner, ids(runs))["panels"]

    assert panel.better == "better ←"


def test_a_single_figure_has_no_chart(owner: User) -> None:
    def chart(means: dict[str, float]) -> dict[str, object] | None:
        content, _ = evaluate(Selection.parse(f"{ids(compared_runs(owner, means))}&test=write"), owner)
        return show_figures(grid_of(content), "/c/x/")

    assert chart({"ext4": 100 * MIB}) is None
    assert chart({"ext4": 100 * MIB, "xfs": 120 * MIB}) is not None


def test_lines_connect_neighbouring_sizes_from_left_to_right(owner: User) -> None:
    chart = ratios_of(owner, ids(compared_runs(owner, record_sizes=(64 * KIB, 256 * KIB, MIB))))

    panel = chart["panels"][0]
    assert chart["along"] == "record size"
    assert [position.text for position in panel.positions] == ["64\u00a0KiB", "256\u00a0KiB", "1\u00a0MiB"]
    assert len(panel.segments) == 4  # two for xfs and two for btrfs
    assert all(share(segment.x1) < share(segment.x2) for segment in panel.segments)
    assert all(0 <= float(mark.y2) <= float(mark.y) <= float(mark.y1) <= HEIGHT for mark in panel.marks)
    better = [float(mark.y) for mark in panel.marks if mark.filled]
    assert max(better) < min(float(mark.y) for mark in panel.marks if not mark.filled)  # upwards is more


def test_marks_lead_to_their_cells_and_have_their_panels(client: Client, owner: User) -> None:
    runs = compared_runs(owner, {"ext4": 100 * MIB, "<script>": 120 * MIB})
    page = read(client.get(f"/compare/?{ids(runs)}&show=ratios&show=figures"))

    marks = marks_of(page)
    assert {mark["data-cell"] for mark in marks} == {"c0-0-0", "c0-0-1", "c0-1-0", "c0-1-1"}
    assert {mark["href"] for mark in marks} == {f"#{mark['data-cell']}" for mark in marks}
    assert {mark["data-cell"] for mark in marks} <= set(panels_of(client, page))
    assert "<script>" in page.text
    assert {mark["tabindex"] for mark in marks} == {"-1"}


def marks_of(page: Page) -> list[dict[str, str | None]]:
    return [found for tag, found in page.elements if tag == "a" and str(found.get("class")).startswith("of-")]


def test_elsewhere_marks_lead_to_the_table_of_the_permalink(owner: User) -> None:
    content = evaluate(Selection.parse(ids(compared_runs(owner))), owner)[0]

    chart = show_figures(grid_of(content), "/c/abc/")

    assert chart is not None
    assert chart["panels"][0].rows[0].marks[0].href == "/c/abc/#c0-0-0"


@pytest.mark.parametrize("rounds", [1, 6])
def test_notes_explain_only_what_is_drawn(owner: User, rounds: int) -> None:
    results = [result(values(1e8, rounds), file_size=GIB, record_size=MIB)]
    runs = [store_run(owner, file_system=name, rounds=rounds, results=results) for name in ("ext4", "xfs")]

    charts = show_charts(grid_of(evaluate(Selection.parse(ids(runs)), owner)[0]), ["figures"])

    assert isinstance(charts["figures"], dict)
    assert ("95 %" in " ".join(charts["figures"]["notes"])) == (rounds > 1)
