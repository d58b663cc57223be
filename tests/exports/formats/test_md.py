"""Markdown, read back by a CommonMark parser with GitHub's tables."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import User
from markdown_it import MarkdownIt
from markdown_it.token import Token

from benchdb.compare.content import Content, Difference, DifferentValue
from benchdb.compare.kind import PageOptions
from benchdb.compare.query.selection import Selection
from benchdb.compare.surface import present as surface_present
from benchdb.compare.surface.evaluate import SurfaceSelection, evaluate_surface
from benchdb.compare.table.evaluate import evaluate
from benchdb.exports.formats import md
from benchdb.stats import STATISTICS_VERSION
from benchdb.wording.clean import clean
from tests.support.comparing.comparisons import SPREAD, ids, surface_run, values
from tests.support.comparing.exported import (
    ADDRESS,
    FROZEN,
    HOSTILE,
    KINDS,
    LIVE,
    a_table,
    a_table_with_failures,
    saying,
    two_surfaces,
)
from tests.support.documents import GIB, MIB, result
from tests.support.store import store_run
from tests.texts import missing_in


def tokens(text: str) -> list[Token]:
    return MarkdownIt("gfm-like", {"html": True, "linkify": False}).parse(text)


def tables(text: str) -> list[list[list[str]]]:
    """Every table, row by row; a cell is its text without markup."""
    nested: list[list[list[str]]] = []
    inside = False
    for token in tokens(text):
        if token.type == "table_open":
            nested.append([])
        elif token.type == "tr_open":
            nested[-1].append([])
        elif token.type in ("th_open", "td_open"):
            inside = True
        elif token.type in ("th_close", "td_close"):
            inside = False
        elif token.type == "inline" and inside:
            nested[-1][-1].append(said(token))
    return nested


def said(inline: Token) -> str:
    return "".join(token.content for token in inline.children or [])


def test_a_table_comes_back(owner: User) -> None:
    small, large = tables(md.export(a_table(owner), FROZEN))

    assert (small, small[0]) == (large, ["File system", "Write (MiB/s ↑)", "Read (MiB/s ↑)"])
    assert (small[1][:2], small[2][1]) == (["ext4 (baseline)", "100.00 ± 0.44"], "120.00 ± 0.53 ▲ 20.0 % faster")
    assert small[3][1] == "101.00 ± 0.45 ≈"


def test_the_best_is_bold(owner: User) -> None:
    assert "**120.00** ± 0.53" in md.export(a_table(owner), FROZEN)


def test_it_says_where_it_comes_from_and_how_it_was_made(owner: User) -> None:
    text = md.export(a_table(owner), FROZEN)

    assert not missing_in(
        text,
        f"<{ADDRESS}>",
        "Frozen: the numbers at this address do not change.",
        "1 MiB records, n = 6 rounds",
        "Welch's t test on logarithms",
        "Benjamini and Hochberg",
        "within ± 5 %",
        f"statistics version {STATISTICS_VERSION}",
        "Against ext4: ▲ better, ≈ equal within the margin.",
    )


def test_a_live_table_says_that_it_may_change(owner: User) -> None:
    assert "Live, not frozen" in md.export(a_table(owner), LIVE)


def test_failed_and_cached_cells_say_so(owner: User) -> None:
    text = md.export(a_table_with_failures(owner), FROZEN)

    assert not missing_in(
        text, "No space left on device", "too fast", "n = 1 RAM", "RAM: measured memory, not the device."
    )


def test_two_surfaces_and_their_ratio(owner: User) -> None:
    first, second, ratio = tables(md.export(two_surfaces(owner), FROZEN))

    assert first[0][1] == "4 KiB (MiB/s ↑)"
    assert len(first) == len(second) == len(ratio) == 4
    assert (ratio[1][1], ratio[1][3]) == ("1.00 ≈", "")


def test_two_surfaces_say_what_stands_beneath_them(owner: User) -> None:
    text = md.export(two_surfaces(owner), FROZEN)

    assert "Average of all" in text or "Average of 6" in text
    assert not missing_in(text, "Geometric mean of the ratios xfs ÷ ext4 over", "0 % (−")


def test_a_surface_of_the_cv_shows_the_cv(owner: User) -> None:
    content = evaluate_surface(SurfaceSelection.parse(f"run={surface_run(owner).id}&statistic=cv"), owner)[0]
    on_page = surface_present.show_table(content, PageOptions()).groups[0].rows[0].cells[0]

    text = md.export(content, FROZEN)

    (grid,) = tables(text)
    assert grid[0][1] == "4 KiB (%)"
    assert grid[1][1] == f"{on_page.mean} RAM" == "0.64 RAM"
    assert not missing_in(text, "### ext4, CV of throughput, n = 2 rounds", "Figures: coefficient of variation")
    assert "±" not in grid[1][1]


def test_surfaces_that_differ_in_more_say_so_first(owner: User) -> None:
    values = [DifferentValue("8 GiB", ["ext4"]), DifferentValue("2 GiB", ["xfs"])]
    content = replace(two_surfaces(owner), differences=[Difference("memory", "memory", True, values, inside=[])])

    text = md.export(content, FROZEN)

    assert not missing_in(
        text,
        "**ext4 and xfs differ in more than that: memory. The ratio may come from there.**",
        "memory: 8 GiB (ext4), 2 GiB (xfs)",
    )


def both_metrics(owner: User, query: str) -> Content:
    """ext4 and xfs by throughput and CPU; xfs is 20 % faster and takes twice the CPU."""
    runs = []
    for name, factor in (("ext4", 1.0), ("xfs", 1.2)):
        sizes: dict[str, Any] = {"file_size": 32 * GIB, "record_size": MIB}
        cpu = 0.5 if factor > 1 else 0.25
        results = [
            measured
            for test in ("write", "read")
            for measured in (
                result(values(1e8 * factor), test, **sizes),
                result(values(cpu), test, "cpu_of_one_core", "ratio", **sizes),
            )
        ]
        runs.append(store_run(owner, file_system=name, rounds=len(SPREAD), results=results))
    return evaluate(Selection.parse(f"{ids(runs)}&{query}"), owner)[0]


def test_geometric_means_of_two_metrics_are_told_apart(owner: User) -> None:
    text = md.export(both_metrics(owner, "rows=file_system&columns=test,metric"), FROZEN)

    cpu = "xfs · CPU, of one core ↓ 2.00× more (1.99× to 2.01×, 2 cells)"
    assert f"xfs · throughput ↑ 20.0 % faster (19.2 % to 20.8 %, 2 cells), {cpu}" in text


def test_the_best_is_explained_where_file_systems_are_columns(owner: User) -> None:
    text = md.export(both_metrics(owner, "rows=test,metric&columns=file_system&factor=file_system"), FROZEN)

    assert "The best file system of those that differ in nothing else, or tied for it: bold." in text


@pytest.mark.parametrize("words", HOSTILE)
@pytest.mark.parametrize("kind", KINDS)
def test_words_stay_words(owner: User, kind: Callable[[User], Content], words: str) -> None:
    plain = kind(owner)
    text = md.export(saying(plain, words), FROZEN)

    parsed = tokens(text)
    inlines = [token for token in parsed if token.type == "inline"]
    assert clean(words).strip() in said(inlines[0])
    assert [token.type for token in parsed if token.type.startswith(("html", "code", "fence"))] == []
    children = [child for token in inlines for child in token.children or []]
    assert {child.type for child in children} <= {
        "text", "text_special", "strong_open", "strong_close", "link_open", "link_close",
    }  # fmt: skip
    assert [child.attrs["href"] for child in children if child.type == "link_open"] == [ADDRESS]
    shape = [[len(row) for row in table] for table in tables(md.export(plain, FROZEN))]
    assert [[len(row) for row in table] for table in tables(text)] == shape


def test_no_words_are_code_of_programs_that_build_sites() -> None:
    assert md.escaped("{{ site.github }} {% raw %}") == r"{\{ site.github }} {\% raw %}"
